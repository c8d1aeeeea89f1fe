#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ls, stat and cat read an image without a mount: they must say what the kernel says of the same one.

Each image is read in every form in which it can be named (image folder, disk.vmdk, fsmeta beside it, raw
disk, name in the store, each layer) and compared with a mount: all names, attributes, contents.
"""

import json
import os
import random
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, layer_images, layers, mounts, our_tree, suite, tree  # noqa: E402
from support.tar_maker import Maker  # noqa: E402

NEEDS = ["kernel:erofs", "fsck.erofs", "mkfs.erofs", "chroot"]
BLOCK = 4096
ODD = b"\xff\xfe \n\t\"\\ \xe2\x80"


def inodes(folder):
	"""{path: inode number} of all names below a folder."""
	found = {b"": os.lstat(folder).st_ino}
	for parent, directories, files in os.walk(os.fsencode(folder)):
		for name in directories + files:
			path = os.path.join(parent, name)
			found[os.path.relpath(path, os.fsencode(folder))] = os.lstat(path).st_ino
	return found


class ReaderCase(unittest.TestCase):
	maxDiff = None

	def assert_reads(self, image, folder):
		tree.assert_same(self, our_tree.listing(image), tree.listing(folder), f"our {image}", "the kernel")
		numbers = {path: one["inode"] for path, one in our_tree.objects(image).items()}
		self.assertEqual(numbers, inodes(folder))

	def assert_reads_pulled(self, pulled):
		disk = mounts.erofs(self, pulled.raw)
		self.assert_reads(pulled.raw, disk)
		expected = our_tree.objects(pulled.result["disk"])
		for form in (pulled.result["directory"], pulled.result["fsmeta"]):
			self.assertEqual(our_tree.objects(form), expected)
		self.assert_reads(pulled.result["disk"], disk)
		for path, folder in zip(pulled.paths, pulled.folders):
			self.assert_reads(path, folder)


def everything(levels=60, longest=255):
	"""One of each kind of thing that a layer can hold."""
	maker = Maker(mode=0o1750, uid=3, mtime="-1.5", xattrs={"user.root": b"r"})
	noise = random.Random(5)
	for size in (0, 1, 63, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 300_001):
		maker.file(f"size-{size}", noise.randbytes(size), mtime="1700000000.123456789")
	maker.file(b"name-" + ODD, b"odd")
	maker.file("a:", b"colon")
	maker.dir("c:")
	maker.file("c:/d", b"a path that looks like IMAGE:/PATH")
	maker.file("n" * longest, b"long", mode=0o4711, uid=4294967294, gid=70000)
	maker.dir(b"dir-" + ODD, mode=0o2770)
	maker.file(b"dir-" + ODD + b"/" + b"\xf0" * longest, b"deep odd")
	deep = ""
	for level in range(levels):
		deep = f"{deep}{'/' if deep else ''}level-{level:02}-{'x' * 40}"
		maker.dir(deep)
	maker.file(f"{deep}/bottom", b"deep")
	maker.dir("many")
	for number in range(1500):
		maker.file(f"many/{number * 7919 % 1500:05}-{'y' * (number % 50)}", b"%d" % number)
	maker.link("hard-1", "size-1")
	maker.link("many/hard-2", "size-1")
	maker.fifo("fifo", mode=0o600)
	maker.device("char", "char", 1, 3)
	maker.device("block", "block", 4095, 1048575)
	maker.device("char", "zero", 0, 0)
	for number in range(12):
		maker.file(f"attributes-{number}", xattrs={"user.shared": b"all of them", "trusted.own": b"%d" % number * 20,
			"security.bytes": bytes(range(256))})
	maker.dir("attributed", xattrs={"user.d": b"x"})
	for name, target in LINKS.items():
		maker.symlink(name, target)
	return maker


LINKS = {
	"to-file": "size-63", "absolute": "/size-63", "above-the-root": "../../../../size-63", "to-nothing": "none", "to-itself": "to-itself",
	"ping": "pong", "pong": "ping", "to-directory": "many", "through": "to-directory/../many/../to-file", "slash": "many/", "file-slash": "size-63/",
	"to-root": "/", "long": "./" * 2000 + "size-63", "chain-0": "size-63", **{f"chain-{i}": f"chain-{i - 1}" for i in range(1, 45)},
	"many/up": "../size-63", "many/absolute": "/many/../many/up", "attributed/far": "../to-root/many/up",
}


def resolved_in(folder, paths):
	"""{path: inode number} of what stat() finds with the folder as the root, None where it fails."""
	reader, writer = os.pipe()
	child = os.fork()
	if child == 0:
		os.chroot(folder)
		os.chdir("/")
		with os.fdopen(writer, "w") as out:
			for path in paths:
				try:
					out.write(f"{os.stat(path).st_ino}\n")
				except OSError:
					out.write("-\n")
		os._exit(0)
	os.close(writer)
	with os.fdopen(reader) as answers:
		lines = answers.read().split()
	os.waitpid(child, 0)
	return {path: None if line == "-" else int(line) for path, line in zip(paths, lines, strict=True)}


class Handmade(ReaderCase):
	def test_everything_a_layer_can_hold(self):
		pulled = layer_images.pull(self, [everything().tar()])
		self.assert_reads_pulled(pulled)

	def test_paths_lead_where_the_kernel_leads(self):
		pulled = layer_images.pull(self, [everything().tar()])
		paths = list(LINKS)
		paths += [f"{path}/" for path in paths] + [f"{path}/." for path in paths] + [f"{path}/.." for path in paths]
		paths += ["/", "//", ".", "..", "../..", "./many/./up", "many/../size-1", "size-1/..", "size-1/../size-63", "none/..", "many//up", "to-root/to-root/many",
			"n" * 255, "n" * 256, "many/none", "c:/d", "fifo/x"]
		expected = resolved_in(pulled.folders[0], paths)
		self.assertGreater(sum(inode is None for inode in expected.values()), 20)
		image = pulled.paths[0]
		for path, inode in expected.items():
			with self.subTest(path):
				self.assert_found(image, path, inode)

	def assert_found(self, image, path, inode):
		"""What cat and ls find when they follow: the same file, or nothing."""
		data = command.mkrootfs("cat", f"{image}:/{path}")
		if inode is None:
			self.assertIn(data.returncode, (3, 6), data.stderr)
			self.assertEqual(data.stdout, "")
			return
		if data.returncode == 0:
			self.assertEqual(inode, self.inode_of_data(image, data.stdout))
			return
		self.assertEqual(data.returncode, 2, data.stderr)
		inside = json.loads(our_tree.run("stat", "--json", f"{image}:/{path}/."))
		self.assertEqual((inside["type"], inside["inode"]), ("directory", inode))

	def inode_of_data(self, image, text):
		"""Which file has this content; those that are asked for have one of their own."""
		if not hasattr(self, "contents"):
			self.contents = {}
			for name in ("size-63", "size-1", "n" * 255, "c:/d"):
				one = json.loads(our_tree.run("stat", "--json", f"{image}:/{name}"))
				self.contents[command.mkrootfs("cat", f"{image}:/{name}").stdout] = one["inode"]
		return self.contents[text]

	def test_stacks_of_the_recipes(self):
		for name in ("metadata", "names"):
			for stack in layers.load(name).values():
				if stack.refused:
					continue
				with self.subTest(f"{name}: {stack.name}"):
					pulled = layer_images.pull(self, stack.tars)
					for path, listing in zip([pulled.raw, pulled.result["disk"], *pulled.paths], [pulled.disk, pulled.disk, *pulled.images]):
						self.assertEqual(tree.compare(our_tree.listing(path), listing, "ours", "the kernel"), [])


class Pulled(ReaderCase):
	"""Images that other tools built."""

	def check(self, name, tag):
		store = command.Store(suite.temporary(self, "store"))
		reference = f"oci:{images.layout(name)}:{tag}"
		image = store.pull(reference)
		folder = mounts.erofs(self, layer_images.joined_disk(self, image["disk"]))
		self.assert_reads(image["disk"], folder)
		named = json.loads(our_tree.run("ls", "-R", "--json", "--store", store.folder, f"{reference}:/"))
		self.assert_layers(image, named)
		return image

	def assert_layers(self, image, named):
		"""Of an image of the store, each file's layer is told, and its data stand there."""
		known = {layer["diff_id"]: layer["path"] for layer in image["layers"]}
		seen = [one["data"] for one in named if "data" in one]
		self.assertTrue(seen)
		for data in seen:
			self.assertEqual(known[data["layer"]], data["file"])
		self.assertGreater(len({data["layer"] for data in seen}), 1)

	def test_small(self):
		self.check("small", "latest")

	def test_sparse(self):
		self.check("small", "sparse")

	def test_python(self):
		self.check("python", "latest")

	def test_metadata_alone(self):
		image = command.Store(suite.temporary(self, "store")).pull(f"oci:{images.layout('small')}:latest")
		alone = shutil.copy(image["fsmeta"], suite.temporary(self, "alone"))
		whole = our_tree.objects(image["disk"])
		for path, one in our_tree.objects(alone).items():
			self.assertEqual(one, {key: value for key, value in whole[path].items() if key != "data"})
		path = next(path for path, one in whole.items() if one["type"] == "file" and one["size"])
		done = command.mkrootfs("cat", our_tree.place(alone, path))
		self.assertEqual((done.returncode, done.stdout), (3, ""))
		self.assertIn("holds metadata alone", done.stderr)
		self.assertIn("hint: name the disk.vmdk", done.stderr)


class Foreign(ReaderCase):
	"""Images that mkfs.erofs makes."""

	def folder(self):
		folder = suite.temporary(self, "source")
		maker = everything(levels=8, longest=254)  # mkfs.erofs 1.5 fails at longer ones
		done = command.run(["tar", "-x", "-C", folder, "--xattrs", "--xattrs-include=*", "-p", "-f", self.archive(maker)])
		self.assertEqual(done, "")
		with open(f"{folder}/holes", "wb") as file:
			for at in (0, 5 * BLOCK + 7, 900_000):
				file.seek(at)
				file.write(b"data")
			file.truncate(2_000_000)
		return folder

	def archive(self, maker):
		path = os.path.join(suite.temporary(self, "tar"), "layer.tar")
		with open(path, "wb") as file:
			file.write(maker.tar())
		return path

	def test_uncompressed(self):
		folder = self.folder()
		for options in ([], ["--chunksize=4096"], ["--chunksize=65536", "-Eforce-chunk-indexes"], ["-Eforce-inode-extended"],
				["-Eforce-inode-compact", "-T1700000000", "--all-root"], ["-Enosbcrc"], ["-x1"]):
			with self.subTest(" ".join(options)):
				image = os.path.join(suite.temporary(self, "image"), "it.erofs")
				command.run(["mkfs.erofs", "--quiet", *options, image, folder])
				self.assert_reads(image, mounts.erofs(self, image))

	def test_compressed(self):
		"""What is not compressed is read, what is compressed is refused by name."""
		folder = suite.temporary(self, "source")
		with open(f"{folder}/zeros", "wb") as file:
			file.write(bytes(200_000))
		with open(f"{folder}/small", "wb") as file:
			file.write(b"small")
		image = os.path.join(suite.temporary(self, "image"), "it.erofs")
		command.run(["mkfs.erofs", "--quiet", "-zlz4", image, folder])
		self.assertEqual(our_tree.run("ls", image), b"small\nzeros\n")
		done = command.mkrootfs("cat", f"{image}:/zeros")
		self.assertEqual((done.returncode, done.stdout), (8, ""))
		self.assertIn("compressed", done.stderr)


if __name__ == "__main__":
	suite.main(NEEDS)
