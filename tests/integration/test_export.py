#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Exports: layer images back to layers, and to the same images again; merged images as tars that other
programs unpack to what the kernel shows."""

import glob
import io
import os
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, layer_images, layers, mounts, oci_layout, suite, tree  # noqa: E402

NEEDS = ["kernel:erofs", "tar"]
SUPERBLOCK = 1024
CHECKSUM, UUID = slice(SUPERBLOCK + 4, SUPERBLOCK + 8), slice(SUPERBLOCK + 48, SUPERBLOCK + 64)

# Archives with data that no file has in the end: of an entry that a later one of its name replaced, or of
# a whiteout. Their room does not come back.
UNUSED_DATA = {"same-path-twice.1", "whiteouts-of-other-types.2"}


def export(path, *options, **more):
	done = subprocess.run([suite.command_path(), "export", *options, path], capture_output=True, timeout=600, **more)
	if done.returncode != 0:
		raise command.Failed(f"export {path}: exit code {done.returncode}\n{done.stderr.decode()}")
	return done.stdout


def nameless(image):
	"""An image's bytes without what depends on the tar's digest."""
	data = bytearray(layer_images.read_file(image))
	data[CHECKSUM], data[UUID] = bytes(4), bytes(16)
	return bytes(data)


def all_stacks():
	for recipe in sorted(glob.glob(os.path.join(layers.FOLDER, "*.recipe"))):
		yield from layers.load(os.path.basename(recipe).removesuffix(".recipe")).values()


def round_trip(test, name, first, store):
	"""Layer images, exported, and made images again: how these differ, as lines."""
	once = [export(path) for path in first]
	done = layer_images.attempt(test, layer_images.layout(test, once, as_it_is), store)
	if done.returncode != 0:
		return [f"{name}: the exports are refused: {done.stderr}"]
	second = [layer["path"] for layer in command.json.loads(done.stdout)["layers"]]
	problems = []
	for number, (path, again, tar) in enumerate(zip(first, second, once), 1):
		layer = f"{name}.{number}"
		if export(again) != tar:
			problems.append(f"{layer}: the export of its own image is another tar")
		if (nameless(path) != nameless(again)) != (layer in UNUSED_DATA):
			problems.append(f"{layer}: images of {os.path.getsize(path)} and {os.path.getsize(again)} bytes differ")
	return problems


def as_it_is(tar):
	return tar


class Layers(unittest.TestCase):
	def test_all_recipes_come_back(self):
		"""In whole stacks: links to files of lower layers want these."""
		store, problems, checked = layer_images.new_store(self), [], 0
		for stack in all_stacks():
			done = layer_images.attempt(self, layer_images.layout(self, stack.tars, as_it_is), store)
			if done.returncode == 0:
				paths = [layer["path"] for layer in command.json.loads(done.stdout)["layers"]]
				problems += round_trip(self, stack.name, paths, store)
				checked += len(paths)
			else:
				self.assertTrue(stack.refused, done.stderr)
		self.assertGreater(checked, 150)
		self.assertEqual(problems, [], "\n".join(problems))

	def test_order_of_data_comes_back(self):
		"""Data in another order than the names: the tar is in the order of the data, and unpacks."""
		tar = self.archive([("b/x", b"1" * 5000), ("a/y", b"2" * 5000), ("b/a", b"3"), ("a/z", b"1" * 5000)])
		pulled = layer_images.pull(self, [tar])
		self.assertEqual(round_trip(self, "order", pulled.paths, layer_images.new_store(self)), [])
		names = [info.name for info in tarfile.open(fileobj=io.BytesIO(export(pulled.paths[0])))]
		self.assertEqual(names, ["a", "b", "a/z", "b/x", "a/y", "b/a"])

	def archive(self, files):
		out = io.BytesIO()
		with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
			for folder in sorted({name.split("/")[0] for name, _ in files}):
				info = tarfile.TarInfo(folder)
				info.type, info.mode, info.mtime = tarfile.DIRTYPE, 0o755, 7
				archive.addfile(info)
			for name, data in files:
				info = tarfile.TarInfo(name)
				info.size = len(data)
				archive.addfile(info, io.BytesIO(data))
		return out.getvalue()

	def test_large_holes_come_back_in_little_memory(self):
		"""9 GiB with chunks of 4 MiB, of which some hold a few bytes."""
		folder, size = suite.temporary(self, "sparse"), (9 << 30) + 5
		with open(os.path.join(folder, "sparse"), "wb") as file:
			file.truncate(size)
			for offset in (0, (1 << 30) - 2, (5 << 30) + 12345, size - 3):
				file.seek(offset)
				file.write(b"abc")
		tar = subprocess.run(["tar", "-C", folder, "--format=posix", "-S", "-cf", "-", "sparse"], capture_output=True, check=True).stdout
		store = layer_images.new_store(self)
		done = layer_images.attempt(self, layer_images.layout(self, [tar], as_it_is), store)
		self.assertEqual(done.returncode, 0, done.stderr)
		path = command.json.loads(done.stdout)["layers"][0]["path"]
		self.assertEqual(round_trip(self, "sparse", [path], store), [])
		self.assertLess(len(export(path)), 1 << 20)
		unpacked = suite.temporary(self, "unpacked")
		subprocess.run(["tar", "-xf", "-", "-C", unpacked], input=export(path), check=True)
		command.run(["cmp", os.path.join(folder, "sparse"), os.path.join(unpacked, "sparse")])
		process = subprocess.Popen([suite.command_path(), "export", path], stdout=subprocess.DEVNULL)
		_, status, usage = os.wait4(process.pid, 0)
		process.returncode = os.waitstatus_to_exitcode(status)
		self.assertEqual(process.returncode, 0)
		self.assertLess(usage.ru_maxrss, 128 << 10)  # KiB; what the test itself held at the fork counts


class Merged(unittest.TestCase):
	"""What a merged image gives, unpacked by others, against the kernel's mount of the disk."""

	def unpacked(self, tar):
		"""By GNU tar, in a folder that has no attributes of its own."""
		folder = suite.temporary(self, "unpacked")
		subprocess.run(["tar", "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", "-", "-C", folder],
			input=tar, check=True, stderr=subprocess.DEVNULL)
		return tree.listing(folder)

	def assert_same(self, tars):
		pulled = layer_images.pull(self, tars)
		folder = os.path.dirname(pulled.result["disk"])
		tar = export(folder)
		self.assertEqual(tar, export(pulled.raw), "a folder and its disk as one file")
		self.assertEqual(tar, export(os.path.join(folder, "fsmeta.erofs")), "the metadata stand for their disk")
		tree.assert_same(self, self.unpacked(tar), pulled.disk, "GNU tar's tree", "the disk")

	def test_stacks_of_hard_links(self):
		self.assert_same(layers.load("hard-links")["three-names-of-one-file"].tars)

	def test_real_image(self):
		"""The export of the layers of a real image, one by one, and of all of them."""
		image = images.layout("small")
		store = layer_images.new_store(self)
		pulled = store.pull(f"oci:{image}:latest")
		tar = export(os.path.dirname(pulled["disk"]))
		disk = tree.listing(mounts.erofs(self, layer_images.joined_disk(self, pulled["disk"])))
		tree.assert_same(self, self.unpacked(tar), disk, "GNU tar's tree", "the disk")
		paths = [layer["path"] for layer in pulled["layers"]]
		self.assertEqual(round_trip(self, "small", paths, store), [])


class Output(unittest.TestCase):
	def test_file_is_complete_or_not_there(self):
		path = layer_images.pull(self, layers.load("hard-links")["three-names-of-one-file"].tars).paths[0]
		folder = suite.temporary(self, "out")
		file = os.path.join(folder, "x.tar")
		self.assertEqual(export(path, "-o", file), b"")
		self.assertEqual(layer_images.read_file(file), export(path, "-o", "-"))
		done = command.mkrootfs("export", "-o", file, path)
		self.assertEqual((done.returncode, os.listdir(folder)), (1, ["x.tar"]), done.stderr)
		self.assertIn("exists", done.stderr)
		export(path, "-fo", file)
		os.truncate(path, os.path.getsize(path) // 2)
		done = command.mkrootfs("export", "-o", os.path.join(folder, "y.tar"), path)
		self.assertEqual(os.listdir(folder), ["x.tar"], done.stderr)
		self.assertNotEqual(done.returncode, 0)

	def test_full_disk_is_told(self):
		path = layer_images.pull(self, layers.load("hard-links")["three-names-of-one-file"].tars).paths[0]
		with open("/dev/full", "w") as full:
			done = subprocess.run([suite.command_path(), "export", path], stdout=full, stderr=subprocess.PIPE, text=True)
		self.assertEqual(done.stderr, "mkrootfs: cannot write to standard output: No space left on device\n")
		self.assertEqual(done.returncode, 7)


if __name__ == "__main__":
	suite.main(NEEDS)
