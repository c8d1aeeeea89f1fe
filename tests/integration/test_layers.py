#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What becomes of layers that other programs stumbled over: each stack in fixtures/layers/ is a test of
its name. The images are mounted by the kernel and compared with what the recipe says; the merge is
compared with the kernel's overlay of the layer images as well."""

import hashlib
import itertools
import json
import os
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, layer_images, layers, oci_layout, suite, tree  # noqa: E402

NEEDS = ["fsck.erofs", "zstd"]
LIMIT = 20  # seconds, after which a refusal counts as hanging
BAD_INPUT, UNSUPPORTED = 6, 8  # exit codes that the manual promises


def from_recipe(name):
	"""Gives a test case a test for each stack of a recipe. A method also_NAME(pulled) adds what the
	recipe cannot say."""
	def decorate(case):
		case.stacks = layers.load(name)
		for stack in case.stacks.values():
			add_test(case, stack)
		return case
	return decorate


def add_test(case, stack):
	name = stack.name.replace("-", "_")

	def test(self):
		pulled = layer_images.check(self, stack)
		getattr(self, "also_" + name, lambda pulled: None)(pulled)

	setattr(case, "test_" + name, test)


def plain(tar):
	return tar


def zstd(tar):
	return subprocess.run(["zstd", "-q3", "-c"], input=tar, capture_output=True, check=True).stdout


@from_recipe("whiteouts")
class Whiteouts(unittest.TestCase):
	def test_layer_image_does_not_depend_on_lower_layers(self):
		"""Converted alone and first, or behind its lower layer: the same bytes, with its whiteout."""
		tars = self.stacks["whiteout-of-what-only-a-lower-layer-has"].tars
		alone, store = layer_images.pull(self, tars[1:]), layer_images.new_store(self)
		behind = layer_images.pull(self, tars, store=store)
		self.assertEqual(layer_images.read_file(alone.paths[0]), layer_images.read_file(behind.paths[1]))
		self.assertEqual(alone.images[0][b"f"].device, (0, 0))
		reused = layer_images.pull(self, tars[::-1], store=store)
		self.assertEqual([layer["reused"] for layer in reused.result["layers"]], [True, True])
		self.assertEqual(set(reused.disk), {b"", b"f", b"keep"})


@from_recipe("hard-links")
class HardLinks(unittest.TestCase):
	def also_three_names_of_one_file(self, pulled):
		"""64 KiB of data and a few blocks."""
		self.assertLessEqual(os.path.getsize(pulled.paths[0]), (64 + 12) << 10)


@from_recipe("tree")
class Tree(unittest.TestCase):
	def also_folders_without_entries(self, pulled):
		"""All pulls of this script have a umask of 0077. With another one the bytes are the same."""
		image, store = layer_images.layout(self, self.stacks["folders-without-entries"].tars), layer_images.new_store(self)
		result = store.pull(f"oci:{image.folder}:it", umask=0)
		self.assertEqual(layer_images.read_file(result["layers"][0]["path"]), layer_images.read_file(pulled.paths[0]))


@from_recipe("names")
class Names(unittest.TestCase):
	def test_link_in_the_roots_place_writes_nothing_outside(self):
		"""The folder that the link names is there, and stays empty."""
		outside = suite.temporary(self, "outside")
		for name in (".", "./", "a/.."):
			with self.subTest(name=name):
				tars = [oci_layout.tar([("first", b"")]), layers.tar_recipe.build(f"symlink {name} -> {outside}\nfile f\nfile ./g data=x\n")]
				store = layer_images.new_store(self)
				done = layer_images.attempt(self, layer_images.layout(self, tars), store)
				layer_images.assert_refused(self, done, BAD_INPUT, ["root"])
				self.assertEqual(os.listdir(outside), [])


@from_recipe("tar-format")
class TarFormat(unittest.TestCase):
	def also_sparse_files(self, pulled):
		"""Four files of 10 MiB with a few bytes each, and smaller ones."""
		self.assertLess(os.path.getsize(pulled.paths[0]), 1 << 20)

	def also_empty_layers(self, pulled):
		"""Also compressed in the other ways."""
		for pack in (plain, zstd):
			other = layer_images.pull(self, self.stacks["empty-layers"].tars, pack)
			tree.assert_same(self, other.disk, pulled.disk, "the disk", "the one of gzip")


@from_recipe("metadata")
class Metadata(unittest.TestCase):
	pass


@from_recipe("streams")
class Streams(unittest.TestCase):
	"""How a layer's bytes come: the blob of the stack "ordinary" in many packings."""

	@classmethod
	def setUpClass(cls):
		cls.stack = cls.stacks["ordinary"]
		cls.lower, cls.tar = cls.stack.tars

	def also_padding_behind_the_end(self, pulled):
		self.assertEqual(pulled.result["layers"][0]["diff_id"], oci_layout.sha256(self.stacks["padding-behind-the-end"].tars[0]))

	def image(self, blob, **options):
		"""An image with a sound first layer; its second one is this blob."""
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		image.add_layer(self.lower)
		image.add_layer(self.tar, blob=blob, **options)
		return image

	def assert_pulled(self, image, warnings=()):
		done = layer_images.attempt(self, image, layer_images.new_store(self))
		self.assertEqual(done.returncode, 0, done.stderr)
		pulled = layer_images.mounted(self, done)
		tree.assert_same(self, pulled.disk, self.stack.disk, "the disk", "the recipe")
		layer_images.assert_warnings(self, pulled.warnings, warnings)

	def assert_good_blob(self, blob, warnings=()):
		image = self.image(blob)
		image.commit("it")
		self.assert_pulled(image, warnings)

	def assert_refused(self, image, code=BAD_INPUT, says=(), sound=1):
		"""In time, and without any trace but of the first layers."""
		store = layer_images.new_store(self)
		done = store.attempt_pull(f"oci:{image.folder}:it", "--json", timeout=LIMIT)
		layer_images.assert_refused(self, done, code, says)
		layer_images.assert_nothing_left(self, store, image.diff_ids[:sound])

	def assert_bad_blob(self, blob, says=()):
		image = self.image(blob)
		image.commit("it")
		self.assert_refused(image, says=(image.layers[1]["digest"][:19], *says))

	def test_gzip_of_several_members(self):
		cuts = [0, 1, 700, 700, 100_001, len(self.tar)]
		members = [self.tar[start:end] for start, end in itertools.pairwise(cuts)]
		self.assertIn(b"", members)
		self.assert_good_blob(b"".join(oci_layout.gzipped(member, 1) for member in members))

	def test_bytes_behind_the_last_gzip_member(self):
		blob = oci_layout.gzipped(self.tar)
		for tail, warnings in ((b"\0", ()), (bytes(5000), ()), (b"\0\0x", ["3 bytes"]), (b"PAD", ["3 bytes"]), (b"\x1f", ["1 byte"])):
			with self.subTest(tail=tail[:4]):
				self.assert_good_blob(blob + tail, warnings)

	def test_zstd_of_several_and_skippable_frames(self):
		def skippable(size, number):
			return bytes([0x50 + number, 0x2a, 0x4d, 0x18]) + size.to_bytes(4, "little") + hashlib.shake_128(b"x").digest(size)

		one, two = zstd(self.tar[:100_001]), zstd(self.tar[100_001:])
		self.assert_good_blob(skippable(40, 0) + one + two + skippable(300 << 10, 15))
		self.assert_good_blob(one + skippable(0, 7) + zstd(b"") + skippable(1, 14) + two)

	def test_compression_and_media_type_that_differ(self):
		"""The bytes decide, whatever the type says."""
		docker, oci = "application/vnd.docker.image.rootfs.", "application/vnd.oci.image.layer."
		types = [docker + "diff.tar.gzip", docker + "diff.tar", docker + "diff.tar.zstd", docker + "foreign.diff.tar.gzip",
			oci + "v1.tar", oci + "v1.tar+gzip", oci + "v1.tar+zstd", oci + "nondistributable.v1.tar+gzip",
			"application/octet-stream", "application/x-tar", "text/plain", "nonsense", ""]
		store = layer_images.new_store(self)
		for pack in (plain, oci_layout.gzipped, zstd):
			image = self.image(pack(self.tar))
			for number, media_type in enumerate(types):
				image.layers[1]["mediaType"] = media_type
				image.commit(f"it-{number}")
			for number, media_type in enumerate(types):
				with self.subTest(pack=pack.__name__, media_type=media_type):
					# A store without this layer, so that the blob is read again.
					for name in self.layer_files(store):
						os.unlink(name)
					result = store.pull(f"oci:{image.folder}:it-{number}")
					self.assertEqual(result["layers"][1]["diff_id"], oci_layout.sha256(self.tar))
					self.assertFalse(result["layers"][1]["reused"])
			self.assert_good_blob(pack(self.tar))

	@staticmethod
	def layer_files(store):
		folder = os.path.join(store.folder, "layers")
		return [os.path.join(folder, name) for name in os.listdir(folder)] if os.path.isdir(folder) else []

	def test_layer_without_media_type(self):
		image = self.image(oci_layout.gzipped(self.tar))
		del image.layers[1]["mediaType"]
		image.commit("it")
		self.assert_pulled(image)

	def test_layer_cut_anywhere(self):
		"""The blob is what its descriptor says; only its content ends too early."""
		for pack in (plain, oci_layout.gzipped, zstd):
			blob = pack(self.tar)
			cuts = [1, 2, 5, 100, len(blob) // 2, len(blob) - 4, len(blob) - 1] if pack is not plain else [1, 2, 5, 100, len(blob) // 2]
			for size in cuts:
				with self.subTest(pack=pack.__name__, size=size):
					self.assert_bad_blob(blob[:size])

	def test_blob_cut_anywhere(self):
		"""The descriptor speaks of the whole blob."""
		for pack in (plain, oci_layout.gzipped, zstd):
			blob = pack(self.tar)
			for size in (0, 1, len(blob) // 2, len(blob) - 4):
				with self.subTest(pack=pack.__name__, size=size):
					image = self.image(blob)
					image.commit("it")
					os.truncate(image.blob_path(image.layers[1]["digest"]), size)
					self.assert_refused(image, says=[image.layers[1]["digest"][:19]])

	def test_layer_of_damaged_data(self):
		"""Any byte of the blob, which has the digest of the damaged one."""
		for pack in (oci_layout.gzipped, zstd):
			blob = pack(self.tar)
			for at in (len(blob) // 3, len(blob) // 2, len(blob) - 6, len(blob) - 2):
				with self.subTest(pack=pack.__name__, at=at):
					self.assert_bad_blob(blob[:at] + bytes([blob[at] ^ 0x10]) + blob[at + 1:])

	def test_gzip_member_that_ends_in_the_middle_of_the_next(self):
		self.assert_bad_blob(oci_layout.gzipped(self.tar[:1000]) + oci_layout.gzipped(self.tar[1000:])[:60000])

	def test_raw_deflate_and_zlib_are_no_tars(self):
		for wbits in (-15, 15):
			packer = zlib.compressobj(wbits=wbits)
			self.assert_bad_blob(packer.compress(self.tar) + packer.flush())

	def test_other_number_of_diff_ids_than_layers(self):
		for count in (0, 1, 3):
			with self.subTest(count=count):
				image = self.image(oci_layout.gzipped(self.tar))
				image.diff_ids = (image.diff_ids * 2)[:count]
				image.commit("it")
				self.assert_refused(image, says=["diff"], sound=0)

	def test_diff_ids_in_another_order(self):
		image = self.image(oci_layout.gzipped(self.tar))
		image.diff_ids.reverse()
		image.commit("it")
		self.assert_refused(image, says=["diff ID"], sound=0)

	def test_diff_id_of_another_tar(self):
		image = self.image(oci_layout.gzipped(self.tar), diff_id=oci_layout.sha256(b"another"))
		image.commit("it")
		self.assert_refused(image, says=["diff ID", image.diff_ids[1][:19]])

	def test_descriptor_of_another_size(self):
		for change in (-1, 1, 1 << 40):
			with self.subTest(change=change):
				image = self.image(oci_layout.gzipped(self.tar))
				image.layers[1]["size"] += change
				image.commit("it")
				self.assert_refused(image, says=["expected", str(image.layers[1]["size"])])

	def test_blob_of_another_digest(self):
		image = self.image(oci_layout.gzipped(self.tar))
		image.commit("it")
		with open(image.blob_path(image.layers[1]["digest"]), "r+b") as file:
			file.seek(4)  # the time in gzip's header, which says nothing of the content
			file.write(b"\1")
		self.assert_refused(image, says=["digest", image.layers[1]["digest"][:19]])


class OtherDigests(unittest.TestCase):
	"""Descriptors that do not speak of SHA-256."""

	def image(self, algorithm, change=lambda text: text):
		"""Layer, diff ID, config and manifest are named by this algorithm; change() spoils the layer's."""
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		os.makedirs(os.path.join(image.folder, "blobs", algorithm), exist_ok=True)
		tar = oci_layout.tar([("file", b"content\n")])
		config = {"architecture": "amd64", "os": "linux", "rootfs": {"type": "layers", "diff_ids": [self.digest(algorithm, tar)]}}
		layer = self.blob(image, algorithm, oci_layout.gzipped(tar), "layer.v1.tar+gzip")
		layer["digest"] = change(layer["digest"])
		manifest = {"schemaVersion": 2, "config": self.blob(image, algorithm, json.dumps(config).encode(), "config.v1+json"), "layers": [layer]}
		image.tag("it", self.blob(image, algorithm, json.dumps(manifest).encode(), "manifest.v1+json"))
		return image

	@staticmethod
	def digest(algorithm, data):
		return f"{algorithm}:{hashlib.new(algorithm, data).hexdigest()}"

	def blob(self, image, algorithm, data, media_type):
		digest = self.digest(algorithm, data)
		image.write(os.path.join("blobs", *digest.split(":")), data)
		return {"mediaType": f"application/vnd.oci.image.{media_type}", "digest": digest, "size": len(data)}

	def assert_refused(self, image, code, *says):
		store = layer_images.new_store(self)
		done = layer_images.attempt(self, image, store)
		layer_images.assert_refused(self, done, code, says)
		layer_images.assert_nothing_left(self, store, ())

	def test_sha512(self):
		done = layer_images.attempt(self, self.image("sha512"), layer_images.new_store(self))
		self.assertEqual(done.returncode, 0, done.stderr)
		pulled = layer_images.mounted(self, done)
		self.assertEqual(set(pulled.disk), {b"", b"file"})
		self.assertRegex(pulled.result["layers"][0]["diff_id"], r"\Asha512:[0-9a-f]{128}\Z")

	def test_sha512_of_other_content(self):
		image = self.image("sha512")
		folder = os.path.join(image.folder, "blobs", "sha512")
		layer = max((os.path.join(folder, name) for name in os.listdir(folder)), key=lambda path: layer_images.read_file(path)[:2] == b"\x1f\x8b")
		with open(layer, "r+b") as file:
			file.seek(4)
			file.write(b"\1")
		self.assert_refused(image, BAD_INPUT, "sha512:", "digest")

	def test_digests_that_are_none(self):
		for algorithm in ("sha256", "sha512"):
			for change in (lambda text: algorithm + text.removeprefix(algorithm).upper(), lambda text: text[:-1], lambda text: text + "0", lambda text: text[:-1] + "g", lambda text: text.replace(":", ""),
				lambda text: text + "\n", lambda text: algorithm + ":../../../etc/passwd", lambda text: ""):
				with self.subTest(digest=change(f"{algorithm}:0a")):
					self.assert_refused(self.image(algorithm, change), BAD_INPUT, "digest")

	def test_algorithm_that_is_unknown(self):
		for algorithm in ("sha384", "md5"):
			with self.subTest(algorithm=algorithm):
				self.assert_refused(self.image(algorithm), UNSUPPORTED, "digest algorithm", algorithm)


if __name__ == "__main__":
	suite.main(NEEDS)
