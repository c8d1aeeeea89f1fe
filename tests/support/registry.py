# SPDX-License-Identifier: Apache-2.0
"""Debian's docker-registry on a free port of the loopback interface, with a store of its own.

	registry = Registry.start(test)
	registry.push("oci:folder:tag", "library/small:1")     skopeo copies
	reference = registry.reference("library/small:1")      "127.0.0.1:PORT/library/small:1"

	registry = Registry.start(test, users={"bob": "secret"})    nobody else gets in, by Basic
"""

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request

from support import command, suite

CONFIG = """version: 0.1
log: {{level: error, accesslog: {{disabled: true}}}}
storage: {{filesystem: {{rootdirectory: {folder}}}, delete: {{enabled: true}}}}
http:
  addr: "127.0.0.1:{port}"
"""
USERS = "auth: {{htpasswd: {{realm: users, path: {path}}}}}\n"
START_TIMEOUT = 120  # seconds


class Registry:
	def __init__(self, folder, port, process):
		self.folder = folder
		self.port = port
		self.process = process

	@classmethod
	def start(cls, test, data=None, tls=None, users=None):
		"""Starts a registry that stops with the test case, or with the class when test is one. data is the
		store of another one, to serve the same. tls is a dict for the section of that name: HTTPS then.
		users is a dict of names and passwords: nobody else gets in."""
		folder = suite.temporary(test, "registry")
		port = free_port()
		with open(os.path.join(folder, "config.yml"), "w") as file:
			file.write(CONFIG.format(folder=data or os.path.join(folder, "data"), port=port))
			if tls is not None:
				file.write("  tls: " + json.dumps(tls) + "\n")  # JSON is YAML
			if users:
				file.write(USERS.format(path=write_users(folder, users)))
		log = open(os.path.join(folder, "log"), "wb")
		process = subprocess.Popen(["docker-registry", "serve", file.name], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
		log.close()
		registry = cls(folder, port, process)
		suite.cleanup(test, registry.stop)
		registry.wait()
		return registry

	def wait(self):
		limit = time.monotonic() + START_TIMEOUT
		while time.monotonic() < limit and self.process.poll() is None:
			try:
				urllib.request.urlopen(f"http://127.0.0.1:{self.port}/v2/", timeout=10).close()
				return
			except urllib.error.HTTPError:
				return  # it asks for a user, or speaks HTTPS, and says so
			except OSError:
				time.sleep(0.05)
		with open(os.path.join(self.folder, "log"), errors="replace") as log:
			raise command.Failed(f"docker-registry did not start:\n{log.read()}")

	def stop(self):
		self.process.kill()
		self.process.wait()

	def reference(self, name):
		return f"127.0.0.1:{self.port}/{name}"

	def push(self, source, name, *options):
		"""Copies an image by skopeo into this registry; options go to skopeo copy."""
		skopeo_copy(source, "docker://" + self.reference(name), "--dest-tls-verify=false", *options)
		return self.reference(name)


def skopeo_copy(source, destination, *options):
	"""Copies an image between any two of skopeo's transports. Any image will do: no policy file is
	needed for this run."""
	command.run(["skopeo", "copy", "--quiet", "--insecure-policy", *options, source, destination])


def write_users(folder, users):
	"""A file of htpasswd's; the registry takes no hash but bcrypt."""
	path = os.path.join(folder, "users")
	with open(path, "w") as file:
		for user, password in users.items():
			file.write(command.run(["htpasswd", "-niBC", "4", user], stdin=None, input=password))
	return path


def free_port():
	with socket.socket() as probe:
		probe.bind(("127.0.0.1", 0))
		return probe.getsockname()[1]
