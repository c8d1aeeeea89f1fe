#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The writable side: e2fsprogs and the kernel take it for a filesystem that mke2fs could have made."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, mounts, suite, tree  # noqa: E402

NEEDS = ["kernel:overlay", "kernel:ext4", "e2fsck", "dumpe2fs", "resize2fs", "debugfs"]
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
# Around the sizes at which something in ext4 changes: the smallest, journal sizes, a block group of
# 128 MiB and a little more or less than some, 32-bit byte counts, many groups.
SIZES = [8 * MIB, 9 * MIB, 31 * MIB, 64 * MIB, 128 * MIB - 4 * KIB, 128 * MIB, 128 * MIB + 4 * KIB, 128 * MIB + 200 * KIB,
	256 * MIB + 4 * KIB, 300 * MIB, GIB, 4 * GIB - 4 * KIB, 4 * GIB, 4 * GIB + 4 * KIB, 18 * GIB, 100 * GIB]


def make(test, *options, name="upper.ext4"):
	path = os.path.join(suite.temporary(test, "upper"), name)
	command.run([suite.command_path(), "upper", *options, path])
	return path


def check(path):
	"""The checker has nothing to say: no question, no correction, exit code 0."""
	return command.run(["e2fsck", "-fn", path])


def superblock(path):
	lines = command.run(["dumpe2fs", "-h", path]).split("\n")
	return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines) if value}


class Sizes(unittest.TestCase):
	def test_e2fsck_is_content_with_every_size(self):
		for size in SIZES:
			with self.subTest(size=size):
				path = make(self, "--size", str(size))
				check(path)
				self.assertLessEqual(os.path.getsize(path), size)
				self.assertGreater(os.path.getsize(path), size - 128 * MIB if size > 256 * MIB else size // 2)
				self.assertLess(os.stat(path).st_blocks * 512, 64 * MIB, "sparse")

	def test_default_is_four_gib(self):
		path = make(self)
		self.assertEqual(os.path.getsize(path), 4 * GIB)
		values = superblock(path)
		self.assertIn("has_journal", values["Filesystem features"])
		self.assertEqual(values["Filesystem state"], "clean")
		self.assertGreaterEqual(int(values["Inode count"]), 4 * GIB // (16 * KIB) - 8192)

	def test_units(self):
		for text, size in (("64M", 64 * MIB), ("1G", GIB), ("65536K", 64 * MIB)):
			self.assertEqual(os.path.getsize(make(self, "--size", text)), size, text)

	def test_grows_by_resize2fs(self):
		path = make(self, "--size", "300M")
		os.truncate(path, 2 * GIB)
		command.run(["resize2fs", path])
		check(path)
		self.assertEqual(int(superblock(path)["Block count"]) * 4096, 2 * GIB)


class Options(unittest.TestCase):
	def test_uuid_and_label(self):
		uuid = "01234567-89ab-4def-8123-456789abcdef"
		path = make(self, "--size", "64M", "--uuid", uuid, "--label", "my upper")
		values = superblock(path)
		self.assertEqual((values["Filesystem UUID"], values["Filesystem volume name"]), (uuid, "my upper"))
		check(path)

	def test_same_options_give_the_same_bytes(self):
		one, two = make(self, "--size", "64M"), make(self, "--size", "64M", name="other name")
		command.run(["cmp", one, two])

	def test_existing_file_is_kept_unless_forced(self):
		path = os.path.join(suite.temporary(self, "upper"), "file")
		with open(path, "wb") as file:
			file.write(b"\xff" * (9 * MIB))
		refused = command.mkrootfs("upper", "--size", "16M", path)
		self.assertNotEqual(refused.returncode, 0)
		self.assertRegex(refused.stderr, r"\Amkrootfs: [^\n]*file[^\n]*\n\Z")
		with open(path, "rb") as file:
			self.assertEqual(file.read(4), b"\xff" * 4)
		command.run([suite.command_path(), "upper", "--force", "--size", "16M", path])
		check(path)
		command.run(["cmp", path, make(self, "--size", "16M")])

	def test_nonsense_is_refused_and_leaves_no_file(self):
		for options in (["--size", "0"], ["--size", "1K"], ["--size", "-5M"], ["--size", "1e30"], ["--size", "12Q"],
				["--size", "99999999999999999999"], ["--uuid", "no-uuid"], ["--label", "seventeen letters"]):
			with self.subTest(options=options):
				folder = suite.temporary(self, "upper")
				done = command.mkrootfs("upper", *options, os.path.join(folder, "file"))
				self.assertNotEqual(done.returncode, 0)
				self.assertRegex(done.stderr, r"\Amkrootfs( upper)?: [^\n]+\n\Z")
				self.assertEqual(os.listdir(folder), [])


class Kernel(unittest.TestCase):
	def test_holds_what_overlayfs_needs(self):
		folder = mounts.mount(self, ["-o", "loop", make(self, "--size", "64M")])
		nodes = tree.listing(folder)
		self.assertEqual(set(nodes), {b"", b"lost+found", b"upper", b"work"})
		for name in (b"", b"upper"):
			self.assertEqual((nodes[name].kind, nodes[name].mode, nodes[name].uid, nodes[name].gid), ("directory", 0o755, 0, 0))

	def test_is_clean_after_use_as_upper(self):
		"""Mounted by the kernel, written through an overlay, unmounted; twice."""
		path = make(self, "--size", "64M")
		lower = suite.temporary(self, "lower")
		with open(os.path.join(lower, "old"), "w") as file:
			file.write("old")
		for turn in range(2):
			with self.subTest(turn=turn):
				self.use(path, lower, turn)
				check(path)

	def use(self, path, lower, turn):
		with suite.Scope() as scope:
			upper = mounts.mount(scope, ["-o", "loop", path])
			merged = mounts.overlay(scope, [lower], f"{upper}/upper", f"{upper}/work")
			for number in range(turn):
				self.assertTrue(os.path.exists(os.path.join(merged, f"new-{number}")))
			for number in range(300):
				with open(os.path.join(merged, f"many-{turn}-{number}"), "wb") as file:
					file.write(os.urandom(20000))
			with open(os.path.join(merged, "old"), "a") as file:
				file.write("changed")
			os.mkdir(os.path.join(merged, f"new-{turn}"))
			os.setxattr(os.path.join(merged, f"new-{turn}"), "user.note", b"x" * 500)


if __name__ == "__main__":
	suite.main(NEEDS)
