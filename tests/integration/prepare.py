#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the images and fetches the kernels that the other scripts use, unless the cache has them."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import images, kernels, suite  # noqa: E402

NEEDS = ["umoci", "skopeo", "buildah", "mmdebstrap", "setfattr", "setfacl", "setcap", "busybox", "tar", "zstd",
	"apt-get", "dpkg"]


class Prepare(unittest.TestCase):
	def test_small_image(self):
		layers = images.manifest(images.layout("small"), "latest")["layers"]
		self.assertGreaterEqual(len(layers), 6)

	def test_python_image(self):
		layers = images.manifest(images.layout("python"), "latest")["layers"]
		self.assertGreaterEqual(len(layers), 6)
		self.assertGreater(sum(layer["size"] for layer in layers), 50_000_000)

	def test_kernels(self):
		for version in kernels.PACKAGES:
			self.assertTrue(os.path.exists(kernels.get(version).image))


if __name__ == "__main__":
	suite.main(NEEDS)
