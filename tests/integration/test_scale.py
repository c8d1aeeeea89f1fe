#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Very many entries, very many layers, very large files: right, and in bounded memory.

The largest memory of a pull is at most 250 bytes for each inode of the image, and 64 MiB, whatever the
sizes of its files. Times are printed, not judged: tests/cost counts instructions."""

import hashlib
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, many, mounts, oci_layout, suite, tar_recipe  # noqa: E402

NEEDS = ["kernel:erofs", "qemu-img"]
MIB, GIB = 1 << 20, 1 << 30
BYTES_PER_INODE, BASE = 250, 64 * MIB
# SHA-256 of archives that are nowhere in whole: many.file_pieces("big", size, marks_of(size)).
DIFF_IDS = {
	5 * GIB + 1: "sha256:5401717b360d82c417e26bac51b1ec22ebd25f40f9f3c194dd434c2bc5400028",
	9 * GIB: "sha256:f8e529ba56085fc481d7e4f532b0b9f8c06b38f88f177237ed2f2013c5d12cbd",
}


def marks_of(size):
	return {0: b"start", 2**31 - 1: b"across 31 bits", 2**32 + 1: b"behind 32 bits", size - 3: b"end"}


class Scale(unittest.TestCase):
	def setUp(self):
		self.work = suite.temporary(self, "work")
		self.image = oci_layout.Image(os.path.join(self.work, "image"))
		self.store = command.Store(os.path.join(self.work, "store"))
		self.seconds = 0.0  # of the processor, of the last pull

	def add_plain(self, pieces):
		"""A layer that is not packed, written piece by piece."""
		path = os.path.join(self.work, "layer.tar")
		with open(path, "wb") as out:
			for piece in pieces:
				out.write(piece)
			out.write(many.END)
		self.image.add_layer_file(path)

	def pull(self, inodes):
		"""Pulls, judges the memory, returns the folder where the disk is mounted."""
		self.image.commit("it")
		disk, peak, self.seconds = command.measured([suite.command_path(), "pull", "-q", "--store", self.store.folder, f"oci:{self.image.folder}:it"])
		print(f"      {inodes} inodes: {peak / MIB:.0f} MiB, {self.seconds:.1f} s of the processor")
		self.assertLessEqual(peak, BYTES_PER_INODE * inodes + BASE)
		return mounts.erofs(self, mounts.raw_disk(self, disk.strip()))

	def assert_some_exist(self, paths, uid=0):
		"""Each is found by the kernel's own search; names beside it are not."""
		for path in random.Random(1).sample(paths, 1000):
			self.assertEqual(os.lstat(path).st_uid, uid)
			self.assertFalse(os.path.lexists(path + "x"), path)
			self.assertFalse(os.path.lexists(path[:-1]), path)

	def test_a_million_files_in_a_thousand_folders(self):
		folders, files = 1000, 1000
		self.add_plain(many.entry(f"dir d{folder:04}") + many.empty_files(f"d{folder:04}/f", files) for folder in range(folders))
		root = self.pull(1 + folders + folders * files)
		names = [f"f{number:06}" for number in range(files)]
		self.assertEqual(sorted(os.listdir(root)), [f"d{folder:04}" for folder in range(folders)])
		for folder in range(folders):
			self.assertEqual(sorted(os.listdir(f"{root}/d{folder:04}")), names)
		self.assert_some_exist([f"{root}/d{folder:04}/f{number:06}" for folder in range(0, folders, 50) for number in range(files)])

	def test_300000_files_in_one_folder(self):
		"""In no order, so that all of them have to be sorted."""
		count, part = 300_000, 1000
		starts = list(range(0, count, part))
		random.Random(2).shuffle(starts)
		self.add_plain([many.entry("dir d"), *(many.empty_files("d/f", part, start) for start in starts)])
		root = self.pull(2 + count)
		self.assertEqual(sorted(os.listdir(f"{root}/d")), [f"f{number:06}" for number in range(count)])
		self.assert_some_exist([f"{root}/d/f{number:06}" for number in range(count)])

	def test_twice_as_many_take_about_twice_the_time(self):
		"""Printed only."""
		seconds = []
		for count in (50_000, 100_000, 200_000):
			self.setUp()
			self.add_plain([many.entry("dir d"), many.empty_files("d/f", count)])
			self.pull(2 + count)
			seconds.append(self.seconds)
		print("      " + ", ".join(f"{later / earlier:.2f} times" for earlier, later in zip(seconds, seconds[1:])))

	def test_a_merge_of_60000_files_and_4000_whiteouts(self):
		"""Of which 2,000 delete a file each and 2,000 a folder with 10; 1,000 files are replaced."""
		folders = 3000
		lower = [f"d{folder:04}/f{number:06}" for folder in range(folders) for number in range(20)]
		self.add_plain(many.entry(f"dir d{folder:04}") + many.empty_files(f"d{folder:04}/f", 20) for folder in range(folders))
		gone = [f"d{folder:04}" for folder in range(2000)]
		deleted = [f"d{folder:04}/f000000" for folder in range(2000, 3000)] + [f"d{folder:04}/f000001" for folder in range(2000, 3000)]
		replaced = [f"d{folder:04}/f000002" for folder in range(2000, 3000)]
		self.add_plain([many.entry("".join(f"whiteout {path}\n" for path in gone + deleted) + "".join(f"file {path} uid=7\n" for path in replaced))])
		root = self.pull(1 + folders + len(lower) + len(replaced))
		left = {path for path in lower if path[:5] not in gone} - set(deleted)
		shown = {os.path.relpath(os.path.join(folder, name), root) for folder, _, names in os.walk(root) for name in names}
		self.assertEqual(shown, left)
		for path in sorted(left):
			self.assertEqual(os.lstat(os.path.join(root, path)).st_uid, 7 if path in replaced else 0)

	def test_layers_of_the_same_size_on_each_other(self):
		"""Three of 100,000 names each: the merged tree and one layer's are in memory at once."""
		count = 100_000
		for layer in range(3):
			self.add_plain([many.entry(f"dir d{layer}"), many.empty_files(f"d{layer}/f", count)])
		root = self.pull(4 + 3 * count)
		for layer in range(3):
			self.assertEqual(len(os.listdir(f"{root}/d{layer}")), count)

	def test_200_layers(self):
		"""Each deletes the file of the one before, or lists a folder again."""
		for number in range(200):
			lines = [f"file layer-{number} data={number}", f"file last data={number}"]
			if number:
				lines.append(f"whiteout layer-{number - 1}" if number % 2 else f"dir etc uid={number}")
			self.image.add_layer(tar_recipe.build("\n".join(lines)))
		root = self.pull(1000)
		with open(os.path.join(root, "last"), "rb") as file:
			self.assertEqual(file.read(), b"199")
		self.assertEqual(os.lstat(os.path.join(root, "etc")).st_uid, 198)
		self.assertEqual(set(os.listdir(root)), {"etc", "last"} | {f"layer-{number}" for number in range(1, 200, 2)})

	def test_files_of_5_and_9_gib(self):
		"""Through gzip, stored in full in their archives, which are nowhere: the blobs are made of
		members that repeat."""
		for size, diff_id in DIFF_IDS.items():
			with self.subTest(size=size):
				self.setUp()
				self.image.add_layer(None, diff_id=diff_id, blob=many.gzipped_file("big", size, marks_of(size)))
				root = self.pull(2)
				self.assert_marks(os.path.join(root, "big"), size)

	def assert_marks(self, path, size):
		"""The marks, and zeros around them and at random places."""
		marks = marks_of(size)
		places = [random.Random(3).randrange(size - 8192) for _ in range(200)] + [max(offset - 4096, 0) for offset in marks]
		with open(path, "rb") as file:
			self.assertEqual(os.fstat(file.fileno()).st_size, size)
			for place in places:
				expected = bytearray(min(8192, size - place))
				for offset, mark in marks.items():
					if place <= offset < place + len(expected):
						expected[offset - place:offset - place + len(mark)] = mark
				shown = os.pread(file.fileno(), len(expected), place)
				self.assertEqual(hashlib.sha256(shown).digest(), hashlib.sha256(expected[:len(shown)]).digest(), f"at {place}")


if __name__ == "__main__":
	suite.main(NEEDS)
