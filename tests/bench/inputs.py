# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks work on, made once and kept in the tests' cache (see support/cache.py).

	inputs = Inputs(sizes)                 FULL, or TINY for a run that only shows that all works
	inputs.layer("gzip")                   one packed layer of real packages: a file
	inputs.layout("gzip")                  an OCI layout with just that layer, tag "it"
	inputs.tree()                          the same, unpacked
	inputs.small("tar"), .small_layout(), .small_tree(), and so for empty files
	inputs.stack()                         a layout of many layers with many entries each
"""

import gzip
import hashlib
import os
import random
import shutil
import subprocess
import tempfile

from support import cache, command, many, oci_layout

from bench import peers

FORMAT = "2"  # of all that is cached; a change of what is made wants another one
SUITE = "bookworm"
PACKAGES = "python3"
SUFFIXES = {"tar": "", "gzip": ".gz", "zstd": ".zst"}
MEDIA = {"tar": "tar", "gzip": "tar+gzip", "zstd": "tar+zstd"}
HERE = os.path.dirname(os.path.abspath(__file__))


class Sizes:
	def __init__(self, name, small, empty, layers, entries, times):
		self.name, self.small, self.empty, self.layers, self.entries = name, small, empty, layers, entries
		self.times = times  # that a command of a few milliseconds is run in a row


FULL = Sizes("full", small=200_000, empty=1_000_000, layers=10, entries=100_000, times=20)
TINY = Sizes("tiny", small=300, empty=1000, layers=3, entries=300, times=2)


class Missing(Exception):
	"""A program that makes an input is not there."""


def need(name):
	path = peers.find(name)
	if path is None:
		raise Missing(name)
	return path


class Inputs:
	def __init__(self, sizes):
		self.sizes = sizes

	def cached(self, name, make):
		return cache.folder(f"bench-{self.sizes.name}-{name}", FORMAT, lambda path: self.fill(path, make))

	def fill(self, path, make):
		shutil.rmtree(path, ignore_errors=True)
		os.makedirs(path)
		make(path)
		print(f"      made the input {os.path.basename(path).removesuffix('-unfinished')}", flush=True)

	def layer(self, kind):
		return os.path.join(self.cached("real", self.make_layers), "layer.tar" + SUFFIXES[kind])

	def layout(self, kind):
		return self.cached(f"{kind}_layout", lambda path: one_layer(path, self.layer(kind), self.layer("tar"), kind))

	def tree(self):
		return os.path.join(self.cached("tree", lambda path: unpack(self.layer("tar"), path)), "root")

	def make_layers(self, path):
		tar = os.path.join(path, "layer.tar")
		if self.sizes is FULL:
			command.run([need("mmdebstrap"), "--variant=minbase", "--quiet", f"--include={PACKAGES}", SUITE, tar], timeout=3600)
		else:
			command.run(["tar", "-C", os.path.join(HERE, "..", ".."), "-cf", tar, "docs", "tests/support", "tests/bench"])
		pack(tar)

	def small(self):
		return os.path.join(self.cached("small", lambda path: write_small(os.path.join(path, "small.tar"), self.sizes.small)), "small.tar")

	def small_layout(self):
		return self.cached("small_layout", lambda path: one_layer(path, self.small(), self.small(), "tar"))

	def small_tree(self):
		return os.path.join(self.cached("small_tree", lambda path: unpack(self.small(), path)), "root")

	def empty(self):
		return os.path.join(self.cached("empty", lambda path: write_empty(os.path.join(path, "empty.tar"), self.sizes.empty)), "empty.tar")

	def empty_layout(self):
		return self.cached("empty_layout", lambda path: one_layer(path, self.empty(), self.empty(), "tar"))

	def empty_tree(self):
		return os.path.join(self.cached("empty_tree", lambda path: unpack(self.empty(), path)), "root")

	def stack(self):
		return self.cached("stack", lambda path: write_stack(path, self.sizes.layers, self.sizes.entries))


def pack(tar):
	command.run(["sh", "-c", "gzip -6 -n -c < \"$0\" > \"$0.gz\"", tar], timeout=3600)
	command.run([need("zstd"), "-3", "-q", "-T1", "-o", f"{tar}.zst", tar], timeout=3600)


def unpack(tar, path):
	root = os.path.join(path, "root")
	os.makedirs(root)
	command.run(["tar", "-C", root, "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", tar], timeout=3600)


def digest(path):
	with open(path, "rb") as file:
		return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def link_or_copy(source, target):
	try:
		os.link(source, target)
	except OSError:
		shutil.copyfile(source, target)


def one_layer(path, blob, tar, kind):
	"""A layout of one layer that is in a file already."""
	image = oci_layout.Image(os.path.join(path, "image"))
	add_file(image, blob, digest(tar), kind)
	image.commit("it")


def add_file(image, blob, diff_id, kind):
	value = digest(blob)
	if not os.path.exists(image.blob_path(value)):
		link_or_copy(blob, image.blob_path(value))
	image.layers.append({"mediaType": f"{oci_layout.OCI}.layer.v1.{MEDIA[kind]}", "digest": value, "size": os.path.getsize(blob)})
	image.diff_ids.append(diff_id)


def layout_folder(path):
	return os.path.join(path, "image")


def write_small(path, count):
	"""Files of 1 to 4,000 bytes, 100 in a folder; no two are the same."""
	noise = random.Random(1).randbytes(8000)
	with open(path, "wb") as out:
		for start in range(0, count, 100):
			out.write(many.entry(f"dir d{start // 10000:03}") if start % 10000 == 0 else b"")
			folder = f"d{start // 10000:03}/e{start // 100 % 100:02}"
			out.write(many.entry(f"dir {folder}"))
			write_files(out, folder, start, noise)
		out.write(many.END)


def write_files(out, folder, start, noise):
	for number in range(start, start + 100):
		size = 8 + number * 7919 % 3992
		data = number.to_bytes(8, "little") + noise[number % 4000:number % 4000 + size - 8]
		out.write(header(f"{folder}/f{number:07}", size) + data + bytes(-size % many.BLOCK))


TEMPLATE = bytearray(many.entry("file name"))


def header(name, size):
	"""A header of the v7 format for a file of this size."""
	block = bytearray(TEMPLATE)
	block[0:100] = name.encode().ljust(100, b"\0")
	block[124:136] = b"%011o\0" % size
	block[148:156] = b" " * 8
	block[148:156] = b"%06o\0 " % sum(block)
	return bytes(block)


def write_empty(path, count):
	"""A thousand in a folder."""
	with open(path, "wb") as out:
		for folder in range(max(count // 1000, 1)):
			out.write(many.entry(f"dir d{folder:04}") + many.empty_files(f"d{folder:04}/f", min(count, 1000)))
		out.write(many.END)


def write_stack(path, layers, entries):
	"""Each layer has a folder of its own for half of its entries, and replaces, deletes and adds some in
	folders that all layers share."""
	image = oci_layout.Image(layout_folder(path))
	for number in range(layers):
		tar = os.path.join(path, "layer.tar")
		with open(tar, "wb") as out:
			out.write(many.entry(f"dir own{number}") + many.empty_files(f"own{number}/f", entries // 2))
			for folder in range(entries // 200):
				out.write(many.entry(f"dir d{folder:04}") + many.empty_files(f"d{folder:04}/f", 90, number * 10))
				out.write(many.empty_files(f"d{folder:04}/.wh.f", 9, number * 10 - 10) if number else b"")
			out.write(many.END)
		image.add_layer_file(tar)
	image.commit("it")


class Repeated:
	"""A gzip blob of any size in little time: members of real data, each a file of its own, that repeat."""

	def __init__(self, source, piece):
		with open(source, "rb") as file:
			file.seek(max(os.path.getsize(source) // 2 - piece // 2, 0))
			self.data = file.read(piece).ljust(piece, b"x")
		self.data += bytes(-len(self.data) % many.BLOCK)
		self.member = gzip.compress(self.data, 6, mtime=0)

	def add_to(self, image, size):
		"""Adds a layer whose files have about this size together."""
		content = hashlib.sha256()
		with tempfile.NamedTemporaryFile(dir=image.folder) as out:
			for number in range(max(size // len(self.data), 1)):
				head = header(f"big{number:06}", len(self.data))
				out.write(gzip.compress(head, 1, mtime=0) + self.member)
				content.update(head + self.data)
			out.write(gzip.compress(many.END, 1, mtime=0))
			out.flush()
			content.update(many.END)
			add_file(image, out.name, "sha256:" + content.hexdigest(), "gzip")


def remove(path):
	subprocess.run(["rm", "-rf", path], check=True)
