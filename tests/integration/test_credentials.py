#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Users of registries: what login writes skopeo and buildah read, and the other way round."""

import base64
import json
import os
import pty
import select
import signal
import stat
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, oci_layout, suite, tls  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402
from support.registry import Registry  # noqa: E402

NEEDS = ["docker-registry", "htpasswd", "skopeo", "podman", "buildah", "openssl"]
PASSWORD = "pa:ss \"w\\rd-0123456789"
WRONG = "wr0ng-w0rd-9876543210"
WAIT = 120  # seconds

# Keeps what it is told in a file of its own; knows the protocol, nothing else.
VAULT = """#!/bin/sh
file="$VAULT_FILE"
case $1 in
store) cat > "$file" ;;
get) read server
     grep -q "\\"ServerURL\\": *\\"$server\\"" "$file" 2>/dev/null && exec cat "$file"
     echo "credentials not found in native keychain"; exit 1 ;;
erase) rm "$file" ;;
esac
"""


def pair(user, password):
	return base64.b64encode(f"{user}:{password}".encode()).decode()


class CredentialsCase(unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		cls.registry = Registry.start(cls, users={"bob": PASSWORD})
		cls.layout = os.path.join(suite.temporary(cls, "layout"), "layout")
		image = oci_layout.Image(cls.layout)
		image.add_layer(oci_layout.tar([("etc/", None), ("etc/x", b"text")]))
		image.commit("1")
		cls.reference = cls.registry.push(f"oci:{cls.layout}:1", "owner/small:1", "--dest-creds", f"bob:{PASSWORD}")
		cls.host = f"127.0.0.1:{cls.registry.port}"

	def setUp(self):
		self.home = suite.temporary(self, "home")
		self.environment = {"PATH": os.environ["PATH"], "HOME": self.home, "XDG_RUNTIME_DIR": self.path("run"), "LC_ALL": "C.UTF-8"}
		os.mkdir(self.path("run"), 0o700)
		self.primary = self.path("run/containers/auth.json")

	def path(self, name):
		return os.path.join(self.home, name)

	def write(self, name, content):
		os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
		with open(self.path(name), "w") as file:
			file.write(content if isinstance(content, str) else json.dumps(content))
		return self.path(name)

	def read(self, path):
		with open(path) as file:
			return json.load(file)

	def run_command(self, *arguments, code=0, **options):
		"""Runs our command in the environment of this test; no secret may be in what it says."""
		done = command.mkrootfs(*arguments, env=self.environment, **options)
		self.assertEqual(done.returncode, code, done.stderr)
		for secret in (PASSWORD, WRONG, pair("bob", PASSWORD), pair("bob", WRONG)):
			self.assertNotIn(secret, done.stdout + done.stderr)
		return done

	def pull(self, *options, **more):
		return self.run_command("pull", "--quiet", "--store", suite.temporary(self, "store"), *options, self.reference, **more)

	def login(self, *options, password=PASSWORD, **more):
		return self.run_command("login", "--username", "bob", "--password-stdin", *options, stdin=None, input=password + "\n", **more)

	def other(self, *arguments, **options):
		"""Runs another tool in the same environment; it may fail."""
		return command.attempt(arguments, env=self.environment, **options)


class OnTheCommandLine(CredentialsCase):
	def test_nobody_is_denied(self):
		done = self.pull(code=5)
		self.assertIn("no credentials are known for it", done.stderr)
		self.assertIn(f"hint: 'mkrootfs login {self.host}'", done.stderr)

	def test_creds(self):
		self.pull("--creds", f"bob:{PASSWORD}")
		done = self.pull("--creds", f"bob:{WRONG}", code=5)
		self.assertIn("asked as user 'bob'", done.stderr)

	def test_password_of_standard_input(self):
		for text in (PASSWORD, PASSWORD + "\n", PASSWORD + "\r\n"):
			self.pull("--username", "bob", "--password-stdin", stdin=None, input=text)
		self.pull("--username", "bob", "--password-stdin", stdin=None, input=PASSWORD + "\n\n", code=5)
		self.pull("--username", "bob", "--password-stdin", stdin=None, input="\n", code=2)

	def test_a_password_among_the_arguments_is_warned_of(self):
		self.assertIn("warning", self.pull("--username", "bob", "--password", PASSWORD).stderr)

	def test_what_makes_no_sense_is_refused(self):
		for options in (["--creds", "bob"], ["--creds", ":x"], ["--username", "bob"], ["--password", "x"], ["--password-stdin"],
				["--creds", "a:b", "--username", "c"], ["--username", "a", "--password", "x", "--password-stdin"],
				["--username", "a:b", "--password", "x"], ["--authfile", self.path("missing")]):
			with self.subTest(options):
				self.pull(*options, code=2)


class Files(CredentialsCase):
	def entry(self, password=PASSWORD):
		return {self.host: {"auth": pair("bob", password)}}

	def test_each_place_is_read(self):
		for name, content in (
			("run/containers/auth.json", {"auths": self.entry()}),
			(".config/containers/auth.json", {"auths": self.entry()}),
			(".docker/config.json", {"auths": {f"https://{self.host}/v1/": {"auth": pair("bob", PASSWORD)}}}),
			(".dockercfg", self.entry()),
		):
			with self.subTest(name):
				path = self.write(name, content)
				os.chmod(path, 0o644)
				self.pull()
				os.remove(path)
				self.pull(code=5)

	def test_variables_move_them(self):
		for variable, name, value in (
			("XDG_CONFIG_HOME", "config/containers/auth.json", "config"),
			("DOCKER_CONFIG", "docker/config.json", "docker"),
			("REGISTRY_AUTH_FILE", "a file", "a file"),
		):
			with self.subTest(variable):
				self.write(name, {"auths": self.entry()})
				self.environment[variable] = self.path(value)
				self.pull()
				del self.environment[variable]
				self.pull(code=5)

	def test_one_that_is_named_stands_alone(self):
		self.write("run/containers/auth.json", {"auths": self.entry()})
		empty = self.write("empty", "")
		self.pull("--authfile", empty, code=5)
		self.environment["REGISTRY_AUTH_FILE"] = empty
		self.pull(code=5)
		self.pull("--authfile", self.primary)
		self.environment["REGISTRY_AUTH_FILE"] = self.path("missing")
		self.pull(code=5)

	def test_the_first_that_knows_counts(self):
		self.write("run/containers/auth.json", {"auths": {"other.example": {"auth": pair("x", "y")}}})
		self.write(".config/containers/auth.json", {"auths": self.entry(WRONG)})
		self.write(".docker/config.json", {"auths": self.entry()})
		done = self.pull(code=5)
		self.assertIn(f"asked as user 'bob' of '{self.path('.config/containers/auth.json')}'", done.stderr)

	def test_the_closest_entry_counts(self):
		self.write("run/containers/auth.json", {"auths": {**self.entry(WRONG), f"{self.host}/owner": {"auth": pair("bob", PASSWORD)},
			f"{self.host}/owner/small/x": {"auth": pair("bob", WRONG)}}})
		self.pull()

	def test_a_broken_one_is_named_with_the_place(self):
		path = self.write(".docker/config.json", '{\n\t"auths": {"h": {"auth": "' + pair("bob", PASSWORD) + '\n')
		done = self.pull(code=6)
		self.assertIn(path, done.stderr)
		self.assertIn("line 2, column", done.stderr)

	def test_what_skopeo_wrote(self):
		done = self.other("skopeo", "login", "--tls-verify=false", "-u", "bob", "--password-stdin", self.host, stdin=None, input=PASSWORD)
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertTrue(os.path.exists(self.primary))
		self.pull()
		self.assertEqual(self.run_command("login", "--get-login", self.host).stdout, "bob\n")
		self.run_command("logout", self.host)
		self.assertNotEqual(self.other("skopeo", "login", "--get-login", self.host).returncode, 0)


class Login(CredentialsCase):
	def test_others_read_what_it_wrote(self):
		done = self.login(self.host)
		self.assertIn(self.host, done.stdout)
		self.assertEqual(stat.S_IMODE(os.stat(self.primary).st_mode), 0o600)
		self.assertEqual(stat.S_IMODE(os.stat(os.path.dirname(self.primary)).st_mode), 0o700)
		self.pull()
		for tool in ("skopeo", "buildah", "podman"):
			self.assertEqual(self.other(tool, "login", "--get-login", self.host).stdout.strip(), "bob", tool)
		done = self.other("skopeo", "inspect", "--tls-verify=false", "--authfile", self.primary, f"docker://{self.reference}")
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_the_place_follows_the_environment(self):
		for variable, value, path in (
			(None, None, "run/containers/auth.json"),
			("XDG_RUNTIME_DIR", None, ".config/containers/auth.json"),
			("XDG_CONFIG_HOME", self.path("cfg"), "cfg/containers/auth.json"),
			("REGISTRY_AUTH_FILE", self.path("new/folder/file"), "new/folder/file"),
		):
			with self.subTest(variable):
				if value:
					self.environment[variable] = value
				elif variable:
					del self.environment[variable]
				self.login(self.host)
				self.assertEqual(list(self.read(self.path(path))["auths"]), [self.host])
				self.pull()

	def test_all_else_in_the_file_stays(self):
		before = {"zeta": 1.5, "auths": {"z.example": {"auth": pair("z", "z"), "email": "é"}, f"http://{self.host}/v2/": {"auth": "x"},
			"a.example": {}}, "credHelpers": {"c.example": "none"}, "HttpHeaders": {"X": None}, "big": 12345678901234567}
		path = self.write("kept", before)
		os.chmod(path, 0o644)
		os.symlink(path, self.path("link"))
		self.login("--authfile", self.path("link"), self.host)
		after = self.read(path)
		before["auths"][f"http://{self.host}/v2/"] = {"auth": pair("bob", PASSWORD)}
		self.assertEqual(json.dumps(after), json.dumps(before))
		self.assertTrue(os.path.islink(self.path("link")))
		self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
		self.assertEqual(sorted(os.listdir(self.home)), ["kept", "link", "run"])
		self.run_command("logout", "--authfile", path, self.host)
		del before["auths"][f"http://{self.host}/v2/"]
		self.assertEqual(json.dumps(self.read(path)), json.dumps(before))

	def test_a_wrong_password_is_not_kept(self):
		self.login(self.host)
		with open(self.primary, "rb") as file:
			before = file.read()
		done = self.login(self.host, password=WRONG, code=5)
		self.assertIn("asked as user 'bob'", done.stderr)
		with open(self.primary, "rb") as file:
			self.assertEqual(file.read(), before)

	def test_a_file_that_cannot_be_kept_is_told_before_the_password_goes(self):
		"""The registry there notes whether anybody came."""
		layout = LayoutRegistry.start(self, self.layout)
		host = layout.reference("1").split("/")[0]
		broken = self.write("broken", "{")
		for path, code in ((broken, 6), (self.home, 6), ("/dev/null/x/auth.json", 1), ("/proc/x/auth.json", 3)):
			done = self.login("--authfile", path, host, code=code)
			self.assertEqual(done.stderr.count("auth file"), 1, done.stderr)
		self.assertEqual(layout.requests, [])

	def test_a_part_of_a_registry(self):
		self.login(f"{self.host}/owner")
		self.assertEqual(list(self.read(self.primary)["auths"]), [f"{self.host}/owner"])
		self.pull()
		done = self.other("skopeo", "inspect", "--tls-verify=false", f"docker://{self.reference}")
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_one_that_lets_everybody_in(self):
		open_registry = Registry.start(self)
		done = self.login(f"127.0.0.1:{open_registry.port}")
		self.assertIn("lets everybody in", done.stderr)

	def test_what_is_no_registry(self):
		for name in ("foo", "ghcr.io/Owner", "https://", "a b.example", "oci:x", "docker://foo", "foo/a.b"):
			with self.subTest(name):
				self.assertIn("is no registry", self.login(name, code=2).stderr)
		self.run_command("login", self.host, code=2)
		self.run_command("login", "--username", "bob", self.host, code=2)

	def test_several_at_once_lose_nothing(self):
		files = [subprocess.Popen([suite.command_path(), "login", "-u", "bob", "-p", PASSWORD, f"{self.host}/n{i}"],
			env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for i in range(8)]
		self.assertEqual([process.wait(WAIT) for process in files], [0] * 8)
		self.assertEqual(sorted(self.read(self.primary)["auths"]), [f"{self.host}/n{i}" for i in range(8)])


class Logout(CredentialsCase):
	def test_others_see_that_it_is_gone(self):
		self.login(self.host)
		self.run_command("logout", self.host)
		self.assertEqual(self.read(self.primary), {"auths": {}})
		self.assertNotEqual(self.other("skopeo", "login", "--get-login", self.host).returncode, 0)
		self.pull(code=5)
		self.assertIn(self.primary, self.run_command("logout", self.host, code=3).stderr)

	def test_all(self):
		self.login(self.host)
		self.login(f"{self.host}/owner")
		self.run_command("logout", "--all")
		self.assertEqual(self.read(self.primary), {"auths": {}})
		self.run_command("logout", "--all", code=3)
		self.run_command("logout", "--all", self.host, code=2)
		self.run_command("logout", code=2)

	def test_where_nothing_ever_was(self):
		self.run_command("logout", self.host, code=3)
		self.run_command("login", "--get-login", self.host, code=3)
		self.assertFalse(os.path.exists(os.path.dirname(self.primary)))


class Helpers(CredentialsCase):
	def setUp(self):
		super().setUp()
		os.mkdir(self.path("bin"))
		self.environment["PATH"] = self.path("bin") + ":" + self.environment["PATH"]
		self.environment["VAULT_FILE"] = self.path("vault")
		self.helper("vault", VAULT)

	def helper(self, name, script):
		path = self.write(f"bin/docker-credential-{name}", script)
		os.chmod(path, 0o755)

	def test_keep_what_login_stores(self):
		for config in ({"credHelpers": {self.host: "vault"}}, {"credsStore": "vault"}):
			with self.subTest(config):
				self.write("run/containers/auth.json", config)
				self.login(self.host)
				self.assertEqual(self.read(self.primary), {**config, "auths": {self.host: {}}})
				self.assertEqual(self.read(self.path("vault")), {"ServerURL": self.host, "Username": "bob", "Secret": PASSWORD})
				self.pull()
				self.assertEqual(self.run_command("login", "--get-login", self.host).stdout, "bob\n")
				self.run_command("logout", self.host)
				self.assertFalse(os.path.exists(self.path("vault")))
				self.pull(code=5)

	def test_logout_of_all(self):
		self.write("run/containers/auth.json", {"credsStore": "vault"})
		self.login(self.host)
		self.run_command("logout", "--all")
		self.assertFalse(os.path.exists(self.path("vault")))

	def test_skopeo_finds_what_was_stored(self):
		self.write("run/containers/auth.json", {"credHelpers": {self.host: "vault"}})
		self.login(self.host)
		done = self.other("skopeo", "inspect", "--tls-verify=false", f"docker://{self.reference}")
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_a_failure_says_why(self):
		self.helper("locked", "#!/bin/sh\necho 'the keyring is locked' >&2\nexit 1\n")
		self.write("run/containers/auth.json", {"credHelpers": {self.host: "locked"}})
		done = self.pull(code=5)
		self.assertIn("credential helper locked", done.stderr)
		self.assertIn("the keyring is locked", done.stderr)

	def test_one_for_all_that_is_not_installed(self):
		self.write(".docker/config.json", {"credsStore": "absent"})
		done = self.pull(code=5)
		self.assertIn("docker-credential-absent", done.stderr)
		self.assertIn(self.path(".docker/config.json"), done.stderr)


class Https(CredentialsCase):
	"""A registry with a certificate of a private authority, by which users are let in too."""

	def setUp(self):
		super().setUp()
		self.authority = tls.Authority(suite.temporary(self, "authority"))
		certificate, key = self.authority.issue("server", "IP:127.0.0.1")
		secure = Registry.start(self, os.path.join(self.registry.folder, "data"), {"certificate": certificate, "key": key},
			{"bob": PASSWORD})
		self.host = f"127.0.0.1:{secure.port}"
		self.reference = secure.reference("owner/small:1")

	def test_login_and_pull(self):
		done = self.login(self.host, code=10)
		self.assertIn("--ca-cert", done.stderr)
		self.assertFalse(os.path.exists(self.primary))
		self.login("--ca-cert", self.authority.file, self.host, password=WRONG, code=5)
		self.assertFalse(os.path.exists(self.primary))
		self.login("--ca-cert", self.authority.file, self.host)
		self.pull(code=10)
		self.pull("--ca-cert", self.authority.file)
		self.run_command("logout", self.host)
		self.pull("--ca-cert", self.authority.file, code=5)

	def test_the_authority_of_certs_d(self):
		with open(self.authority.file) as file:
			self.write(f".config/containers/certs.d/{self.host}/ca.crt", file.read())
		self.login(self.host)
		self.pull()

	def test_what_buildah_wrote(self):
		folder = os.path.dirname(self.write("certs/ca.crt", open(self.authority.file).read()))
		done = self.other("buildah", "login", "--cert-dir", folder, "-u", "bob", "--password-stdin", self.host, stdin=None, input=PASSWORD)
		self.assertEqual(done.returncode, 0, done.stderr)
		self.pull("--cert-dir", folder)


def ask(handler, challenge='Basic realm="here"'):
	handler.send_response(401)
	handler.send_header("WWW-Authenticate", challenge)
	handler.send_header("Content-Length", "0")
	handler.end_headers()
	return True


class Others(CredentialsCase):
	"""Nobody but the registry that was asked for sees who the user is."""

	def watch(self, instead=None):
		"""A registry with the image, and the list of what authorizes each request to it; instead(handler) may
		answer in its place, and is true then."""
		seen = []
		registry = LayoutRegistry.start(self, self.layout)

		class Handler(registry.server.RequestHandlerClass):
			def do_GET(self):
				seen.append(self.headers.get("Authorization"))
				if not (instead and instead(self)):
					super().do_GET()

			do_HEAD = do_GET

		registry.server.RequestHandlerClass = Handler
		return f"127.0.0.1:{registry.server.server_port}", seen

	def assert_nothing(self, seen):
		self.assertEqual(set(seen), {None})

	def test_a_mirror_that_asks_nobody(self):
		mirror, seen = self.watch()
		done = self.pull("--creds", f"bob:{PASSWORD}", "--mirror", mirror)
		self.assertNotIn("passed over", done.stderr)
		self.assert_nothing(seen)

	def test_a_mirror_that_asks(self):
		for challenge in ('Basic realm="here"', 'Bearer realm="http://{}/token",service="s"'):
			with self.subTest(challenge):
				mirror, seen = self.watch(lambda handler: ask(handler, challenge.format(handler.headers["Host"])))
				self.pull("--creds", f"bob:{PASSWORD}", "--mirror", mirror)
				self.assert_nothing(seen)

	def test_a_mirror_has_its_own_of_a_file(self):
		mirror, seen = self.watch(lambda handler: "Authorization" not in handler.headers and ask(handler))
		self.write("run/containers/auth.json", {"auths": {mirror: {"auth": pair("mia", "mirror")}}})
		self.pull("--mirror", mirror)
		self.assertEqual(set(seen) - {None}, {"Basic " + pair("mia", "mirror")})

	def moved_to(self, storage):
		"""A registry that knows bob, and sends everybody else away; its blobs are at the storage."""
		def instead(handler):
			if handler.headers.get("Authorization") != "Basic " + pair("bob", PASSWORD):
				return ask(handler)
			if "/blobs/" not in handler.path:
				return False
			handler.send_response(307)
			handler.send_header("Location", f"http://{storage}{handler.path}")
			handler.send_header("Content-Length", "0")
			handler.end_headers()
			return True
		registry, seen = self.watch(instead)
		self.reference = f"{registry}/owner/small:1"
		return seen

	def test_token_servers_that_are_not_allowed(self):
		def hand_out(handler):
			handler.send_response(200)
			handler.send_header("Content-Length", "13")
			handler.end_headers()
			handler.wfile.write(b'{"token":"t"}')
			return True

		server, seen = self.watch(hand_out)
		realm = f"http://localhost:{server.split(':')[1]}/token"
		registry, _ = self.watch(lambda handler: handler.headers.get("Authorization") != "Bearer t" and
			ask(handler, f'Bearer realm="{realm}",service="s"'))
		self.reference = f"{registry}/owner/small:1"
		done = self.pull("--creds", f"bob:{PASSWORD}", "--token-host", "tokens.example", "--token-host", "127.0.0.2", code=5)
		self.assertIn(realm, done.stderr)
		self.assertRegex(done.stderr, "hint: .*--token-host")
		self.assertEqual(seen, [])
		self.pull("--creds", f"bob:{PASSWORD}", "--token-host", "tokens.example", "--token-host", "LOCALHOST")
		self.assertEqual(set(seen), {"Basic " + pair("bob", PASSWORD)})

	def test_where_a_redirect_leads(self):
		storage, seen = self.watch()
		front = self.moved_to(storage)
		self.pull("--creds", f"bob:{PASSWORD}")
		self.assert_nothing(seen)
		self.assertIn("Basic " + pair("bob", PASSWORD), front)

	def test_where_a_redirect_leads_and_who_asks_there(self):
		storage, seen = self.watch(ask)
		self.moved_to(storage)
		self.pull("--creds", f"bob:{PASSWORD}", code=5)
		self.assert_nothing(seen)


class Terminal(CredentialsCase):
	def start(self, *arguments):
		"""Runs our command on a terminal of its own; returns what to talk to it by."""
		pid, terminal = pty.fork()
		if pid == 0:
			signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored where this script runs in the background
			os.execve(suite.command_path(), ["mkrootfs", *arguments], self.environment)
		self.addCleanup(os.close, terminal)
		return pid, terminal

	def read_until(self, terminal, word):
		text = b""
		limit = time.monotonic() + WAIT
		while word not in text:
			ready, _, _ = select.select([terminal], [], [], max(0, limit - time.monotonic()))
			self.assertTrue(ready, text)
			try:
				text += os.read(terminal, 4096)
			except OSError:  # the other side is closed
				self.fail(text)
		return text

	def read_rest(self, terminal):
		text = b""
		limit = time.monotonic() + WAIT
		try:
			while select.select([terminal], [], [], max(0, limit - time.monotonic()))[0]:
				text += os.read(terminal, 4096)
		except OSError:  # the other side is closed
			return text
		self.fail(text)

	def end(self, pid):
		return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

	def test_user_and_password_are_asked_for(self):
		pid, terminal = self.start("login", self.host)
		self.read_until(terminal, b"User name: ")
		os.write(terminal, b"bob\n")
		self.read_until(terminal, b"Password: ")
		os.write(terminal, PASSWORD.encode() + b"\n")
		rest = self.read_rest(terminal)
		self.assertEqual(self.end(pid), 0, rest)
		self.assertNotIn(PASSWORD[-10:].encode(), rest)
		self.assertIn(b"Logged in", rest)
		self.pull()

	def test_creds_without_a_password(self):
		store = suite.temporary(self, "store")
		pid, terminal = self.start("pull", "--quiet", "--store", store, "--creds", "bob", self.reference)
		self.read_until(terminal, b"Password: ")
		os.write(terminal, PASSWORD.encode() + b"\n")
		self.read_rest(terminal)
		self.assertEqual(self.end(pid), 0)

	def test_ctrl_c_gives_the_echo_back(self):
		pid, terminal = self.start("login", "-u", "bob", self.host)
		self.read_until(terminal, b"Password: ")
		self.assertFalse(termios.tcgetattr(terminal)[3] & termios.ECHO)
		os.write(terminal, b"\x03")
		self.read_rest(terminal)
		self.assertEqual(self.end(pid), 130)
		self.assertTrue(termios.tcgetattr(terminal)[3] & termios.ECHO)


if __name__ == "__main__":
	suite.main(NEEDS)
