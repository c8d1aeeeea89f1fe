#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian's docker-registry: by HTTP, by HTTPS with a private authority, with client certificates, and
behind a proxy that cuts connections; and what the command says when it does not work."""

import os
import re
import shutil
import socket
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, oci_layout, suite, tls  # noqa: E402
from support.cutting_proxy import CuttingProxy  # noqa: E402
from support.forward_proxy import ForwardProxy  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402
from support.registry import Registry, free_port  # noqa: E402

NEEDS = ["docker-registry", "skopeo", "openssl", "cc"]
NOT_FOUND, NETWORK, DENIED, PLATFORM, TLS, NAME = 3, 4, 5, 9, 10, 11  # exit codes that the manual promises
NAMES = "IP:127.0.0.1,DNS:localhost"
CERTS = "/etc/ssl/certs"

# What is wrong with name servers is made up: a name is looked up by this library's function.
LOOKUP = """
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int getaddrinfo(const char *n, const char *s, const struct addrinfo *h, struct addrinfo **o)
{
	(void)n, (void)s, (void)h;
	*o = NULL;
	if (write(atoi(getenv("LOOKUPS")), ".", 1) != 1)
		abort();
	return atoi(getenv("LOOKUP"));
}
"""
EAI_NONAME, EAI_AGAIN = -2, -3


class Registries(unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		cls.authority = tls.Authority(suite.temporary(cls, "authority"))
		cls.certificate, cls.key = cls.authority.issue("server", NAMES)
		image = oci_layout.Image(suite.temporary(cls, "layout"))
		image.add_layer(oci_layout.tar([("etc/", None), ("etc/name", b"first\n")]))
		image.add_layer(oci_layout.tar([("data", os.urandom(3_000_000))]))
		image.commit("1")
		cls.layout = image.folder
		cls.plain = Registry.start(cls)
		cls.plain.push(f"oci:{cls.layout}:1", "small:1")
		cls.expected = command.Store(suite.temporary(cls, "store")).pull(f"oci:{cls.layout}:1")

	def setUp(self):
		self.store = command.Store(suite.temporary(self, "store"))

	def secure(self, **more):
		"""The same images by HTTPS."""
		return Registry.start(self, os.path.join(self.plain.folder, "data"),
			{"certificate": self.certificate, "key": self.key, **more})

	def assert_pulls(self, reference, *options, **more):
		done = self.store.attempt_pull(reference, "--json", *options, **more)
		self.assertEqual(done.returncode, 0, done.stderr)
		for name in sorted(os.listdir(self.expected["directory"])):
			if name.endswith(".erofs"):
				with open(os.path.join(self.expected["directory"], name), "rb") as file:
					expected = file.read()
				folder = os.path.join(self.store.folder, "images")
				with open(os.path.join(folder, os.listdir(folder)[0], name), "rb") as file:
					self.assertEqual(file.read(), expected, name)
		return done.stderr

	def assert_refused(self, code, patterns, reference, *options, **more):
		"""One line of error, and one line of hint; each pattern is in either."""
		done = self.store.attempt_pull(reference, "--quiet", *options, **more)
		self.assertEqual(done.returncode, code, done.stderr)
		lines = [line for line in done.stderr.splitlines() if not line.startswith("mkrootfs: warning: ")]
		self.assertEqual(len(lines), 2, done.stderr)
		self.assertTrue(lines[1].startswith("mkrootfs: hint: "), done.stderr)
		for pattern in patterns:
			self.assertRegex(done.stderr, pattern)
		return done.stderr

	# ---- HTTP and HTTPS ----

	def test_a_registry_on_loopback_needs_no_options(self):
		self.assertNotIn("warning", self.assert_pulls(self.plain.reference("small:1")))

	def test_https_with_a_private_authority(self):
		registry = self.secure()
		self.assert_refused(TLS, ["certificate", "--ca-cert FILE"], registry.reference("small:1"))
		self.assert_pulls(registry.reference("small:1"), "--ca-cert", self.authority.file)

	def test_https_with_an_authority_in_a_folder(self):
		folder = suite.temporary(self, "certs")
		shutil.copy(self.authority.file, os.path.join(folder, "ca.crt"))
		self.assert_pulls(self.secure().reference("small:1"), "--cert-dir", folder)

	def test_the_name_in_the_certificate_counts(self):
		other, key = self.authority.issue("other", "DNS:other.example")
		registry = Registry.start(self, os.path.join(self.plain.folder, "data"), {"certificate": other, "key": key})
		self.assert_refused(TLS, ["127.0.0.1"], registry.reference("small:1"), "--ca-cert", self.authority.file)

	def test_nothing_is_checked_only_with_a_warning(self):
		warnings = self.assert_pulls(self.secure().reference("small:1"), "--tls-verify=false")
		self.assertEqual(warnings.count("are not checked"), 1, warnings)

	def test_authorities_of_the_system_stay_trusted(self):
		"""One is put among the system's, for this test's processes; another one is given by option."""
		bundle = "/etc/ssl/certs/ca-certificates.crt"
		if not os.path.exists(bundle):
			self.skipTest(f"no {bundle}")
		command.run(["mount", "--bind", self.authority.file, bundle])
		self.addCleanup(command.run, ["umount", bundle])
		other = tls.Authority(suite.temporary(self, "other"), "other")
		registry = self.secure()
		self.assert_pulls(registry.reference("small:1"))
		shutil.rmtree(self.store.folder)
		self.assert_pulls(registry.reference("small:1"), "--ca-cert", other.file)

	def test_the_folder_of_the_system_is_enough(self):
		"""A file of all authorities is read only when the folder, where each has its hash for a name, does not do."""
		if not os.path.isdir(CERTS) or "OpenSSL" not in command.run(["curl-config", "--ssl-backends"]):
			self.skipTest(f"no {CERTS}, or libcurl without OpenSSL")
		registry, other = self.secure(), tls.Authority(suite.temporary(self, "other"), "other")
		for authority in (self.authority, other):
			folder = suite.temporary(self, "certs")
			shutil.copy(authority.file, folder)
			command.run(["openssl", "rehash", folder])
			command.run(["mount", "--bind", folder, CERTS])
			self.addCleanup(command.run, ["umount", CERTS])
			if authority is self.authority:
				self.assert_pulls(registry.reference("small:1"))
				shutil.rmtree(self.store.folder)
		shutil.copy(other.file, os.path.join(folder, "ca-certificates.crt"))
		self.assert_refused(TLS, ["certificate", "--ca-cert FILE"], registry.reference("small:1"))

	def test_a_system_without_authorities(self):
		"""Or with a folder of them and no file: then the file that is missing is not the cause."""
		if not os.path.isdir(CERTS) or "OpenSSL" not in command.run(["curl-config", "--ssl-backends"]):
			self.skipTest(f"no {CERTS}, or libcurl without OpenSSL")
		registry, other = self.secure(), tls.Authority(suite.temporary(self, "other"), "other")
		folder = suite.temporary(self, "certs")
		command.run(["mount", "--bind", folder, CERTS])
		self.addCleanup(command.run, ["umount", CERTS])
		self.assert_refused(TLS, ["the system's authorities: .*ca-certificates.crt", "install them .*--ca-cert FILE"], registry.reference("small:1"))
		self.assert_pulls(registry.reference("small:1"), "--ca-cert", self.authority.file)
		shutil.rmtree(self.store.folder)
		shutil.copy(other.file, folder)
		command.run(["openssl", "rehash", folder])
		self.assert_refused(TLS, ["local issuer certificate", "give the registry's authority"], registry.reference("small:1"))

	def test_client_certificates(self):
		registry = self.secure(clientcas=[self.authority.file])
		folder = suite.temporary(self, "certs")
		shutil.copy(self.authority.file, os.path.join(folder, "ca.crt"))
		done = self.store.attempt_pull(registry.reference("small:1"), "--cert-dir", folder)
		self.assertIn(done.returncode, (TLS, NETWORK), done.stderr)
		self.assertRegex(done.stderr, "hint: .*--cert-dir DIR")
		for path in self.authority.issue("client"):
			shutil.copy(path, folder)
		self.assert_pulls(registry.reference("small:1"), "--cert-dir", folder)

	def test_plain_http_asked_of_https(self):
		done = self.store.attempt_pull(self.secure().reference("small:1"), "--plain-http")
		self.assertEqual(done.returncode, NETWORK)
		self.assertIn("HTTPS server", done.stderr)

	def test_urls_of_layers_are_never_asked(self):
		"""Foreign layers may name other places to fetch them from: anybody's."""
		elsewhere = LayoutRegistry.start(self, self.layout)
		image = oci_layout.Image(suite.temporary(self, "foreign"))
		layer = image.add_layer(oci_layout.tar([("data", b"foreign")]))
		layer["mediaType"] = "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip"
		layer["urls"] = [f"http://127.0.0.1:{elsewhere.server.server_port}/{layer['digest']}"]
		image.commit("1")
		registry = LayoutRegistry.start(self, image.folder)
		self.store.pull(registry.reference("1"))
		shutil.rmtree(self.store.folder)
		os.remove(image.blob_path(layer["digest"]))
		self.assertEqual(self.store.attempt_pull(registry.reference("1"), "-q").returncode, NOT_FOUND)
		self.assertEqual(elsewhere.requests, [])

	# ---- Cut ----

	def test_a_proxy_that_cuts_every_connection(self):
		"""Far more cuts than attempts are allowed without progress."""
		proxy = CuttingProxy.start(self, self.plain.port, 300000)
		warnings = self.assert_pulls(f"127.0.0.1:{proxy.port}/small:1", "--retry-times=1")
		self.assertGreater(proxy.cuts, 8)
		self.assertRegex(warnings, r"at byte \d+ of 3\d+: .*trying again in")

	def test_a_proxy_that_cuts_https(self):
		proxy = CuttingProxy.start(self, self.secure().port, 300000)
		self.assert_pulls(f"127.0.0.1:{proxy.port}/small:1", "--retry-times=1", "--ca-cert", self.authority.file)
		self.assertGreater(proxy.cuts, 8)

	# ---- Proxies of the environment ----

	def environment(self, **variables):
		kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
		return {"env": {**kept, **variables}}

	def test_a_proxy_takes_whole_urls(self):
		"""The name means nothing to this machine: only the proxy knows where it is."""
		proxy = ForwardProxy.start(self, self.plain.port)
		self.assert_pulls("registry.example:5000/small:1", "--plain-http", **self.environment(http_proxy=proxy.url))
		self.assertTrue(proxy.asked)
		self.assertTrue(all(line.startswith("GET http://registry.example:5000/v2/") for line in proxy.asked), proxy.asked)

	def test_a_proxy_makes_tunnels(self):
		certificate, key = self.authority.issue("tunnel", "DNS:registry.example")
		proxy = ForwardProxy.start(self, self.secure(certificate=certificate, key=key).port)
		for name in ("https_proxy", "HTTPS_PROXY", "all_proxy"):
			proxy.asked.clear()
			self.store = command.Store(suite.temporary(self, "store"))
			self.assert_pulls("registry.example/small:1", "--ca-cert", self.authority.file, **self.environment(**{name: proxy.url}))
			self.assertEqual(set(proxy.asked), {"CONNECT registry.example:443"})

	def test_loopback_is_not_asked_through_a_proxy(self):
		proxy = ForwardProxy.start(self, self.plain.port)
		self.assert_pulls(self.plain.reference("small:1"), **self.environment(http_proxy=proxy.url, https_proxy=proxy.url))
		self.assertEqual(proxy.asked, [])

	def test_a_proxy_that_refuses_is_named(self):
		proxy = ForwardProxy.start(self, self.plain.port)
		proxy.refusal = 407
		for options, name in ((["--plain-http"], "http_proxy"), ([], "https_proxy")):
			proxy.asked.clear()
			self.assert_refused(DENIED, ["the proxy", "407", "user:password"], "registry.example:5000/small:1", *options, **self.environment(**{name: proxy.url}))
			self.assertEqual(len(proxy.asked), 1, "a refusal does not pass")

	# ---- What does not work ----

	def test_nobody_listens(self):
		port = free_port()
		error = self.assert_refused(NETWORK, ["refused", f"port {port}"], f"127.0.0.1:{port}/x", "--retry-times=1")
		self.assertEqual(error.count("trying again"), 1)

	def test_no_answer(self):
		"""The kernel takes the connection; nobody ever answers on it."""
		with socket.create_server(("127.0.0.1", 0)) as listener:
			port = listener.getsockname()[1]
			self.assert_refused(NETWORK, ["2 seconds"], f"127.0.0.1:{port}/x", "--retry-times=0", "--plain-http", "--idle-timeout=2")

	def test_no_such_image(self):
		for name in ("small:none", "none:1"):
			error = self.assert_refused(NOT_FOUND, [re.escape(name), "check the name"], self.plain.reference(name))
			self.assertNotIn("trying again", error)

	def test_no_such_platform(self):
		self.assert_refused(PLATFORM, ["linux/s390x", "linux/amd64"], self.plain.reference("small:1"), "--platform=linux/s390x")

	def test_names(self):
		folder = suite.temporary(self, "lookup")
		source, library = os.path.join(folder, "lookup.c"), os.path.join(folder, "lookup.so")
		with open(source, "w") as file:
			file.write(LOOKUP)
		command.run(["cc", "-shared", "-fPIC", "-o", library, source])
		for code, tries in ((EAI_NONAME, 1), (EAI_AGAIN, 2)):
			with open(os.path.join(folder, "lookups"), "wb+") as lookups:
				more = {"env": {**os.environ, "LD_PRELOAD": library, "LOOKUP": str(code), "LOOKUPS": str(lookups.fileno()),
					"ASAN_OPTIONS": "verify_asan_link_order=0", "no_proxy": "*"}, "pass_fds": [lookups.fileno()]}
				error = self.assert_refused(NAME, ["registry.example"], "registry.example/x", "--retry-times=1", **more)
				self.assertEqual(error.count("trying again"), tries - 1)
				self.assertEqual(os.path.getsize(lookups.name), 2 * tries)  # libcurl's, and ours to learn more

	def test_a_slow_registry_is_no_dead_one(self):
		registry = LayoutRegistry.start(self, self.layout)
		registry.bytes_per_second = 600000  # five seconds in all, never two without a byte
		self.assert_pulls(registry.reference("1"), "--idle-timeout=3", "--retry-times=0")


if __name__ == "__main__":
	suite.main(NEEDS)
