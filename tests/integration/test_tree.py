#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tree that a guest sees is the image's tree: nothing missing, nothing extra, nothing changed.

image -> registry -> mkrootfs pull -> disk.vmdk -> QEMU's reader -> the host's kernel, compared with
what umoci unpacks and with what GNU tar extracts. The same image under other compressions and
manifest formats must become the same bytes.
"""

import hashlib
import json
import os
import shutil
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, mounts, suite, tree, unpack  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402
from support.registry import Registry, skopeo_copy  # noqa: E402

NEEDS = ["kernel:erofs", "umoci", "skopeo", "buildah", "docker-registry", "qemu-img", "tar", "zstd", "setpriv"]
NOBODY = 65534
# Nothing of these may show in what is written.
OTHER_SURROUNDINGS = {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "LANG": "C", "COLUMNS": "20", "HOME": "/nowhere"}


def mounted_disk(test, image):
	"""Lists what the kernel shows of the disk behind an image's descriptor."""
	return tree.listing(mounts.erofs(test, mounts.raw_disk(test, image["disk"])))


def file_hashes(folder):
	"""{name: SHA-256} of the files of a folder."""
	hashes = {}
	for name in sorted(os.listdir(folder)):
		with open(os.path.join(folder, name), "rb") as file:
			hashes[name] = hashlib.file_digest(file, "sha256").hexdigest()
	return hashes


class Tree:
	"""What holds of each image; the subclasses name the image."""

	@classmethod
	def setUpClass(cls):
		cls.layout = images.layout(cls.name)
		cls.registry = Registry.start(cls)
		cls.reference = cls.registry.push(f"oci:{cls.layout}:latest", f"library/{cls.name}:1")
		cls.store = command.Store(suite.temporary(cls, "store"))
		cls.image = cls.store.pull(cls.reference)
		cls.nodes = mounted_disk(cls, cls.image)

	def test_as_gnu_tar_extracts_it(self):
		expected = tree.listing(unpack.gnu_tar(self, self.layout, "latest"))
		tree.assert_same(self, self.nodes, expected, "the disk", "GNU tar")

	def test_as_umoci_unpacks_it(self):
		"""umoci gives the time of unpacking to directories that a layer only implied and to those that
		only a whiteout touched, and it ignores what a hard link's own header says of owner, mode and
		time. GNU tar's tree, above, decides about these."""
		started = time.time_ns()
		expected = tree.listing(unpack.umoci(self, self.layout, "latest"))
		linked = {name for name, node in expected.items() if node.names}

		def known(path, field, ours, theirs):
			if field == "mtime" and expected[path].kind == "directory":
				return theirs >= started - 10**9
			return path in linked and field in ("mode", "uid", "gid", "mtime")

		tree.assert_same(self, self.nodes, expected, "the disk", "umoci", known)

	def test_has_no_bookkeeping_of_layers(self):
		for path, node in self.nodes.items():
			self.assertFalse(os.path.basename(path).startswith(b".wh."), tree.show(path))
			self.assertFalse(node.kind == "char" and node.device == (0, 0), tree.show(path))
			for name in node.xattrs:
				self.assertNotRegex(name, r"^(trusted|user)\.overlay\.", tree.show(path))

	def assert_same_bytes(self, reference):
		"""Pulled into a store of its own, in other surroundings, the image's files are the same."""
		store = command.Store(suite.temporary(self, "store"))
		image = store.pull(reference, umask=0o077, env={**os.environ, **OTHER_SURROUNDINGS})
		self.assertEqual([layer["diff_id"] for layer in image["layers"]], [layer["diff_id"] for layer in self.image["layers"]])
		self.assertFalse(any(layer["reused"] for layer in image["layers"][:1]))
		self.assertEqual(file_hashes(os.path.join(store.folder, "layers")), file_hashes(os.path.join(self.store.folder, "layers")))
		for part in ("fsmeta", "disk"):
			with open(image[part], "rb") as ours, open(self.image[part], "rb") as other:
				self.assertEqual(ours.read(), other.read(), part)
		return image

	def test_zstd_layers_give_the_same_bytes(self):
		copy = os.path.join(suite.temporary(self, "copy"), "oci")
		skopeo_copy(f"oci:{self.layout}:latest", f"oci:{copy}:latest", "--dest-compress-format", "zstd")
		reference = self.registry.push(f"oci:{copy}:latest", f"zstd/{self.name}:1")
		manifest = command.run(["skopeo", "inspect", "--raw", "--tls-verify=false", f"docker://{reference}"])
		for layer in json.loads(manifest)["layers"]:
			self.assertTrue(layer["mediaType"].endswith("+zstd"), layer)
		self.assert_same_bytes(reference)

	def test_docker_manifest_gives_the_same_bytes(self):
		reference = self.registry.push(f"oci:{self.layout}:latest", f"docker/{self.name}:1", "--format", "v2s2")
		image = self.assert_same_bytes(reference)
		with open(os.path.join(image["directory"], "manifest.json")) as file:
			self.assertIn("application/vnd.docker.distribution.manifest.v2+json", file.read())

	def test_layout_on_disk_gives_the_same_image(self):
		image = self.assert_same_bytes(f"oci:{self.layout}:latest")
		self.assertEqual(image["digest"], images.manifest_digest(self.layout, "latest"))
		self.assertEqual(image["digest"], self.image["digest"])

	def test_object_tells_what_the_image_says(self):
		config = images.config(self.layout, "latest")
		self.assertEqual(self.image["platform"], f"{config['os']}/{config['architecture']}")
		self.assertEqual([layer["diff_id"] for layer in self.image["layers"]], config["rootfs"]["diff_ids"])
		for key in ("Env", "Entrypoint", "Cmd"):
			self.assertEqual(self.image["config"].get(key) or [], config["config"].get(key) or [], key)
		for key in ("User", "WorkingDir"):
			self.assertEqual(self.image["config"].get(key) or "", config["config"].get(key) or "", key)
		for layer in self.image["layers"]:
			self.assertEqual(os.stat(layer["path"]).st_size, layer["size"])


class SmallTree(Tree, unittest.TestCase):
	name = "small"

	def test_needs_no_root(self):
		"""Another user without any capability gets the same bytes: owners, devices and attributes go
		from the tar into the image and never through the host's filesystem."""
		folder = suite.temporary(self, "nobody")
		program = shutil.copy(suite.command_path(), folder)
		server = LayoutRegistry.start(self, self.layout)
		store = os.path.join(folder, "store")
		os.mkdir(store)
		os.chown(store, NOBODY, NOBODY)
		for path in (os.environ["TMPDIR"], folder):
			os.chmod(path, 0o755)
		command.run(["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all",
			"--bounding-set=-all", program, "pull", "-q", "--store", store, server.reference("latest")])
		self.assertEqual(file_hashes(os.path.join(store, "layers")), file_hashes(os.path.join(self.store.folder, "layers")))

	def test_old_sparse_members(self):
		"""The tag with GNU tar's oldest form of sparse members, which umoci cannot read."""
		image = command.Store(suite.temporary(self, "store")).pull(f"oci:{self.layout}:sparse")
		expected = tree.listing(unpack.gnu_tar(self, self.layout, "sparse"))
		self.assertEqual(expected[b"sparse/old-gnu"].size, 5000000)
		tree.assert_same(self, mounted_disk(self, image), expected, "the disk", "GNU tar")


class PythonTree(Tree, unittest.TestCase):
	name = "python"


if __name__ == "__main__":
	suite.main(NEEDS)
