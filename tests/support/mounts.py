# SPDX-License-Identifier: Apache-2.0
"""Mounting on the host's kernel, undone when the test is over.

	folder = mounts.erofs(self, image)
	folder = mounts.overlay(self, [bottom, ..., top])
	raw = mounts.raw_disk(self, vmdk)
"""

import os

from support import command, suite


def erofs(test, image):
	"""Mounts an EROFS image read-only; returns the folder. Each call has a loop device of its own."""
	loop = command.run(["losetup", "--find", "--show", "--read-only", image]).strip()
	try:
		return mount(test, ["-t", "erofs", "-o", "ro", loop])
	finally:
		command.run(["losetup", "--detach", loop])  # the kernel does so when it is unmounted


def mount(test, arguments):
	folder = suite.temporary(test, "mount")
	command.run(["mount", *arguments, folder])
	suite.cleanup(test, command.run, ["umount", folder])
	return folder


def overlay(test, lowers, upper=None, work=None):
	"""Stacks folders, the lowest first. The kernel's limit on the length of mount options counts:
	the folders are named by short links."""
	links = suite.temporary(test, "o")
	names = []
	for number, lower in enumerate(reversed(lowers)):
		os.symlink(lower, f"{links}/{number}")
		names.append(str(number))
	options = "lowerdir=" + ":".join(names)
	if upper is not None:
		options += f",upperdir={upper},workdir={work}"
	folder = suite.temporary(test, "mount")
	command.run(["mount", "-t", "overlay", "-o", options, "overlay", folder], cwd=links)
	suite.cleanup(test, command.run, ["umount", folder])
	return folder


def raw_disk(test, vmdk):
	"""The disk that QEMU sees behind a descriptor, as one sparse file."""
	raw = os.path.join(suite.temporary(test, "raw"), "disk.raw")
	command.run(["qemu-img", "convert", "-f", "vmdk", "-O", "raw", vmdk, raw])
	return raw
