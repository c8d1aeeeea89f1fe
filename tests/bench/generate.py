# SPDX-License-Identifier: Apache-2.0
"""Layers and layouts of any size in little time, the same in every run.

	generate.one_layer(folder, blob, tar, "gzip")      a layout in folder/image, of a layer that is in a file
	generate.write_small(path, 200_000)                a tar of that many small files
	generate.Repeated(tar, 10_000_000).add_to(image, 4_000_000_000)
"""

import gzip
import hashlib
import os
import random
import shutil
import tempfile

from support import many, oci_layout

MEDIA = {"tar": "tar", "gzip": "tar+gzip", "zstd": "tar+zstd"}


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


def digest(path):
	with open(path, "rb") as file:
		return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def link_or_copy(source, target):
	try:
		os.link(source, target)
	except OSError:
		shutil.copyfile(source, target)


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
