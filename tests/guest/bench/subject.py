# SPDX-License-Identifier: Apache-2.0
"""What the guests run on: an image of Debian's packages, in two layers, and the same tree unpacked.

	subject = Subject(tiny=False)
	subject.disk(store)       disk.vmdk, made by mkrootfs
	subject.tree(disk, folder) the same files in a folder, for the shares
"""

import os
import random

from support import cache, command, images, oci_layout, suite

FORMAT = "1"
PACKAGES = "python3,fio,dbench"
LARGE, LARGE_COUNT = 16 << 20, 10  # of each, since a round copies one up


def make(path):
	"""Layer 1: packages. Layer 2: a few large files."""
	os.makedirs(os.path.join(path, "large", "srv"))
	base, large = os.path.join(path, "base.tar"), os.path.join(path, "large.tar")
	command.run(["mmdebstrap", "--variant=minbase", "--quiet", f"--include={PACKAGES}", "bookworm", base], timeout=3600)
	for number in range(LARGE_COUNT):
		with open(os.path.join(path, "large", "srv", f"large-{number}"), "wb") as file:
			file.write(random.Random(number).randbytes(LARGE))
	command.run(["tar", "-C", os.path.join(path, "large"), "--owner=0", "--group=0", "-cf", large, "srv"])
	image = oci_layout.Image(os.path.join(path, "image"))
	for tar in (base, large):
		image.add_layer_file(tar)
	image.commit("it")


class Subject:
	"""tiny: the tests' small image, which has no Python."""

	def __init__(self, tiny):
		self.tiny = tiny
		self.library, self.folders, self.large = ("/srv", "/srv", "/srv") if tiny else ("/usr/lib/python3.11", "/usr", "/srv")
		if tiny:
			self.reference = f"oci:{images.layout('small')}:latest"
		else:
			self.reference = f"oci:{cache.folder('guest_bench', FORMAT, make)}/image:it"

	def disk(self, store):
		return command.Store(store).pull(self.reference)["disk"]

	def ext4(self, disk, path):
		"""The image as one ext4; None when this mkrootfs does not make such."""
		if "--format" not in command.mkrootfs("build", "--help").stdout:
			return None
		command.run([suite.command_path(), "build", "-q", "--size", "3G", "-o", path, disk])
		return path

	def tree(self, disk, folder):
		"""What mkrootfs exports, unpacked by tar."""
		os.makedirs(folder)
		line = '"$1" export "$2" | tar -C "$3" --xattrs --numeric-owner -xpf -'
		command.run(["sh", "-ec", line, "sh", suite.command_path(), disk, folder])
		return folder
