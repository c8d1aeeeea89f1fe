#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What other people's checkers and readers say of every file that is written: fsck.erofs, dump.erofs,
qemu-img, e2fsck and their kin."""

import json
import os
import re
import shutil
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, mounts, suite, tree  # noqa: E402

NEEDS = ["kernel:erofs", "umoci", "skopeo", "buildah", "qemu-img", "fsck.erofs", "dump.erofs"]
BLOCK = 4096
CHUNKED_FILE = 0x4  # the only feature that a plain image may ask of the kernel (5.15)
DESCRIPTOR_LINE = re.compile(r'RW (\d+) FLAT "([A-Za-z0-9._-]+)" 0')


def superblock(path):
	"""(block size, blocks, incompatible features) of an EROFS image."""
	with open(path, "rb") as file:
		file.seek(1024)
		block = file.read(128)
	magic, = struct.unpack_from("<I", block, 0)
	assert magic == 0xE0F5E1E2, f"{path}: magic {magic:x}"
	return 1 << block[12], struct.unpack_from("<I", block, 36)[0], struct.unpack_from("<I", block, 80)[0]


def read_file(folder, path):
	with open(os.path.join(os.fsencode(folder), path), "rb") as file:
		return file.read()


def without_zero_blocks(data):
	blocks = (data[start:start + BLOCK] for start in range(0, len(data), BLOCK))
	return b"".join(block for block in blocks if block.strip(b"\0"))


class Checkers:
	@classmethod
	def setUpClass(cls):
		cls.layout = images.layout(cls.name)
		cls.image = command.Store(suite.temporary(cls, "store")).pull(f"oci:{cls.layout}:latest")
		cls.raw = mounts.raw_disk(cls, cls.image["disk"])
		cls.parts = list(dict.fromkeys([cls.image["fsmeta"], *(layer["path"] for layer in cls.image["layers"])]))

	def test_fsck_erofs_accepts_every_layer(self):
		for path in self.parts[1:]:
			with self.subTest(layer=os.path.basename(path)):
				command.run(["fsck.erofs", path])
				command.run(["fsck.erofs", "--extract", path])  # reads all data

	def test_fsck_erofs_accepts_the_disk(self):
		command.run(["fsck.erofs", self.raw])

	def test_fsck_erofs_extracts_what_the_kernel_shows(self):
		"""A second reader of the merged image. It makes no hard links, sets no xattrs, and loses the
		set-user-ID and set-group-ID bits of files, since it changes the owner last. Holes, which
		mkfs.erofs never makes, it leaves out (version 1.5): what it extracts of a file with holes is
		the blocks that hold data, one after the other."""
		folder = os.path.join(suite.temporary(self, "extract"), "tree")
		command.run(["fsck.erofs", f"--extract={folder}", self.raw])
		shown = mounts.erofs(self, self.raw)
		expected = tree.listing(shown)

		def known(path, field, ours, theirs):
			if field in ("size", "sha256"):
				return read_file(folder, path) == without_zero_blocks(read_file(shown, path))
			lost = field == "mode" and expected[path].kind == "file" and ours == theirs & 0o1777
			return field in ("links", "names", "xattrs") or lost

		tree.assert_same(self, tree.listing(folder), expected, "fsck.erofs", "the kernel", known)

	def test_dump_erofs_reads_every_image(self):
		for path in [*self.parts[1:], self.raw]:
			with self.subTest(image=os.path.basename(path)):
				shown = command.run(["dump.erofs", "-s", path])
				self.assertRegex(shown, r"features: .*sb_csum")
				command.run(["dump.erofs", "-S", path])

	def test_superblocks_ask_no_more_than_they_must(self):
		for path in self.parts:
			with self.subTest(image=os.path.basename(path)):
				size, blocks, features = superblock(path)
				self.assertEqual(size, BLOCK)
				self.assertEqual(features & ~CHUNKED_FILE, 0)
				self.assertEqual(os.path.getsize(path) % BLOCK, 0)
		self.assertLessEqual(superblock(self.image["fsmeta"])[1] * BLOCK, os.path.getsize(self.raw))

	def test_disk_is_fsmeta_and_the_distinct_layers(self):
		info = json.loads(command.run(["qemu-img", "info", "--output=json", self.image["disk"]]))
		self.assertEqual(info["format"], "vmdk")
		self.assertEqual(info["virtual-size"], sum(map(os.path.getsize, self.parts)))
		with open(self.raw, "rb") as raw:
			for path in self.parts:
				with open(path, "rb") as part:
					self.assertEqual(raw.read(os.path.getsize(path)), part.read(), f"the disk's part that is {path}")

	def test_descriptor_names_only_files_beside_it(self):
		with open(self.image["disk"]) as file:
			lines = file.read().split("\n")
		extents = [line for line in lines if line.startswith(("RW", "RDONLY", "NOACCESS"))]
		self.assertEqual(len(extents), len(self.parts))
		for line, path in zip(extents, self.parts):
			match = DESCRIPTOR_LINE.fullmatch(line)
			self.assertIsNotNone(match, line)
			self.assertEqual(int(match[1]) * 512, os.path.getsize(path))
			self.assertTrue(os.path.samefile(path, os.path.join(self.image["directory"], match[2])))

	def test_folder_of_the_image_may_be_moved(self):
		for name in ("a folder (1)", "ünï-文件", 'with "quotes"', "/".join(["long" * 30] * 6)):
			with self.subTest(name=name):
				place = os.path.join(suite.temporary(self, "moved"), name)
				shutil.copytree(self.image["directory"], os.path.join(place, "image"))
				raw = mounts.raw_disk(self, os.path.join(place, "image", "disk.vmdk"))
				command.run(["cmp", raw, self.raw])
				os.unlink(raw)


class SmallCheckers(Checkers, unittest.TestCase):
	name = "small"


class PythonCheckers(Checkers, unittest.TestCase):
	name = "python"


if __name__ == "__main__":
	suite.main(NEEDS)
