#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stacks of layers made at random: thousands, in folders of one image. What the kernel shows of its
layer images and of its disk is compared with the model of tests/support/layer_model.py, and the disk with
the kernel's overlay of the layer images. Stacks that the model refuses are pulled one by one.

A stack that fails is shrunk and printed as a recipe, ready for fixtures/layers/.

	MKROOTFS_TEST_SEED=7 MKROOTFS_TEST_STACKS=20000 python3 tests/integration/test_random.py
"""

import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import layer_images, layer_model, layers, oci_layout, stacks, suite, tar_recipe, tree  # noqa: E402

NEEDS = ["fsck.erofs"]
SEED = int(os.environ.get("MKROOTFS_TEST_SEED", "1"))
STACKS = int(os.environ.get("MKROOTFS_TEST_STACKS", "3000"))
REFUSED = 40  # as many of those are pulled
SHRUNK = 3  # as many of those that fail are made small and shown
BAD_INPUT = 6  # exit code


def plain(tar):
	return tar


def tars_of(stack, folder=""):
	archives = tar_recipe.parse("\n".join(stacks.archives("x", stack, folder)))
	return [b"".join(archives[f"x.{number}"].chunks()) for number in range(1, len(stack) + 1)]


def differences(stack, model=layer_model.Layer):
	"""Pulls a stack by itself; what is not as the model says, as lines."""
	folder = "s/"
	verdict = stacks.judge(stack, folder, model)
	with suite.Scope() as scope:
		image = oci_layout.Image(os.path.join(suite.temporary(scope, "layout"), "image"))
		for tar in tars_of(stack, folder):
			image.add_layer(tar, blob=tar)
		image.commit("it")
		done = layer_images.attempt(scope, image, layer_images.new_store(scope))
		if verdict.refused or done.returncode:
			right = done.returncode == (BAD_INPUT if verdict.refused else 0)
			return [] if right else [f"refused by the model: {verdict.refused or 'no'}, exit code {done.returncode}: {done.stderr}"]
		shown = mounted(scope, done)
		return compare(shown.images, shown.disk, verdict, folder)


def mounted(scope, done):
	"""A Scope is no TestCase, but all that layer_images needs of one is this."""
	scope.assertEqual = lambda left, right, text: None if left == right else (_ for _ in ()).throw(AssertionError(text))
	return layer_images.mounted(scope, done)


def compare(images, disk, verdict, folder):
	lines = []
	for number, listing in enumerate([*verdict.images, verdict.disk]):
		shown = images[number] if number < len(verdict.images) else disk
		what = f"the image of layer {number + 1}" if number < len(verdict.images) else "the disk"
		lines += tree.compare(below(shown, folder), listing, what, "the model")
	return lines


def below(listing, folder):
	"""The part of a listing in a folder, as the model names it."""
	prefix = os.fsencode(folder)
	part = {}
	for path, node in listing.items():
		if (path + b"/").startswith(prefix):
			node = tree.dataclasses.replace(node, names=tuple(name[len(prefix):] for name in node.names))
			part[path[len(prefix):]] = node
	return part


def by_folder(listing):
	"""{folder: its part of the listing}"""
	parts = {}
	for path, node in listing.items():
		folder, _, rest = path.partition(b"/")
		if folder:
			cut = len(folder) + 1
			node = tree.dataclasses.replace(node, names=tuple(name[cut:] for name in node.names))
			parts.setdefault(os.fsdecode(folder) + "/", {})[rest] = node
	return parts


class Batch(unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		print(f"      MKROOTFS_TEST_SEED={SEED} MKROOTFS_TEST_STACKS={STACKS}")
		cls.stacks, cls.refused = {}, []
		for number in range(STACKS):
			folder = f"{number:05}/"
			stack, verdict = stacks.make(random.Random(f"{SEED} {number}"), folder)
			if verdict.refused:
				cls.refused.append((stack, verdict))
			else:
				cls.stacks[folder] = (stack, verdict)
		texts = [[] for _ in range(stacks.MOST_LAYERS)]
		for folder, (stack, _) in cls.stacks.items():
			for lines, entries in zip(texts, stack):
				lines += [f"dir {folder}", *(stacks.line_of(entry, folder) for entry in entries)]
		tars = [tar_recipe.build("\n".join(lines)) for lines in texts]
		cls.pulled = layer_images.pull(cls("test_images_and_disk"), tars, plain)

	def fail_with(self, wrong):
		"""wrong: {folder: lines}. Shows each by itself, as small as it gets."""
		text = [f"{len(wrong)} of {len(self.stacks)} stacks are wrong, MKROOTFS_TEST_SEED={SEED}"]
		for folder, lines in list(wrong.items())[:SHRUNK]:
			text += [f"--- {folder}", *lines[:10]]
			stack = self.stacks[folder][0]
			if not differences(stack):
				text += ["It is right when it is pulled by itself:", stacks.recipe("random", stack)]
				continue
			least = stacks.shrink(stack, differences)
			text += ["The least stack that fails:", *differences(least)[:10], "", stacks.recipe("random", least)]
		self.fail("\n".join(text))

	def test_images_and_disk(self):
		images = [by_folder(listing) for listing in self.pulled.images]
		disk = by_folder(self.pulled.disk)
		self.assertEqual(disk.keys(), self.stacks.keys())
		wrong = {}
		for folder, (stack, verdict) in self.stacks.items():
			lines = compare([image.get(folder, {}) for image in images[:len(stack)]], disk[folder], verdict, "")
			if lines:
				wrong[folder] = lines
		if wrong:
			self.fail_with(wrong)

	def test_what_the_kernel_stacks(self):
		"""In a folder with hard links to lower layers' files, also the attributes of files differ that
		lost such a name again."""
		linked = {folder for folder, (_, verdict) in self.stacks.items() if any(layers.HARDLINK in node.xattrs for listing in verdict.images for node in listing.values())}
		self.assertLess(len(linked), len(self.stacks) // 2)
		layer_images.assert_stacked(self, self.pulled, lambda path, field: os.fsdecode(path[:6]) in linked and field in (*layer_images.METADATA, "names"))

	def test_no_marks_are_left(self):
		layer_images.assert_layer_images(self, self.pulled)

	def test_what_the_model_refuses(self):
		self.assertGreater(len(self.refused), STACKS // 100)
		for stack, verdict in self.refused[:REFUSED]:
			lines = differences(stack)
			if lines:
				self.fail("\n".join([*lines, stacks.recipe("random", stacks.shrink(stack, differences))]))


class BlindToOpaqueMarks(layer_model.Layer):
	def clear(self, path):
		"""Wrong on purpose."""


class LinksKeepTheirTargetsOwner(layer_model.Layer):
	"""Wrong on purpose."""

	def link(self, path, target, header=None):
		where = self.find(target)
		if where is not None and isinstance(self.nodes[where], layer_model.Waiting):
			self.settle(where)
		super().link(path, target, header if self.shared(target) is None else None)


class Shrinking(unittest.TestCase):
	"""A model with a fault stands for a command with one: what is left shows the fault and no more."""

	def test_a_fault_is_boiled_down(self):
		for model, entries in ((BlindToOpaqueMarks, 1), (LinksKeepTheirTargetsOwner, 2)):
			found = 0
			for number in range(400):
				stack, _ = stacks.make(random.Random(number))
				found += self.boil_down(stack, model, entries)
			self.assertGreater(found, 5, model)

	def boil_down(self, stack, model, entries):
		def fails(stack):
			right, wrong = stacks.judge(stack), stacks.judge(stack, model=model)
			return right.refused != wrong.refused or right.disk != wrong.disk

		if not stacks.still(stack, fails):
			return False
		least = stacks.shrink(stack, fails)
		self.assertTrue(fails(least))
		self.assertLessEqual(sum(map(len, least)), entries, stacks.recipe("least", least))
		self.assertEqual([len(entries) for entries in least if not entries], [])
		return True

	def test_the_commands_own_results(self):
		"""The same with the command as the one that differs."""
		stack, _ = stacks.make(random.Random("1 9"))
		stack += [[stacks.Entry("file", "d/old", data="old"), stacks.Entry("dir", "e", mode=0o711)], [stacks.Entry("opaque", "d"), stacks.Entry("file", "z", mtime=5)]]
		least = stacks.shrink(stack, lambda stack: differences(stack, BlindToOpaqueMarks))
		self.assertEqual([[entry.verb for entry in entries] for entries in least], [["opaque"]], stacks.recipe("least", least))

	def test_the_recipe_says_the_same(self):
		"""What is printed is read by the tests of recipes, as the same archives and the same trees."""
		for number in range(300):
			stack, verdict = stacks.make(random.Random(number))
			[parsed] = layers.parse(stacks.recipe("name", stack).encode()).values()
			if verdict.refused:
				self.assertEqual((parsed.refused, parsed.code, parsed.tars), (verdict.refused, BAD_INPUT, tars_of(stack[:verdict.layer + 1])))
			else:
				self.assertEqual(parsed.tars, tars_of(stack))
				self.assertEqual(tree.compare(parsed.disk, verdict.disk, "the recipe", "the model"), [])


if __name__ == "__main__":
	suite.main(NEEDS)
