#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whatever a name was, whatever a layer makes of it: every series of up to three steps, over every
type of file that a lower layer may have there.

The steps of a layer: put each type of file under the name, a child below it, delete the name or its
child, clear it. All series stand in one image, each under a name of its own, and once more with each
step in a layer of its own; in another image stand stacks of four layers made at random, each in a folder of its own. Three judges: a small model of the
rules, the kernel's reading of the layer images, the kernel's overlay of these."""

import hashlib
import itertools
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import layer_images, layer_model, layers, suite, tar_recipe, tree  # noqa: E402

NEEDS = ["fsck.erofs"]
TYPES = ("file", "dir", "symlink", "fifo", "char", "link")
STEPS = (*TYPES, "child", "delete", "delete child", "clear")
LONGEST = 3  # steps of a series
STACKS, LAYERS = 1000, 4  # made at random


class Writer:
	"""A layer as an archive, and in the model."""

	def __init__(self):
		self.archive = tar_recipe.Archive()
		self.model = layer_model.Layer()
		self.above = ""  # the folder that the model is about
		self.count = 0

	def node(self, kind, **more):
		"""The owner tells which entry it was."""
		self.count += 1
		return tree.Node(kind, 0o640, self.count, 0, 0, int(kind != "directory"), **more)

	def entry(self, flag, path, node, **options):
		self.archive.entry(flag, (self.above + path).encode(), {b"mode": b"0%o" % node.mode, b"uid": b"%d" % node.uid,
			**{key.encode(): value for key, value in options.items()}})

	def put(self, kind, path):
		getattr(self, "put_" + kind.replace(" ", "_"))(path)

	def put_file(self, path):
		node = self.node("file")
		data = b"%d" % node.uid
		node.size, node.sha256 = len(data), hashlib.sha256(data).hexdigest()
		self.entry(b"0", path, node, data=data)
		self.model.put(path, node)

	def put_dir(self, path):
		node = self.node("directory")
		self.entry(b"5", path + "/", node)
		self.model.put(path, node)

	def put_symlink(self, path, target="elsewhere"):
		node = self.node("symlink", target=f"/{self.above}{target}".encode())
		node.mode = 0o777
		self.entry(b"2", path, node, link=node.target)
		self.model.put(path, node)

	def put_fifo(self, path):
		node = self.node("fifo")
		self.entry(b"6", path, node)
		self.model.put(path, node)

	def put_char(self, path):
		node = self.node("char", device=(1, 3))
		self.entry(b"3", path, node, major=b"1", minor=b"3")
		self.model.put(path, node)

	def put_link(self, path, target="target"):
		"""Its header says the same as that of the file, which is the layer's own."""
		self.entry(b"1", path, self.model.nodes[target], link=(self.above + target).encode())
		self.model.link(path, target)

	def put_child(self, path):
		self.put_file(f"{path}/{os.path.basename(path)}-new")

	def put_delete(self, path):
		above, name = os.path.split(path)
		self.entry(b"0", os.path.join(above, f".wh.{name}"), tree.Node("file", 0, 0, 0, 0, 0))
		self.model.delete(path)

	def put_delete_child(self, path):
		self.put_delete(f"{path}/{os.path.basename(path)}-old")

	def put_clear(self, path):
		self.entry(b"0", f"{path}/.wh..wh..opq", tree.Node("file", 0, 0, 0, 0, 0))
		self.model.clear(path)

	def common(self):
		self.put_dir("elsewhere")
		self.put_file("target")

	def tar(self):
		return b"".join(self.archive.chunks())


def series():
	"""(the lower layer's type or None, steps of the upper layer)"""
	for length in range(1, LONGEST + 1):
		for steps in itertools.product(STEPS, repeat=length):
			for lower in (None, *TYPES):
				yield lower, steps


class Judged:
	"""What both images have to stand. A class has pulled, models (what the layer images and the disk
	must show) and meaning(name)."""

	def assert_same(self, ours, theirs, *names):
		lines = tree.compare(ours, theirs, *names)
		self.assertGreater(len(theirs), 1000)
		self.assertEqual(lines, [], "\n".join(f"{self.explained(line)}: {line}" for line in lines[:40]))

	def test_layer_images_are_what_the_rules_say(self):
		for number, listing in enumerate(self.models[:-1]):
			self.assert_same(self.pulled.images[number], listing, f"the image of layer {number + 1}", "the model")

	def test_merge_is_what_the_rules_say(self):
		self.assert_same(self.pulled.disk, self.models[-1], "the disk", "the model")

	def test_merge_is_what_the_kernel_stacks(self):
		layer_images.assert_stacked(self, self.pulled)

	def test_no_marks_are_left(self):
		layer_images.assert_layer_images(self, self.pulled)


class Series(Judged, unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		lower, upper = Writer(), Writer()
		cls.meaning = {}
		for writer in (lower, upper):
			writer.common()
		for number, (old, steps) in enumerate(series()):
			path = f"all/{number:05}"
			cls.meaning[f"{number:05}"] = f"[{old}] {', '.join(steps)}"
			if old:
				lower.put(old, path)
			if old == "dir":
				lower.put_file(f"{path}/{number:05}-old")
			for step in steps:
				upper.put(step, path)
		for writer in (lower, upper):
			writer.model.finish()
		tars = [writer.tar() for writer in (lower, upper)]
		cls.models = [lower.model.listing(), upper.model.listing(), layer_model.stack([lower.model, upper.model])]
		cls.pulled = layer_images.pull(cls("test_no_marks_are_left"), tars)

	def explained(self, line):
		return self.meaning.get(line.partition("/all/")[2][:5], "")


class SeriesOfLayers(Judged, unittest.TestCase):
	"""The same series with each step in a layer of its own."""

	@classmethod
	def setUpClass(cls):
		writers = [Writer() for _ in range(1 + LONGEST)]
		cls.meaning = {}
		for writer in writers:
			writer.common()
		for number, (old, steps) in enumerate(series()):
			path = f"all/{number:05}"
			cls.meaning[f"{number:05}"] = f"[{old}] {' | '.join(steps)}"
			if old:
				writers[0].put(old, path)
			if old == "dir":
				writers[0].put_file(f"{path}/{number:05}-old")
			for writer, step in zip(writers[1:], steps):
				writer.put(step, path)
		for writer in writers:
			writer.model.finish()
		cls.models = [*(writer.model.listing() for writer in writers), layer_model.stack([writer.model for writer in writers])]
		cls.pulled = layer_images.pull(cls("test_no_marks_are_left"), [writer.tar() for writer in writers])

	def explained(self, line):
		return self.meaning.get(line.partition("/all/")[2][:5], "")


class RandomStacks(Judged, unittest.TestCase):
	"""Names of up to three components, out of few, so that they meet. "t" and "t/u" are where links
	lead, and are never links."""

	PLACES = [*"abct", "t/u", *(f"{x}/{y}" for x in "abct" for y in "abc"), *(f"{x}/{y}/{z}" for x in "ab" for y in "ab" for z in "abc")]

	@classmethod
	def setUpClass(cls):
		writers = [Writer() for _ in range(LAYERS)]
		cls.models = [{b"": layer_model.folder()} for _ in range(LAYERS + 1)]
		for listing in cls.models[:-1]:
			listing[b""].xattrs[layers.IMPLIED] = b"y"
		for number in range(STACKS):
			cls.add_stack(f"{number:04}/", writers, random.Random(number))
		cls.pulled = layer_images.pull(cls("test_no_marks_are_left"), [writer.tar() for writer in writers])

	@classmethod
	def add_stack(cls, folder, writers, choice):
		models = []
		for writer in writers:
			writer.above, writer.model = folder, layer_model.Layer(f"/{folder}")
			models.append(writer.model)
			writer.put_dir("")
			for _ in range(choice.randint(0, 6)):
				cls.add_step(writer, choice)
			writer.model.finish()
		for listing, shown in zip(cls.models, [*(model.listing() for model in models), layer_model.stack(models)]):
			for path, node in shown.items():
				node.names = tuple(os.path.join(folder.encode(), name) for name in node.names)
				listing[os.path.join(folder.encode(), path).rstrip(b"/")] = node

	@staticmethod
	def add_step(writer, choice):
		path, step = choice.choice(RandomStacks.PLACES), choice.choice(("file", "dir", "symlink", "fifo", "char", "link", "delete", "delete", "clear"))
		files = sorted(name for name, node in writer.model.nodes.items() if node.kind == "file")
		if step == "link" and files:
			writer.put_link(path, choice.choice(files))
		elif step == "symlink" and path not in ("t", "t/u"):
			writer.put_symlink(path, choice.choice(("t", "t/u")))
		elif step not in ("link", "symlink"):
			writer.put(step, path)

	def explained(self, line):
		return "made at random"


if __name__ == "__main__":
	suite.main(NEEDS)
