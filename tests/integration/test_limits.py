#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The caps on what an image may ask for: what is exactly as large as one is pulled; one step more is
refused by a line that names the layer, the entry, the limit and the option that raises it. Nothing of
a refused layer is left, and the option's next value lets it in."""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import layer_images, oci_layout, suite, tar_recipe  # noqa: E402

NEEDS = ["zstd"]
BAD_INPUT = 6  # exit code
USAGE = 2  # likewise
GIB = 1 << 30
# SHA-256 of the archive of test_ratio, which is nowhere in whole.
DIFF_ID_OF_ZEROS = "sha256:cb6edd186ef89c7cae5f22c71a9abeba6a3cb311dc235aaf5938ee84830b7b4b"


class Limits(unittest.TestCase):
	def image(self, *blobs):
		"""An image of these (tar, blob) or tars; the last layer is the one in question."""
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		for blob in blobs:
			tar, packed = blob if isinstance(blob, tuple) else (blob, blob)
			image.add_layer(tar, blob=packed)
		image.commit("it")
		return image

	def pull(self, image, *options):
		self.store = layer_images.new_store(self)
		return self.store.attempt_pull(f"oci:{image.folder}:it", "--json", *options)

	def assert_limit(self, image, option, value, *says, one_more=None):
		"""With this value the image is refused, with the next one it is pulled."""
		done = self.pull(image, f"--max-{option}", str(value))
		layer_images.assert_refused(self, done, BAD_INPUT, [f"(raised by --max-{option})", *says])
		self.assertEqual(self.store.temporary_files(), [])
		layer_images.assert_nothing_left(self, self.store, image.diff_ids[:-1])
		done = self.pull(image, f"--max-{option}", str(value + 1 if one_more is None else one_more))
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_entries(self):
		"""Whiteouts count too, headers of extended attributes do not."""
		image = self.image(tar_recipe.build("file a\n"), tar_recipe.build("file a xattr.user.k=v\ndir d\nwhiteout x\nhardlink b -> a\n"))
		self.assert_limit(image, "entries", 3, "layer 2/2 sha256:", "tar entry 'b'", "more than 3 entries")

	def test_unpacked_size(self):
		tar = tar_recipe.build("file a size=5000\n")
		image = self.image(tar_recipe.build(""), (tar, oci_layout.gzipped(tar)))
		self.assert_limit(image, "unpacked", len(tar) - 1, "layer 2/2 sha256:", f"{len(tar) - 1} bytes")

	def test_unpacked_size_counts_the_padding_behind_the_end(self):
		tar = tar_recipe.build("file a\nend 100\n")
		self.assert_limit(self.image(tar), "unpacked", len(tar) - 1, "layer 1/1")

	def test_depth(self):
		image = self.image(tar_recipe.build("file a\n"), tar_recipe.build("file a/b/c/d/e\n"))
		self.assert_limit(image, "depth", 4, "layer 2/2 sha256:", "tar entry 'a/b/c/d/e'", "more than 4 components")

	def test_depth_behind_symbolic_links(self):
		"""What counts is where an entry comes to stand."""
		image = self.image(tar_recipe.build("dir a/b/c\nsymlink s -> a/b/c\nfile s/d\n"))
		self.assert_limit(image, "depth", 3, "tar entry 's/d'", "more than 3 components")

	def test_depth_of_a_link_target(self):
		image = self.image(tar_recipe.build("dir a/b\nfile a/b/f\nhardlink g -> a/x/../b/f\n"))
		self.assert_limit(image, "depth", 2, "components")

	def test_depth_beyond_the_default(self):
		"""Ten thousand folders in each other, and deleted again."""
		depth = 10_000
		image = self.image(tar_recipe.build(rf"file \{{d/*{depth - 1}}}f"), tar_recipe.build("whiteout d\n"))
		done = self.pull(image)
		layer_images.assert_refused(self, done, BAD_INPUT, ["1024 components", "(raised by --max-depth)"])
		done = self.pull(image, "--max-depth", str(depth))
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_xattrs(self):
		"""Names and values count; each alone is small."""
		size = len("user.aXYZ" "user.bXYZ")
		image = self.image(tar_recipe.build("file a\n"), tar_recipe.build("file f xattr.user.a=XYZ xattr.user.b=XYZ\n"))
		self.assert_limit(image, "xattrs", size - 1, "layer 2/2 sha256:", "tar entry 'f'", f"{size} bytes", f"limit is {size - 1}")

	def test_layers(self):
		image = self.image(*(tar_recipe.build(f"file f{number}\n") for number in range(4)))
		done = self.pull(image, "--max-layers", "3")
		layer_images.assert_refused(self, done, BAD_INPUT, ["4 layers, the limit is 3", "(raised by --max-layers)"])
		layer_images.assert_nothing_left(self, self.store, ())
		done = self.pull(image, "--max-layers", "4")
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_ratio(self):
		"""A little more than 4 GiB of zeros, packed 20,000 to one: refused by default. gzip cannot do
		this, and what is below 4 GiB is not looked at."""
		size, piece = 4 * GIB + (256 << 20), 256 << 20
		frame = subprocess.run(["zstd", "-q3", "-c", "--single-thread"], input=bytes(piece), capture_output=True, check=True).stdout
		header = tar_recipe.build(f"file zeros field.sizes={size}\nend 0\n")
		start, end = (subprocess.run(["zstd", "-q3", "-c"], input=data, capture_output=True, check=True).stdout for data in (header, bytes(1024)))
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		image.add_layer(None, blob=start + frame * (size // piece) + end, diff_id=DIFF_ID_OF_ZEROS)
		image.commit("it")
		blob = image.layers[0]["size"]
		self.assertGreater(size // blob, 2000)
		done = self.pull(image)
		layer_images.assert_refused(self, done, BAD_INPUT, ["layer 1/1 sha256:", "the limit is 2000", "(raised by --max-ratio)"])
		layer_images.assert_nothing_left(self, self.store, ())
		done = self.pull(image, "--max-ratio", str(size // blob + 2000))
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertLess(os.stat(layers_file(self.store)).st_blocks * 512, 1 << 20)

	def test_ratio_of_small_layers_is_not_looked_at(self):
		tar = tar_recipe.build("file zeros size=64M\n")
		done = self.pull(self.image((tar, oci_layout.gzipped(tar))), "--max-ratio", "1")
		self.assertEqual(done.returncode, 0, done.stderr)

	def test_values_that_are_none(self):
		image = self.image(tar_recipe.build("file a\n"))
		for option in ("entries", "unpacked", "ratio", "depth", "xattrs", "layers"):
			for value in ("0", "-1", "", "x", "1x", "99999999999999999999999"):
				with self.subTest(option=option, value=value):
					done = self.pull(image, f"--max-{option}={value}")
					self.assertEqual(done.returncode, USAGE, done.stderr)
					self.assertIn(f"--max-{option}", done.stderr)
					self.assertEqual(len(done.stderr.splitlines()), 1)

	def test_a_name_that_looks_like_a_limit(self):
		"""Names out of an archive are shown as they are."""
		image = self.image(tar_recipe.build('file a\nfile "(limits.layers)"\n'))
		done = self.pull(image, "--max-entries", "1")
		layer_images.assert_refused(self, done, BAD_INPUT, ["tar entry '(limits.layers)'", "(raised by --max-entries)"])


def layers_file(store):
	folder = os.path.join(store.folder, "layers")
	[name] = os.listdir(folder)
	return os.path.join(folder, name)


if __name__ == "__main__":
	suite.main(NEEDS)
