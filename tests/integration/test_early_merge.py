#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fsmeta is the same, byte for byte, whether the layers' trees came straight from their conversion or were
read back from the layer images: of each recipe, and of stacks made at random.

An image is pulled into an empty store; then its folder is removed, and it is pulled again, which finds the
layers there and reads them. And again with several layers in work at once, with some of the layers there
already. What `mkrootfs verify` says of archives of root filesystems."""

import glob
import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, layers, oci_layout, stacks, suite, tar_recipe  # noqa: E402

STACKS = 600  # made at random, in folders of a few images
IMAGES = 3
FIXTURES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures")


def fsmeta(store):
	"""The bytes of the only image's."""
	path, = glob.glob(os.path.join(store.folder, "images", "*", "fsmeta.erofs"))
	with open(path, "rb") as file:
		return file.read()


def forget_image(store):
	for name in ("images", "references"):
		shutil.rmtree(os.path.join(store.folder, name))


def merge_warnings(done):
	"""To read an image back cannot tell again what its conversion told."""
	return [line for line in done.stderr.splitlines() if "hides the symbolic link" in line]


class SameBytes(unittest.TestCase):
	def new_store(self):
		return command.Store(os.path.join(suite.temporary(self, "store"), "store"))

	def pull(self, store, reference, *options):
		done = store.attempt_pull(reference, *options, timeout=60)
		self.assertEqual(done.returncode, 0, done.stderr)
		return done

	def check_refused(self, what, reference, first):
		done = self.new_store().attempt_pull(reference, "--jobs", "3", timeout=60)
		self.assertEqual(done.returncode, first.returncode, what)

	def check(self, what, reference):
		"""Returns a store with the image, or None when it is refused, and what its fsmeta must be."""
		store = self.new_store()
		first = store.attempt_pull(reference, "--jobs", "1", timeout=60)
		if first.returncode != 0:
			self.check_refused(what, reference, first)
			return None, None
		straight = fsmeta(store)
		forget_image(store)
		again = self.pull(store, reference)
		self.assertEqual(merge_warnings(again), merge_warnings(first), what)
		self.assertTrue(fsmeta(store) == straight, f"{what}: read back, fsmeta differs")
		return store, straight

	def check_stack(self, what, tars):
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		for tar in tars:
			image.add_layer(tar, blob=tar)
		image.commit("it")
		store, straight = self.check(what, f"oci:{image.folder}:it")
		if store and len(tars) > 1:
			self.check_ways(what, store, image, straight)
		return store is not None

	def check_ways(self, what, store, image, straight):
		reference, other = f"oci:{image.folder}:it", self.new_store()
		self.pull(other, reference, "--jobs", "4")
		self.assertTrue(fsmeta(other) == straight, f"{what}: made by several jobs, fsmeta differs")
		for diff_id in sorted(set(image.diff_ids)):
			forget_image(store)
			os.remove(os.path.join(store.folder, "layers", diff_id.partition(":")[2] + ".erofs"))
			self.pull(store, reference)
			self.assertTrue(fsmeta(store) == straight, f"{what}: when only {diff_id} was made, fsmeta differs")


class Recipes(SameBytes):
	def check_recipe(self, name):
		accepted = 0
		for stack in layers.load(name).values():
			accepted += self.check_stack(f"{name}: {stack.name}", stack.tars)
		self.assertGreater(accepted, 0)

	def check_tar(self, what, reference):
		"""A tar is converted each time that it is pulled; verify merges what the store has. Returns whether
		it is one that can be pulled."""
		store = self.new_store()
		if store.attempt_pull(reference).returncode != 0:
			return False
		done = command.mkrootfs("verify", "--store", store.folder)
		self.assertEqual(done.returncode, 0, f"{what}: {done.stdout}")
		return True

	def test_tars(self):
		count = 0
		for path in sorted(glob.glob(os.path.join(FIXTURES, "tar", "good-*.recipe"))):
			with open(path, "rb") as file:
				archives = tar_recipe.parse(file.read())
			for name, archive in archives.items():
				tar = b"".join(archive.chunks())
				if len(tar) > 4 << 20:
					continue
				what = f"{os.path.basename(path)}: {name}"
				file = os.path.join(suite.temporary(self, "tar"), "it.tar")
				with open(file, "wb") as out:
					out.write(tar)
				count += self.check_tar(what, f"tar:{file}")
		self.assertGreater(count, 20)

	def test_layers_that_come_twice(self):
		one, two = (tar_recipe.build(text) for text in ("dir d\nfile d/a data=1\nsymlink l -> d\n", "dir l\nfile d/b data=2\nhardlink l/a -> d/b\n"))
		for numbers in ("00", "010", "0101", "1001", "110"):
			self.check_stack(numbers, [(one, two)[int(number)] for number in numbers])


def add_recipes():
	for path in sorted(glob.glob(os.path.join(layers.FOLDER, "*.recipe"))):
		name = os.path.basename(path).removesuffix(".recipe")
		setattr(Recipes, "test_" + name.replace("-", "_"), lambda test, name=name: test.check_recipe(name))


class Random(SameBytes):
	def make(self, seed):
		texts = [[] for _ in range(stacks.MOST_LAYERS)]
		for number in range(STACKS // IMAGES):
			folder = f"{number:05}/"
			stack, verdict = stacks.make(random.Random(f"{seed} {number}"), folder)
			if verdict.refused:
				continue
			for lines, entries in zip(texts, stack):
				lines += [f"dir {folder}", *(stacks.line_of(entry, folder) for entry in entries)]
		return [tar_recipe.build("\n".join(lines)) for lines in texts]

	def test_stacks(self):
		for seed in range(IMAGES):
			self.assertTrue(self.check_stack(f"seed {seed}", self.make(seed)))


if __name__ == "__main__":
	add_recipes()
	suite.main()
