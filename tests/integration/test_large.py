#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sizes beyond 32 bits, many names: right to the last byte, in little memory."""

import os
import random
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, mounts, oci_layout, suite  # noqa: E402

NEEDS = ["kernel:erofs", "qemu-img", "tar"]
MIB, GIB = 1 << 20, 1 << 30
MEMORY = 256 * MIB  # for any layer whose metadata is small; a build with sanitizers needs more


class Large(unittest.TestCase):
	def setUp(self):
		self.work = suite.temporary(self, "work")
		self.image = oci_layout.Image(os.path.join(self.work, "image"))
		self.store = command.Store(os.path.join(self.work, "store"))

	def pull(self):
		self.image.commit("it")
		return self.store.pull(f"oci:{self.image.folder}:it")

	def memory_of_pull(self):
		"""Pulls, and returns the largest number of bytes that the process held."""
		self.image.commit("it")
		_, peak, _ = command.measured([suite.command_path(), "pull", "-q", "--store", self.store.folder, f"oci:{self.image.folder}:it"])
		return peak

	def mount(self, image):
		return mounts.erofs(self, mounts.raw_disk(self, image["disk"]))

	def assert_marks(self, path, size, marks):
		self.assertEqual(os.path.getsize(path), size)
		with open(path, "rb") as file:
			for offset, text in marks.items():
				file.seek(offset)
				self.assertEqual(file.read(len(text)), text, f"at {offset}")

	def test_layer_beyond_two_gib(self):
		"""A plain tar with a file of 2,300 MiB that is data, though zeros; files before and after it."""
		size = 2300 * MIB + 123
		marks = {0: b"start", 2 * GIB - 3: b"middle", size - 3: b"end"}
		path = os.path.join(self.work, "layer.tar")
		with open(path, "wb") as out:
			info, text = oci_layout.described("before", b"before\n")
			out.write(info.tobuf(tarfile.PAX_FORMAT) + text.ljust(512, b"\0"))
			info = tarfile.TarInfo("big")
			info.size = size
			out.write(info.tobuf(tarfile.PAX_FORMAT))
			start = out.tell()
			for offset, mark in marks.items():
				out.seek(start + offset)
				out.write(mark)
			out.seek(start + size + -size % 512)
			info, text = oci_layout.described("after", b"after\n")
			out.write(info.tobuf(tarfile.PAX_FORMAT) + text.ljust(512, b"\0") + bytes(1024))
		self.image.add_layer_file(path)
		self.assertLess(self.memory_of_pull(), MEMORY)
		root = self.mount(self.pull())
		self.assert_marks(os.path.join(root, "big"), size, marks)
		for name in ("before", "after"):
			self.assert_marks(os.path.join(root, name), len(name) + 1, {0: name.encode() + b"\n"})

	def test_sparse_file_beyond_four_gib(self):
		size = 6 * GIB + 5
		marks = {0: b"start", 2 * GIB - 2: b"across 31 bits", 4 * GIB - 2: b"across 32 bits", size - 3: b"end"}
		folder = os.path.join(self.work, "tree")
		os.mkdir(folder)
		with open(os.path.join(folder, "sparse"), "wb") as file:
			for offset, mark in marks.items():
				file.seek(offset)
				file.write(mark)
		tar = os.path.join(self.work, "layer.tar")
		command.run(["tar", "-C", folder, "--format=posix", "-S", "-cf", tar, "sparse"])
		self.image.add_layer_file(tar)
		image = self.pull()
		self.assertLess(image["layers"][0]["size"], 64 * MIB)
		self.assert_marks(os.path.join(self.mount(image), "sparse"), size, marks)

	def test_a_hundred_thousand_names(self):
		"""In one directory, in no order; half of them are removed one by one in the layer above."""
		names = [f"name-{number:06}" for number in range(100_000)]
		shuffled = names[:]
		random.Random(1).shuffle(shuffled)
		for entries in ([(f"d/{name}", b"") for name in shuffled], [(f"d/.wh.{name}", b"") for name in shuffled[::2]]):
			self.image.add_layer(oci_layout.tar(entries))
		root = self.mount(self.pull())
		self.assertEqual(sorted(os.listdir(os.path.join(root, "d"))), sorted(shuffled[1::2]))
		for name in shuffled[1:2000:2]:
			self.assertEqual(os.path.getsize(os.path.join(root, "d", name)), 0)
		for name in shuffled[:2000:2]:
			self.assertFalse(os.path.exists(os.path.join(root, "d", name)))


if __name__ == "__main__":
	suite.main(NEEDS)
