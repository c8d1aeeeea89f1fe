#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a command loads, opens and reads: no library of the network, of cryptography or for unpacking unless it is used, and one clear
error when it is used and not installed. The dynamic linker of the system tells."""

import collections
import glob
import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, suite  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402

NEEDS = ["umoci", "skopeo", "readelf", "strace"]
NETWORK = {"libcurl", "libssl", "libnghttp2", "libgnutls", "libssh2", "libldap", "libkrb5"}
CRYPTO = {"libcrypto"}
UNPACKING = {"libz", "libisal", "libzstd"}
ALWAYS = {"libc", "libjansson"}
PAGE = 4096


def short(path):
	"""libcurl of /lib/x86_64-linux-gnu/libcurl.so.4."""
	return os.path.basename(path).split(".so")[0].partition("-")[0]


def loaded(case, *arguments):
	"""The CompletedProcess, and {short name: path} of the shared libraries that were mapped."""
	folder = suite.temporary(case, "linker")
	environment = {**os.environ, "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": os.path.join(folder, "log")}
	done = command.mkrootfs(*arguments, env=environment)
	paths = set()
	for log in glob.glob(os.path.join(folder, "log.*")):
		with open(log, encoding="utf-8", errors="replace") as file:
			paths |= {line.split("calling init: ")[1].strip() for line in file if "calling init: " in line}
	return done, {short(path): path for path in paths}


class StartUpCase(unittest.TestCase):
	def setUp(self):
		self.layout = images.layout("small")
		self.store = command.Store(suite.temporary(self, "store"))

	def assert_nothing_loaded(self, arguments):
		done, libraries = loaded(self, *arguments)
		self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
		# The sanitizers bring their own.
		own = {name for name in libraries if not name.startswith(("liba", "libubsan", "ld", "libm", "libgcc_s", "libstdc++", "libpthread", "libdl", "librt", "libresolv"))}
		self.assertEqual(sorted(own - ALWAYS), [], arguments)
		self.assertIn("libc", libraries, "the dynamic linker told nothing")

	def assert_not_loaded(self, names, arguments):
		done, libraries = loaded(self, *arguments)
		self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
		self.assertIn("libc", libraries, "the dynamic linker told nothing")
		self.assertEqual(sorted(names & set(libraries)), [], arguments)

	def hide(self, library):
		"""In the mount namespace of the tests, nobody can load it any more."""
		path = os.path.realpath(library)
		command.run(["mount", "--bind", "/dev/null", path])
		self.addCleanup(command.run, ["umount", path])


class Loads(StartUpCase):
	def test_nothing_without_an_image(self):
		file = os.path.join(suite.temporary(self, "upper"), "upper.ext4")
		for arguments in (["--version"], ["--help"], ["pull", "--help"], ["help", "pull"],
				["upper", "--size", "1G", file],
				["images", "--store", self.store.folder], ["images", "--store", self.store.folder, "--json"]):
			with self.subTest(arguments):
				self.assert_nothing_loaded(arguments)

	def test_nothing_to_look_at_an_image(self):
		image = self.store.pull(f"oci:{self.layout}:latest")
		name = image["reference"]
		for what in ([name, "ls"], [image["digest"], "ls", "-l"], [name, "ls", "--json"], [name, "inspect"],
				[name, "inspect", "--json"], [name, "stat"], [name, "verify"], [None, "images"],
				[None, "images", "-q"], [None, "verify"]):
			operand, verb, *options = what
			arguments = [verb, "--store", self.store.folder, *options, *([operand] if operand else [])]
			with self.subTest(arguments):
				self.assert_nothing_loaded(arguments)
		for arguments in (["ls", image["disk"]], ["ls", image["layers"][0]["path"]], ["stat", image["directory"]],
				["verify", image["disk"]], ["verify", image["layers"][0]["path"]]):
			with self.subTest(arguments):
				self.assert_nothing_loaded(arguments)

	def test_nothing_to_print_a_file(self):
		image = self.store.pull(f"oci:{self.layout}:latest")
		listing = json.loads(command.run([suite.command_path(), "ls", "--json", "-R", image["disk"]]))
		file = next(entry["path"] for entry in listing if entry["type"] == "file" and entry["size"] > 0)
		for operand in (f"{image['disk']}:{file}", f"{image['digest']}:{file}"):
			with self.subTest(operand):
				self.assert_nothing_loaded(["cat", "--store", self.store.folder, operand])

	def test_no_network_to_pull_save_and_export_what_is_on_disk(self):
		out = suite.temporary(self, "out")
		for arguments in (["pull", "--store", self.store.folder, f"oci:{self.layout}:latest"],
				["save", "--store", self.store.folder, "-o", f"{out}/image.tar", f"oci:{self.layout}:latest"],
				["export", "--store", self.store.folder, "-o", f"{out}/root.tar", f"oci:{self.layout}:latest"]):
			with self.subTest(arguments):
				self.assert_not_loaded(NETWORK, arguments)

	def test_what_is_used(self):
		"""So that the tests above can fail."""
		server = LayoutRegistry.start(self, self.layout)
		done, libraries = loaded(self, "pull", "--store", self.store.folder, server.reference("latest"))
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertLessEqual({"libcurl"} | CRYPTO, set(libraries))
		self.assertTrue(UNPACKING & set(libraries), libraries)


def calls(case, *arguments):
	"""[(call, arguments and result)] of the system calls that open, read and make, by all threads."""
	log = os.path.join(suite.temporary(case, "calls"), "log")
	# The search for leaks traces too, which excludes strace.
	command.run(["strace", "-f", "-qq", "-y", "-o", log, "-s", "0", "-e", "trace=open,openat,read,pread64,readv,preadv,mkdir",
		suite.command_path(), *arguments], env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
	with open(log, encoding="utf-8", errors="replace") as file:
		return [match.groups() for match in (re.match(r"(?:\d+ +)?(\w+)\((.*)", line) for line in file) if match]


def opens(traced, pattern):
	"""{path: how often it was opened}."""
	paths = [re.search(r'"([^"]*)"', text)[1] for call, text in traced if call.startswith("open")]
	return collections.Counter(path for path in paths if re.search(pattern, path))


def bytes_read(traced, pattern):
	"""{path: bytes that were read of it}."""
	total = collections.Counter()
	for call, text in traced:
		path = re.match(r"\d+<([^>]*)>", text)
		if "read" in call and path and re.search(pattern, path[1]):
			total[path[1]] += int(text.rsplit("= ", 1)[1].split()[0])
	return total


class Opens(StartUpCase):
	"""A page of each layer is what it takes to know that it is the right one."""

	LAYER = r"/[0-9a-f]{64}\.erofs$"

	def setUp(self):
		super().setUp()
		self.image = self.store.pull(f"oci:{self.layout}:latest")
		self.layers = {os.path.basename(layer["path"]) for layer in self.image["layers"]}

	def assert_cheap(self, traced, times):
		"""Of an image that has one of its layers twice."""
		opened, read = opens(traced, self.LAYER), bytes_read(traced, self.LAYER)
		self.assertEqual({os.path.basename(path) for path in opened}, self.layers)
		self.assertLessEqual(sum(opened.values()), times * len(self.image["layers"]), opened)
		self.assertEqual(sum(read.values()), PAGE * len(self.image["layers"]), read)

	def test_inspect_opens_a_layer_once(self):
		traced = calls(self, "inspect", "--store", self.store.folder, self.image["reference"])
		self.assert_cheap(traced, 1)
		self.assertEqual(sum(opens(traced, "fsmeta").values()), 1)
		self.assertEqual(set(bytes_read(traced, "fsmeta").values()), {PAGE})

	def test_ls_opens_it_once_more(self):
		self.assert_cheap(calls(self, "ls", "--store", self.store.folder, self.image["reference"]), 2)

	def test_a_pull_of_what_is_there(self):
		server = LayoutRegistry.start(self, self.layout)
		self.store.pull(server.reference("latest"))
		server.requests.clear()
		traced = calls(self, "pull", "--store", self.store.folder, server.reference("latest"))
		self.assertEqual([request[:2] for request in server.requests], [("GET", "/v2/test/image/manifests/latest")])
		self.assert_cheap(traced, 1)
		# Whether TLS answers on loopback does not depend on whom the system trusts.
		self.assertEqual(opens(traced, r"ca-certificates|/certs?/|ca-bundle|\.(pem|crt)$"), {})
		self.assertEqual([text for call, text in traced if call == "mkdir"], [])


class Missing(StartUpCase):
	def setUp(self):
		super().setUp()
		self.server = LayoutRegistry.start(self, self.layout)
		self.reference = self.server.reference("latest")
		_, self.libraries = loaded(self, "pull", "--store", suite.temporary(self, "first"), self.reference)

	def assert_one_clear_error(self, done, library):
		self.assertEqual(done.returncode, 8, done.stderr)
		lines = [line for line in done.stderr.splitlines() if line.startswith("mkrootfs: ")]
		self.assertEqual(len(lines), 2, done.stderr)
		self.assertRegex(lines[0], rf"cannot load \S*{library}\.so\.\d+: ")
		self.assertRegex(lines[1], "^mkrootfs: hint: .*install ")

	def test_libcurl_is_told_when_a_registry_is_asked(self):
		self.hide(self.libraries["libcurl"])
		self.server.requests.clear()
		self.assert_one_clear_error(self.store.attempt_pull(self.reference), "libcurl")
		host = self.reference.split("/")[0]
		self.assert_one_clear_error(self.store.attempt_pull(self.reference, "--mirror", f"{host}/mirror"), "libcurl")
		self.assert_one_clear_error(command.mkrootfs("login", "--username", "u", "--password-stdin", "--authfile",
			os.path.join(self.store.folder, "auth.json"), host, input="p", stdin=None), "libcurl")
		self.assertEqual(self.server.requests, [])
		self.assertEqual(self.store.temporary_files(), [])
		self.store.pull(f"oci:{self.layout}:latest")

	def test_libcrypto_is_told_when_something_is_hashed(self):
		image = self.store.pull(f"oci:{self.layout}:latest")
		self.hide(self.libraries["libcrypto"])
		command.run([suite.command_path(), "ls", "--store", self.store.folder, image["reference"]])
		other = command.Store(suite.temporary(self, "other"))
		self.assert_one_clear_error(other.attempt_pull(f"oci:{self.layout}:latest"), "libcrypto")
		self.assertEqual(other.temporary_files(), [])


	def test_zlib_does_the_work_of_isal(self):
		if "libisal" not in self.libraries:
			self.skipTest("this build has no ISA-L")
		self.hide(self.libraries["libisal"])
		_, libraries = loaded(self, "pull", "--store", self.store.folder, f"oci:{self.layout}:latest")
		self.assertIn("libz", libraries)
		self.hide(self.libraries["libz"])
		other = command.Store(suite.temporary(self, "other"))
		self.assert_one_clear_error(other.attempt_pull(f"oci:{self.layout}:latest"), "libz")


class Packagers(unittest.TestCase):
	def test_are_told_what_is_loaded(self):
		"""The note of https://systemd.io/ELF_DLOPEN_METADATA, which readelf shows as the strings in it."""
		text = command.run(["readelf", "-p", ".note.dlopen", suite.command_path()])
		notes = [json.loads(line[line.index("[{"):]) for line in text.splitlines() if "[{" in line]
		entries = {entry["soname"][0].split(".so")[0].partition("-")[0]: entry for note in notes for entry in note}
		self.assertEqual(set(entries), {"libcurl", "libcrypto", "libz", "libzstd"} | ({"libisal"} & set(entries)))
		self.assertEqual(entries["libcurl"]["priority"], "recommended")
		self.assertEqual(entries["libcrypto"]["priority"], "required")
		# Of a type that this readelf need not know, which it then complains of.
		self.assertEqual(command.attempt(["readelf", "-n", suite.command_path()]).stdout.count("FDO "), len(notes))
		linked = command.run(["readelf", "-d", suite.command_path()])
		self.assertNotRegex(linked, r"NEEDED.*lib(curl|crypto|z|zstd|isal|xxhash|nettle)\.so")


if __name__ == "__main__":
	suite.main(needs=NEEDS)
