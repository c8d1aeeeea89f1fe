#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The writable side: e2fsprogs and the kernel take it for a filesystem that mke2fs could have made."""

import fcntl
import json
import os
import shutil
import struct
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


class Resize(unittest.TestCase):
	def use(self, path, name):
		"""What a guest leaves behind: files, some of them removed again."""
		with suite.Scope() as scope:
			upper = os.path.join(mounts.mount(scope, ["-o", "loop", path]), "upper")
			for number in range(200):
				with open(os.path.join(upper, f"{name}-{number}"), "wb") as file:
					file.write(os.urandom(30000))
			for number in range(0, 200, 2):
				os.unlink(os.path.join(upper, f"{name}-{number}"))
			return tree.listing(upper)

	def resize(self, path, size):
		return json.loads(command.run([suite.command_path(), "resize", "--json", path, size]))

	def test_grows_between_uses(self):
		"""Each step is checked, then used: a last group that is not whole, a reserve, meta_bg."""
		for options, sizes in ((["--size", "200M"], ["300M", "3G", "30G"]),
				(["--size", "1G", "--max-size", "40G"], ["2G", "40G", "50G"])):
			with self.subTest(options=options):
				path = make(self, *options)
				nodes = self.use(path, "first")
				for size in sizes:
					sizes_seen = self.resize(path, size)
					self.assertEqual(sizes_seen["after"], os.path.getsize(path))
					check(path)
					with suite.Scope() as scope:
						self.assertEqual(tree.listing(os.path.join(mounts.mount(scope, ["-o", "loop,ro", path]), "upper")), nodes)
					nodes = self.use(path, size)
					check(path)

	def test_what_is_in_use_is_refused(self):
		path = make(self, "--size", "128M")
		with suite.Scope() as scope:
			folder = mounts.mount(scope, ["-o", "loop", path])
			for how in ("rw", "ro"):
				command.run(["mount", "-o", f"remount,{how}", folder])
				refused = command.mkrootfs("resize", path, "256M")
				self.assertEqual(refused.returncode, 1)
				self.assertIn("another process uses it", refused.stderr)
		with open(path, "rb") as file:
			fcntl.flock(file, fcntl.LOCK_SH)
			refused = command.mkrootfs("resize", path, "256M")
			self.assertIn("another process uses it", refused.stderr)
		with open(path, "rb") as file:
			lock_as_qemu(file)
			refused = command.mkrootfs("resize", path, "256M")
			self.assertIn("another process uses it", refused.stderr)
		self.resize(path, "256M")
		check(path)

	def test_a_longer_file_is_not_cut(self):
		path = make(self, "--size", "64M")
		os.truncate(path, 100 << 20)
		refused = command.mkrootfs("resize", path, "90M")
		self.assertEqual((refused.returncode, os.path.getsize(path)), (2, 100 << 20), refused.stderr)
		self.assertIn("104857600 bytes", refused.stderr)
		self.resize(path, "100M")
		check(path)

	def test_a_full_disk_gets_back_what_was_taken(self):
		with suite.Scope() as scope:
			folder = mounts.mount(scope, ["-t", "tmpfs", "-o", "size=2500K", "none"])
			path = os.path.join(folder, "upper.ext4")
			command.run([suite.command_path(), "upper", "-q", "-s", "64M", path])
			before = os.stat(path)
			refused = command.mkrootfs("resize", path, "10T")
			self.assertEqual(refused.returncode, 7, refused.stderr)
			after = os.stat(path)
			self.assertEqual(after.st_size, before.st_size)
			self.assertLessEqual(after.st_blocks, before.st_blocks + 8)
			check(path)

	def test_a_journal_is_replayed_before(self):
		"""A copy of a filesystem in use is what a machine leaves that was cut off."""
		path = make(self, "--size", "128M")
		cut = path + ".cut"
		with suite.Scope() as scope:
			upper = os.path.join(mounts.mount(scope, ["-o", "loop", path]), "upper")
			with open(os.path.join(upper, "kept"), "w") as file:
				file.write("kept")
				file.flush()
				os.fsync(file.fileno())
			command.run(["cp", "--sparse=always", path, cut])
		self.assertEqual(command.mkrootfs("resize", cut, "1G").returncode, 8)
		self.assertLessEqual(command.attempt(["e2fsck", "-p", cut]).returncode, 1)
		self.resize(cut, "1G")
		check(cut)
		self.assertIn("kept", command.run(["debugfs", "-R", "cat /upper/kept", cut]))

	def test_the_result_depends_on_the_input_alone(self):
		one, two = make(self, "--size", "100M", "--max-size", "20G"), make(self, "--size", "100M", "--max-size", "20G", name="two")
		for path in (one, two):
			self.resize(path, "300M")
		command.run(["cmp", one, two])


def lock_as_qemu(file):
	"""The lock of a disk that a machine has, on the bytes that say so; see file_claim.h."""
	fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_RDLCK, os.SEEK_SET, 100, 4, 0))  # F_OFD_SETLK


class Clone(unittest.TestCase):
	def test_a_copy_has_the_same_bytes_and_holes(self):
		path = make(self, "--size", "200M")
		Resize.use(self, path, "file")
		copy = path + ".copy"
		command.run([suite.command_path(), "clone", path, copy])
		command.run(["cmp", path, copy])
		check(copy)
		self.assertLessEqual(os.stat(copy).st_blocks, os.stat(path).st_blocks + 256)

	def test_json_names_the_copy(self):
		path = make(self, "--size", "64M")
		copy = path + ".copy"
		said = json.loads(command.run([suite.command_path(), "clone", "--json", path, copy]))
		self.assertEqual(said, {"path": copy, "size": 64 * MIB, "allocated": os.stat(copy).st_blocks * 512})

	def test_a_disk_is_nothing_for_standard_output(self):
		folder = suite.temporary(self, "stream")
		path = make(self, "--size", "8M")
		for arguments in (("upper", "-"), ("clone", path, "-")):
			done = command.mkrootfs(*arguments, cwd=folder)
			self.assertEqual(done.returncode, 2, done.stderr)
			self.assertIn("./-", done.stderr)
			self.assertEqual(os.listdir(folder), [])

	def test_who_may_not_read_it_may_not_read_the_copy(self):
		path = make(self, "--size", "64M")
		umask = os.umask(0o022)
		os.umask(umask)
		for mode in (0o600, 0o640, 0o644):
			os.chmod(path, mode)
			copy = f"{path}-{mode:o}"
			command.run([suite.command_path(), "clone", path, copy])
			self.assertEqual(os.stat(copy).st_mode & 0o777, mode & ~umask)

	def test_an_existing_file_is_kept_unless_forced(self):
		path = make(self, "--size", "8M")
		folder = suite.temporary(self, "clone")
		copy = os.path.join(folder, "copy")
		with open(copy, "w") as file:
			file.write("old")
		self.assertEqual(command.mkrootfs("clone", path, copy).returncode, 1)
		self.assertEqual(os.path.getsize(copy), 3)
		command.run([suite.command_path(), "clone", "--force", path, copy])
		command.run(["cmp", path, copy])
		self.assertEqual(command.mkrootfs("clone", "--force", path + ".no", copy).returncode, 3)
		self.assertEqual(os.listdir(folder), ["copy"])

	def test_one_in_use_is_not_copied_bit_by_bit(self):
		folder = mounts.mount(self, ["-t", "tmpfs", "tmpfs"])  # which shares no blocks
		path = os.path.join(folder, "upper")
		command.run([suite.command_path(), "upper", "--size", "8M", path])
		with open(path, "rb") as file:
			lock_as_qemu(file)
			refused = command.mkrootfs("clone", path, path + ".copy")
		self.assertEqual(refused.returncode, 1)
		self.assertIn("another process uses it", refused.stderr)
		self.assertEqual(os.listdir(folder), ["upper"])

	def test_blocks_are_shared_where_the_filesystem_can(self):
		folder = self.reflinks()
		path, copy = os.path.join(folder, "upper"), os.path.join(folder, "copy")
		command.run([suite.command_path(), "upper", "--size", "64M", path])
		with open(path, "r+b") as file:
			file.seek(40 * MIB)
			file.write(os.urandom(20 * MIB))
			os.fsync(file.fileno())
			lock_as_qemu(file)
			os.sync()
			before = os.statvfs(folder).f_bfree
			command.run([suite.command_path(), "clone", path, copy])
			os.sync()
			self.assertLess(before - os.statvfs(folder).f_bfree, 2 * MIB // os.statvfs(folder).f_bsize)
		command.run(["cmp", path, copy])

	def reflinks(self):
		for kind, words in (("xfs", ["mkfs.xfs", "-q"]), ("btrfs", ["mkfs.btrfs", "-q"])):
			if suite.kernel_mounts(kind) and shutil.which(words[0]):
				image = os.path.join(suite.temporary(self, "disk"), "disk")
				with open(image, "wb") as file:
					file.truncate(600 * MIB)
				command.run([*words, image])
				return mounts.mount(self, ["-t", kind, "-o", "loop", image])
		self.skipTest("no filesystem here shares blocks: xfs or btrfs, with its mkfs")


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
