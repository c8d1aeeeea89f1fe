#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mirrors and registries.conf: real registries as mirrors and origin, mirrors that fail in every way,
and skopeo, which must ask the same sources in the same order."""

import http.server
import os
import re
import shutil
import ssl
import sys
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, oci_layout, suite  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402
from support.registry import Registry, free_port  # noqa: E402

NEEDS = ["skopeo", "docker-registry", "openssl", "fsck.erofs"]
NAME = "docker.io/library/small:1"
NO_DIGEST = "sha256:" + "0" * 64


def make_layout(test, text=b"first"):
	"""A layout with the tag 1, of two layers; random bytes make the second one's blob large."""
	image = oci_layout.Image(suite.temporary(test, "layout"))
	image.add_layer(oci_layout.tar([("etc/", None), ("etc/name", text)]))
	image.add_layer(oci_layout.tar([("data", os.urandom(300_000))]))
	image.commit("1")
	return image


class Servers:
	"""Small HTTP servers that answer everything alike, and note in one list who was asked for what."""

	def __init__(self, test):
		self.test = test
		self.log = []

	def start(self, answer):
		"""answer(handler, path) writes the response; returns "127.0.0.1:PORT"."""
		servers = self

		class Handler(http.server.BaseHTTPRequestHandler):
			def do_GET(self):
				if "/manifests/" in self.path or "/blobs/" in self.path:
					servers.log.append((self.server.server_port, self.path))
				answer(self, self.path)

			do_HEAD = do_GET

			def log_message(self, *_):
				pass

		server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
		server.daemon_threads = True
		threading.Thread(target=server.serve_forever, daemon=True).start()
		suite.cleanup(self.test, lambda: (server.shutdown(), server.server_close()))
		return f"127.0.0.1:{server.server_port}"


def respond(status, body, media_type="application/json"):
	def answer(handler, path):
		version = path.rstrip("/") == "/v2"
		handler.send_response(200 if version else status)
		handler.send_header("Content-Type", media_type)
		handler.send_header("Content-Length", str(2 if version else len(body)))
		handler.end_headers()
		handler.wfile.write(b"{}" if version else body)
	return answer


def cut(handler, path):
	"""Promises more than comes."""
	handler.send_response(200)
	handler.send_header("Content-Length", "1000")
	handler.end_headers()
	handler.wfile.write(b'{"schemaVersion":2')


class MirrorCase(unittest.TestCase):
	def setUp(self):
		self.home = suite.temporary(self, "home")
		self.store = command.Store(suite.temporary(self, "store"))

	def environment(self, **more):
		kept = {name: value for name, value in os.environ.items() if name != "CONTAINERS_REGISTRIES_CONF"}
		return {**kept, "HOME": self.home, **more}

	def conf(self, text, name="registries.conf"):
		path = os.path.join(self.home, name)
		os.makedirs(os.path.dirname(path), exist_ok=True)
		with open(path, "w") as file:
			file.write(text)
		return path

	def attempt(self, reference, conf="/dev/null", *options):
		return self.store.attempt_pull(reference, "--json", "--registries-conf", conf, *options, env=self.environment())

	def pull(self, reference, conf="/dev/null", *options):
		"""The image, and the warnings of its pull."""
		done = self.attempt(reference, conf, *options)
		self.assertEqual(done.returncode, 0, done.stderr)
		self.check_layers()
		return done

	def check_layers(self):
		folder = os.path.join(self.store.folder, "layers")
		for name in os.listdir(folder):
			command.run(["fsck.erofs", os.path.join(folder, name)])
		self.assertEqual(self.store.temporary_files(), [])

	def passed_over(self, done):
		return [line for line in done.stderr.splitlines() if "passed over a source" in line]

	def only_image(self):
		"""The name and the digest of the only image of the store."""
		listed = self.store.ask("images")
		self.assertEqual(len(listed), 1, listed)
		return listed[0]["reference"], listed[0]["digest"]


class RealRegistries(MirrorCase):
	"""Debian's docker-registry, as mirrors of docker.io and as the location of it."""

	@classmethod
	def setUpClass(cls):
		cls.image = make_layout(cls)
		cls.digest = images.manifest_digest(cls.image.folder, "1")
		cls.first, cls.second = Registry.start(cls), Registry.start(cls)
		source = f"oci:{cls.image.folder}:1"
		cls.first.push(source, "hub/library/small:1")
		cls.second.push(source, "library/small:1")

	def test_a_mirror_has_the_image(self):
		conf = self.conf(f'[[registry]]\nprefix = "docker.io"\nlocation = "127.0.0.1:1"\n'
			f'[[registry.mirror]]\nlocation = "{self.first.reference("hub")}"\n')
		done = self.pull("small:1", conf)
		self.assertEqual(self.passed_over(done), [])
		self.assertEqual(self.only_image(), (NAME, self.digest))

	def test_the_location_has_it_and_the_mirrors_have_not(self):
		conf = self.conf(f'[[registry]]\nprefix = "docker.io"\nlocation = "127.0.0.1:{self.second.port}"\n'
			f'[[registry.mirror]]\nlocation = "127.0.0.1:{free_port()}"\n'
			f'[[registry.mirror]]\nlocation = "{self.first.reference("other")}"\n')
		done = self.pull("small:1", conf)
		self.assertEqual(len(self.passed_over(done)), 2, done.stderr)
		self.assertEqual(self.only_image(), (NAME, self.digest))

	def test_by_digest(self):
		conf = self.conf(f'[[registry]]\nprefix = "docker.io"\nlocation = "127.0.0.1:1"\nmirror-by-digest-only = true\n'
			f'[[registry.mirror]]\nlocation = "{self.first.reference("hub")}"\n')
		self.pull(f"small@{self.digest}", conf)
		done = self.attempt("small:1", conf)
		self.assertEqual(done.returncode, 4, done.stderr)

	def test_of_the_command_line(self):
		self.pull("127.0.0.1:1/library/small:1", "/dev/null", "--mirror", "127.0.0.1:1", "--mirror", self.first.reference("hub"))
		self.assertEqual(self.only_image(), ("127.0.0.1:1/library/small:1", self.digest))

	def test_an_alias(self):
		conf = self.conf(f'[aliases]\nmini = "{self.second.reference("library/small")}"\n')
		done = self.pull("mini:1", conf)
		self.assertIn("'mini:1' is an alias of", done.stderr)
		self.assertEqual(self.only_image(), (self.second.reference("library/small:1"), self.digest))
		self.assertEqual(self.store.ask("inspect", self.second.reference("library/small:1"))["digest"], self.digest)

	def test_an_alias_that_changes_nothing_is_not_told(self):
		conf = self.conf('[aliases]\nsmall = "docker.io/library/small"\n')
		done = self.pull("small:1", conf, "--mirror", self.first.reference("hub"))
		self.assertNotIn("alias", done.stderr)

	def test_a_second_pull_asks_the_mirror_again(self):
		conf = self.conf(f'[[registry]]\nlocation = "docker.io"\n[[registry.mirror]]\nlocation = "{self.first.reference("hub")}"\n')
		self.pull("small:1", conf)
		done = self.pull("small:1", conf)
		self.assertIn('"reused": true', done.stdout)


class FailingMirrors(MirrorCase):
	"""One mirror that fails, and a good registry behind it."""

	def setUp(self):
		super().setUp()
		self.image = make_layout(self)
		self.digest = images.manifest_digest(self.image.folder, "1")
		self.origin = LayoutRegistry.start(self, self.image.folder)
		self.origin_host = self.origin.reference("1").split("/")[0]

	def pull_behind(self, mirror, reference="small:1", *options):
		conf = self.conf(f'[[registry]]\nprefix = "docker.io/library"\nlocation = "{self.origin_host}/test"\n'
			f'[[registry.mirror]]\nlocation = "{mirror}/m"\n')
		done = self.pull(reference, conf, *options)
		self.assertEqual(self.only_image()[1], self.digest)
		return done

	def test_answers(self):
		"""Whatever it says instead of a manifest."""
		answers = {
			"HTTP 404": respond(404, b'{"errors":[{"code":"MANIFEST_UNKNOWN"}]}'),
			"HTTP 401": respond(401, b"{}"),
			"HTTP 403": respond(403, b"{}"),
			"HTTP 500": respond(500, b"{}"),
			"not JSON": respond(200, b"<html>", "text/html"),
			"neither a manifest nor an index": respond(200, b"{}"),
			"127.0.0.1": cut,
		}
		for says, answer in answers.items():
			with self.subTest(says):
				shutil.rmtree(self.store.folder, ignore_errors=True)
				done = self.pull_behind(Servers(self).start(answer))
				[warning] = self.passed_over(done)
				self.assertIn(says, warning)

	def test_one_that_stalls(self):
		"""It takes the question and says nothing: the time limit ends the wait, and it is asked last."""
		silent = threading.Event()
		suite.cleanup(self, silent.set)
		servers = Servers(self)
		mirror = servers.start(lambda handler, path: silent.wait())
		done = self.pull_behind(mirror, "small:1", "--idle-timeout", "1", "--retry-times", "0")
		[warning] = self.passed_over(done)
		self.assertIn("no byte came for 1 second", warning)
		self.assertEqual([path for _, path in servers.log if "/blobs/" in path], [])

	def test_a_layer_that_stalls(self):
		"""Half of it comes, then nothing; the origin has it."""
		silent = threading.Event()
		suite.cleanup(self, silent.set)

		def change(mirror, digests):
			mirror.stop_at[digests[1]] = 1000
			mirror.at_stop = silent.wait
		_, done = self.mirror_of_a_copy(change, "--idle-timeout", "1", "--retry-times", "0")
		[warning] = self.passed_over(done)
		self.assertIn("no byte came for 1 second", warning)

	def test_another_digest(self):
		other = make_layout(self, b"other")
		with open(other.blob_path(images.manifest_digest(other.folder, "1")), "rb") as file:
			manifest = file.read()
		done = self.pull_behind(Servers(self).start(respond(200, manifest)), f"small@{self.digest}")
		self.assertIn("digest", self.passed_over(done)[0])

	def mirror_of_a_copy(self, change, *options):
		"""A registry with the same image, whose blobs change() may break."""
		folder = os.path.join(suite.temporary(self, "copy"), "layout")
		shutil.copytree(self.image.folder, folder)
		mirror = LayoutRegistry.start(self, folder)
		change(mirror, [layer["digest"] for layer in images.manifest(folder, "1")["layers"]])
		done = self.pull_behind(mirror.reference("1").split("/")[0], "small:1", *options)
		return mirror, done

	def test_layers_of_wrong_bytes(self):
		"""Whole and of the right size, but a byte in the middle differs: the decompressor or the digest
		says so, and the layer comes from the origin, the others do not."""
		for at in (0.1, 0.5, 0.99):
			with self.subTest(at):
				shutil.rmtree(self.store.folder, ignore_errors=True)

				def change(mirror, digests):
					with open(images.blob(mirror.layout, digests[1]), "r+b") as file:
						size = os.path.getsize(file.name)
						file.seek(int(size * at))
						byte = file.read(1)[0]
						file.seek(int(size * at))
						file.write(bytes([byte ^ 0x40]))
				self.origin.requests.clear()
				mirror, done = self.mirror_of_a_copy(change)
				self.assertEqual(len(self.passed_over(done)), 1, done.stderr)
				self.assertEqual(len(self.origin.blob_requests()), 1)
				self.assertEqual(len(mirror.blob_requests()), 3)

	def test_a_layer_that_is_longer(self):
		def change(mirror, digests):
			with open(images.blob(mirror.layout, digests[0]), "ab") as file:
				file.write(b"more")
		_, done = self.mirror_of_a_copy(change)
		self.assertEqual(len(self.passed_over(done)), 1, done.stderr)

	def test_a_layer_that_is_missing(self):
		_, done = self.mirror_of_a_copy(lambda mirror, digests: os.remove(images.blob(mirror.layout, digests[0])))
		[warning] = self.passed_over(done)
		self.assertIn("404", warning)

	def test_a_config_of_wrong_bytes(self):
		def change(mirror, _):
			path = images.blob(mirror.layout, images.manifest(mirror.layout, "1")["config"]["digest"])
			with open(path, "rb") as file:
				text = file.read()
			with open(path, "wb") as file:
				file.write(text.replace(b"linux", b"linus"))
		_, done = self.mirror_of_a_copy(change)
		self.assertIn("digest", self.passed_over(done)[0])

	def test_a_layer_that_breaks_off(self):
		"""Every connection for it ends after 50 bytes: the mirror is asked last from then on."""
		mirror, done = self.mirror_of_a_copy(lambda mirror, digests: mirror.cut.update({digests[0]: 50}), "--jobs", "1")
		self.assertEqual(len(self.passed_over(done)), 1, done.stderr)
		second = images.manifest(self.image.folder, "1")["layers"][1]["digest"]
		self.assertEqual([path for path in mirror.blob_requests() if second in path], [])

	def test_a_layer_that_is_wrong_everywhere(self):
		"""Its blob is as promised, its content is not: no other source is asked."""
		image = oci_layout.Image(suite.temporary(self, "layout"))
		image.add_layer(b"no tar at all" * 100)
		image.commit("1")
		origin, mirror = LayoutRegistry.start(self, image.folder), LayoutRegistry.start(self, image.folder)
		done = self.attempt(origin.reference("1"), "/dev/null", "--mirror", mirror.reference("1").split("/")[0])
		self.assertEqual(done.returncode, 6, done.stderr)
		self.assertEqual(origin.blob_requests(), [])
		self.assertEqual(len(mirror.blob_requests()), 2)

	def test_all_fail(self):
		"""One line names the cause of each."""
		first = Servers(self).start(respond(404, b"{}"))
		second = Servers(self).start(respond(200, b"<html>"))
		conf = self.conf(f'[[registry]]\nprefix = "docker.io"\nlocation = "{first}/a"\n'
			f'[[registry.mirror]]\nlocation = "{second}/b"\n[[registry.mirror]]\nlocation = "127.0.0.1:1"\n')
		done = self.attempt("small:1", conf)
		self.assertEqual(done.returncode, 3, done.stderr)
		[line] = [line for line in done.stderr.splitlines() if line.startswith(f"mkrootfs: image {NAME}: ")]
		for part in (f"{first}/a/library/small", "404", f"{second}/b/library/small", "not JSON", "127.0.0.1:1/library/small"):
			self.assertIn(part, line)


class Configuration(MirrorCase):
	"""Which files are read."""

	def setUp(self):
		super().setUp()
		self.servers = Servers(self)
		self.a, self.b = (self.servers.start(respond(404, b"{}")) for _ in range(2))

	def asked(self, reference="docker.io/library/x:1", *options, **environment):
		"""The servers that are asked for the manifest; "" for one that does not exist here."""
		self.servers.log.clear()
		done = self.store.attempt_pull(reference, "--json", *options, env=self.environment(**environment))
		names = {int(self.a.split(":")[1]): "a", int(self.b.split(":")[1]): "b"}
		return "".join(names[port] for port, _ in self.servers.log), done

	def location(self, where):
		return f'[[registry]]\nprefix = "docker.io"\nlocation = "{where}"\n'

	def test_of_the_user(self):
		self.conf(self.location(self.a), ".config/containers/registries.conf")
		self.assertEqual(self.asked()[0], "a")

	def test_drop_ins_override_in_their_order(self):
		self.conf(self.location("127.0.0.1:1"), ".config/containers/registries.conf")
		self.conf(self.location("127.0.0.1:2"), ".config/containers/registries.conf.d/10.conf")
		self.conf(self.location(self.b), ".config/containers/registries.conf.d/20.conf")
		self.conf("= no TOML", ".config/containers/registries.conf.d/30.conf.bak")
		os.mkdir(os.path.join(self.home, ".config/containers/registries.conf.d/40.conf"))
		self.assertEqual(self.asked()[0], "b")

	def test_of_the_environment_alone(self):
		self.conf(self.location(self.a), ".config/containers/registries.conf")
		self.conf(self.location(self.a), ".config/containers/registries.conf.d/10.conf")
		alone = self.conf(self.location(self.b), "alone.conf")
		self.assertEqual(self.asked(CONTAINERS_REGISTRIES_CONF=alone)[0], "b")

	def test_of_the_command_line_alone(self):
		alone, none = self.conf(self.location(self.a), "a.conf"), self.conf(self.location(self.b), "b.conf")
		self.assertEqual(self.asked("x:1", "--registries-conf", alone, CONTAINERS_REGISTRIES_CONF=none)[0], "a")
		self.assertEqual(self.asked("x:1", "--registries-conf", alone, "--registries-conf", none)[0], "b")

	def test_a_folder(self):
		self.conf(self.location(self.a), "folder/a.conf")
		self.conf("[[registry]]\n", "folder/README")
		self.assertEqual(self.asked("x:1", "--registries-conf", os.path.join(self.home, "folder"))[0], "a")

	def test_errors_name_the_file(self):
		cases = {
			"a = 1\nb = \n": (6, "line 2, column 5: a value is missing"),
			'[registries.search]\nregistries = ["a.io"]\n': (8, "version 1"),
			'[[registry]]\nlocation = "docker.io"\nblocked = true\n': (5, "is blocked by"),
			"# \x7f": (6, "control character"),
		}
		for text, (code, says) in cases.items():
			with self.subTest(text):
				path = self.conf(text, "bad.conf")
				_, done = self.asked("x:1", "--registries-conf", path, "--mirror", self.a)
				self.assertEqual(done.returncode, code, done.stderr)
				self.assertIn(f"'{path}'", done.stderr)
				self.assertIn(says, done.stderr)
				self.assertEqual(self.servers.log, [])

	def test_a_missing_file(self):
		_, done = self.asked("x:1", CONTAINERS_REGISTRIES_CONF="/nonexistent/file")
		self.assertEqual(done.returncode, 2, done.stderr)
		self.assertIn("'/nonexistent/file'", done.stderr)

	def test_places_on_disk_need_none(self):
		image = make_layout(self)
		self.store.pull(f"oci:{image.folder}:1", "--registries-conf", "/nonexistent/file")


class Certificates(MirrorCase):
	"""A registry with a certificate of its own, found under certs.d by the host that is asked."""

	def setUp(self):
		super().setUp()
		folder = suite.temporary(self, "tls")
		self.certificate = os.path.join(folder, "cert.pem")
		command.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test",
			"-addext", "subjectAltName=IP:127.0.0.1", "-keyout", os.path.join(folder, "key.pem"), "-out", self.certificate])
		context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
		context.load_cert_chain(self.certificate, os.path.join(folder, "key.pem"))
		self.server = LayoutRegistry.start(self, make_layout(self).folder)
		self.server.server.socket = context.wrap_socket(self.server.server.socket, server_side=True)
		self.host = self.server.reference("1").split("/")[0]

	def test_of_a_mirror(self):
		conf = self.conf(f'[[registry]]\nprefix = "docker.io/library"\nlocation = "127.0.0.1:1"\n'
			f'[[registry.mirror]]\nlocation = "{self.host}/test"\n')
		self.assertNotEqual(self.attempt("image:1", conf).returncode, 0)
		folder = os.path.join(self.home, ".config/containers/certs.d", self.host)
		os.makedirs(folder)
		shutil.copy(self.certificate, os.path.join(folder, "ca.crt"))
		self.assertEqual(self.passed_over(self.pull("image:1", conf)), [])

	def test_insecure(self):
		conf = self.conf(f'[[registry]]\nlocation = "{self.host}"\ninsecure = true\n')
		self.assertNotEqual(self.attempt(self.server.reference("1")).returncode, 0)
		self.pull(self.server.reference("1"), conf)


# {1} to {5} are registries that have nothing; all is insecure, since they speak plain HTTP.
TABLE = [
	('[[registry]]\nlocation = "{1}"\n', "{1}/a/b:t"),
	('[[registry]]\nprefix = "docker.io"\nlocation = "{1}"\n', "busybox"),
	('[[registry]]\nprefix = "docker.io"\nlocation = "{1}/hub/"\n', "busybox:t"),
	('[[registry]]\nprefix = "docker.io/library"\nlocation = "{1}/x"\n', "busybox"),
	('[[registry]]\nprefix = "docker.io/library/busybox"\nlocation = "{1}/x"\n', "busybox"),
	('[[registry]]\nprefix = "docker.io/busybox"\nlocation = "{1}"\n[[registry]]\nprefix = "docker.io"\nlocation = "{2}"\n', "busybox"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}/m"\n[[registry.mirror]]\nlocation = "{3}"\n', "a.test/b/c:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}"\npull-from-mirror = "digest-only"\n'
		'[[registry.mirror]]\nlocation = "{3}"\npull-from-mirror = "tag-only"\n[[registry.mirror]]\nlocation = "{4}"\npull-from-mirror = "all"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}"\npull-from-mirror = "digest-only"\n'
		'[[registry.mirror]]\nlocation = "{3}"\npull-from-mirror = "tag-only"\n', "a.test/b@" + NO_DIGEST),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\nmirror-by-digest-only = true\n[[registry.mirror]]\nlocation = "{2}"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\nmirror-by-digest-only = true\n[[registry.mirror]]\nlocation = "{2}"\n', "a.test/b@" + NO_DIGEST),
	('[[registry]]\nprefix = "*.a.test"\nlocation = "{1}/w"\n', "x.y.a.test/b:t"),
	('[[registry]]\nprefix = "*.a.test"\nlocation = "{1}"\n[[registry]]\nprefix = "*.y.a.test"\nlocation = "{2}"\n', "x.y.a.test/b:t"),
	('[[registry]]\nprefix = "*.a.test"\nlocation = "{1}"\n[[registry]]\nprefix = "x.a.test/b"\nlocation = "{2}"\n', "x.a.test/b/c:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry]]\nprefix = "a.test/b"\nlocation = "{2}"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry]]\nprefix = "a.test/b"\nlocation = "{2}"\n', "a.test/bc:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry]]\nprefix = "a.test"\nlocation = "{2}"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test:5000"\nlocation = "{1}"\n[[registry]]\nprefix = "a.test"\nlocation = "{2}"\n', "a.test:5000/b:t"),
	# Blocked as a mirror, or as the location.
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}"\n[[registry]]\nlocation = "{2}"\nblocked = true\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}"\n[[registry]]\nlocation = "{1}/b"\nblocked = true\n', "a.test/b:t"),
	('[[registry]]\nlocation = "{1}"\nblocked = true\n', "{1}/b:t"),
	# What both refuse.
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "x"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "https://{1}"\n', "a.test/b:t"),
	('[[registry]]\nprefix = "*.a.test/b"\nlocation = "{1}"\n', "{1}/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\nblocked = 1\n', "{1}/b:t"),
	('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\n[[registry.mirror]]\nlocation = "{2}"\npull-from-mirror = "no"\n', "{1}/b:t"),
]


class AsSkopeoDoes(MirrorCase):
	def setUp(self):
		super().setUp()
		self.servers = Servers(self)
		self.hosts = [""] + [self.servers.start(respond(404, b'{"errors":[{"code":"MANIFEST_UNKNOWN"}]}')) for _ in range(5)]

	def manifests(self):
		"""Who was asked for which manifest, each once: a question may be repeated."""
		found = dict.fromkeys((port, path) for port, path in self.servers.log if "/manifests/" in path)
		self.servers.log.clear()
		return list(found)

	def test_table(self):
		asked = 0
		for number, (text, reference) in enumerate(TABLE):
			# Insecure is no prefix's secret: each table and mirror says it.
			text = re.sub(r'(location = "\{\d\}[^"]*"\n)', r"\1insecure = true\n", text)
			conf, name = self.conf(text.format(*self.hosts), f"{number}.conf"), reference.format(*self.hosts)
			with self.subTest(number=number, reference=reference):
				theirs_done = command.attempt(["skopeo", "--registries-conf", conf, "inspect", "--raw", f"docker://{name}"], env=self.environment())
				theirs = self.manifests()
				ours_done = self.attempt(name, conf)
				self.assertEqual(self.manifests(), theirs, f"{ours_done.stderr}\n{theirs_done.stderr}")
				self.assertNotEqual(ours_done.returncode, 0)
				self.assertNotEqual(theirs_done.returncode, 0)
				asked += len(theirs)
		self.assertGreater(asked, 20)

	def test_blocked_names_stay_blocked_when_they_lead_elsewhere(self):
		"""The manual page says that pulling matching names is forbidden; skopeo looks at the location."""
		conf = self.conf('[[registry]]\nprefix = "a.test"\nlocation = "{1}"\nblocked = true\n'.format(*self.hosts))
		self.assertEqual(self.attempt("a.test/b:t", conf).returncode, 5)
		self.assertEqual(self.manifests(), [])


if __name__ == "__main__":
	suite.main(needs=NEEDS)
