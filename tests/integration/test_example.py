#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example under docs/examples, built against an installed library as a sandbox runtime would be.

MKROOTFS_BUILD names the build folder to install from.
"""

import json
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, suite  # noqa: E402

NEEDS = ["cmake", "cc", "make", "pkg-config", "e2fsck", "qemu-img"]
SOURCE = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
HELLO = os.path.join(SOURCE, "fixtures", "images", "hello")


class Example(unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		cls.prefix = os.path.join(suite.temporary(cls, "prefix"), "usr")
		command.run(["cmake", "--install", os.environ["MKROOTFS_BUILD"], "--prefix", cls.prefix])
		cls.libraries = os.path.dirname(cls.find("libmkrootfs.so"))
		cls.work = suite.temporary(cls, "work")
		cls.program = cls.build()

	@classmethod
	def find(cls, name):
		for folder, _, names in os.walk(cls.prefix):
			if name in names:
				return os.path.join(folder, name)
		raise AssertionError(f"{name} was not installed")

	@classmethod
	def build(cls):
		"""Builds the example by its own Makefile; returns the program."""
		folder = os.path.join(cls.work, "example")
		shutil.copytree(os.path.join(SOURCE, "docs", "examples"), folder)
		command.run(["make", "-C", folder, "clean", "sandbox", f"LDFLAGS=-Wl,-rpath,{cls.libraries}"], env=cls.environment())
		return os.path.join(folder, "sandbox")

	@classmethod
	def environment(cls):
		return {**os.environ, "PKG_CONFIG_PATH": os.path.join(cls.libraries, "pkgconfig")}

	def sandbox(self, name):
		folder = os.path.join(self.work, name)
		os.makedirs(folder)
		return folder

	def test_prints_the_drives_of_a_machine(self):
		folder = self.sandbox("vm1")
		printed = command.run([self.program, f"oci:{HELLO}", os.path.join(self.work, "store"), folder]).split("\n")
		drives = [line for line in printed if "file=" in line]
		self.assertEqual(len(drives), 2, printed)
		disk, upper = (line.split("file=", 1)[1].split(",")[0] for line in drives)
		self.assertIn("virtual size", command.run(["qemu-img", "info", disk]))
		command.run(["e2fsck", "-fn", upper])

	def test_prints_json(self):
		printed = json.loads(command.run([self.program, "--json", f"oci:{HELLO}", os.path.join(self.work, "store"), self.sandbox("vm2")]))
		self.assertIn("cat", json.dumps(printed))

	def test_says_what_fails(self):
		done = command.attempt([self.program, "oci:/nowhere", os.path.join(self.work, "store"), self.sandbox("vm3")])
		self.assertEqual(done.returncode, 1)
		self.assertIn("/nowhere", done.stderr)

	def test_links_the_static_library(self):
		environment = self.environment()
		flags = command.run(["pkg-config", "--cflags", "--libs", "mkrootfs"], env=environment).split()
		flags = ["-l:libmkrootfs.a" if flag == "-lmkrootfs" else flag for flag in flags]
		others = command.run(["pkg-config", "--print-requires-private", "mkrootfs"], env=environment).split()
		flags += command.run(["pkg-config", "--libs", *others]).split() + ["-pthread"]
		program = os.path.join(self.work, "static")
		command.run(["cc", os.path.join(SOURCE, "docs", "examples", "sandbox.c"), "-o", program, *flags])
		self.assertNotIn("libmkrootfs", command.run(["ldd", program]))
		command.run([program, f"oci:{HELLO}", os.path.join(self.work, "store"), self.sandbox("vm4")])

	def test_installs_command_and_manual(self):
		self.assertIn("mkrootfs", command.run([os.path.join(self.prefix, "bin", "mkrootfs"), "--version"]))
		self.find("mkrootfs.1")
		self.find("mkrootfs-pull.1")


class Fixture(unittest.TestCase):
	def test_the_small_image_is_what_its_recipe_says(self):
		folder = suite.temporary(self, "fixture")
		command.run([sys.executable, os.path.join(SOURCE, "fixtures", "images", "make"), folder])
		self.assertEqual(command.run(["diff", "-r", os.path.join(folder, "hello"), HELLO]), "")


if __name__ == "__main__":
	suite.main(NEEDS)
