#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The merged metadata shows what the kernel's own overlay shows of the stacked layer images.

A layer image depends on nothing but its layer, so three things that need the layers below cannot be
in it; the merge adds them, and here they are left out of the comparison:
 - The metadata of directories that a layer only implied (it has entries below them, none for the
   directory). The stack shows the upper layer's stand-in, the merge the lower layer's directory.
 - Hard links to files of lower layers. Such a link's header also gives the file a new owner, mode
   and time, under all its names.
 - The number of links: overlayfs shows that of the layer's inode, also when names of it are hidden.
   Which names are one file is compared.
"""

import os
import posixpath
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, mounts, suite, tree, unpack  # noqa: E402

NEEDS = ["kernel:erofs", "kernel:overlay", "umoci", "skopeo", "buildah", "qemu-img", "tar"]
METADATA = ("mode", "uid", "gid", "mtime", "xattrs")


def layer_names(test, layout):
	"""For each layer, lowest first: (directories listed, directories implied, links to other layers)."""
	work = suite.temporary(test, "layer")
	for layer in images.manifest(layout, "latest")["layers"]:
		plain = os.path.join(work, "layer.tar")
		unpack.decompress(images.blob(layout, layer["digest"]), plain)
		entries = unpack.read_entries(plain)
		listed = {name for name, is_dir in entries if is_dir}
		implied = set()
		for name, _ in entries:
			while name:
				name = posixpath.dirname(name)
				implied.add(name)
		yield listed, implied - listed, links_to_lower(plain, {name for name, _ in entries})


def links_to_lower(plain, names):
	return {name for name, member in unpack.linked_names(plain) if unpack.normal(member.linkname) not in names}


class Overlay:
	@classmethod
	def setUpClass(cls):
		cls.layout = images.layout(cls.name)
		cls.image = command.Store(suite.temporary(cls, "store")).pull(f"oci:{cls.layout}:latest")
		cls.merged = tree.listing(mounts.erofs(cls, mounts.raw_disk(cls, cls.image["disk"])))
		# A layer that comes twice is mounted twice: the kernel refuses one folder at two places.
		cls.folders = [mounts.erofs(cls, layer["path"]) for layer in cls.image["layers"]]
		cls.stack = mounts.overlay(cls, cls.folders)

	def stacked(self):
		"""Lists the overlay. It may list a whiteout of a directory that only one layer has, and then
		refuse to look it up; such a name is not there."""
		root = os.fsencode(self.stack)
		return tree.listing(root, skip=lambda path: not os.path.lexists(os.path.join(root, path)))

	def test_merge_is_what_the_kernel_stacks(self):
		stand_ins, cross_links = set(), set()
		for listed, implied, links in layer_names(self, self.layout):
			stand_ins = (stand_ins | implied) - listed
			cross_links |= links
		others = {name for link in cross_links for name in self.merged[link].names}

		def known(path, field, merged, stacked):
			if field == "links" or path in cross_links:
				return True
			if path in others and field in ("names", *METADATA):
				return True
			return path in stand_ins and field in METADATA

		tree.assert_same(self, self.merged, self.stacked(), "the merge", "the stack", known)

	def test_layer_images_say_whiteouts_as_the_kernel_does(self):
		"""Whiteouts are character devices 0:0, opaque directories have overlayfs's attribute, and no
		name of the tar's bookkeeping is left."""
		whiteouts = opaque = 0
		for folder in self.folders:
			for path, node in tree.listing(folder).items():
				self.assertFalse(os.path.basename(path).startswith(b".wh."), tree.show(path))
				whiteouts += node.kind == "char" and node.device == (0, 0)
				opaque += node.xattrs.get("trusted.overlay.opaque") == b"y"
		self.assertGreater(whiteouts, 0)
		self.assertGreater(opaque, 0)


class SmallOverlay(Overlay, unittest.TestCase):
	name = "small"


class PythonOverlay(Overlay, unittest.TestCase):
	name = "python"


if __name__ == "__main__":
	suite.main(NEEDS)
