#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Uppers in real guests: they grow while they are mounted, and survive a machine that is cut off."""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, guest, images, kernels, mounts, suite  # noqa: E402

NEEDS = ["kernel:ext4", "qemu-system-x86_64", "busybox", "apt-get", "dpkg", "e2fsck", "dumpe2fs", "resize2fs", "debugfs"]
GIB = 1 << 30

# Steps: within the last block of descriptors, into the reserve or beyond it, and to the maximum.
GROW = """
grow() {
	busybox dd if=/dev/zero of=$1/before-$3 bs=1M count=3 2>/dev/null
	resize2fs $2 $3
	busybox dd if=/dev/zero of=$1/behind-$3 bs=1M count=3 2>/dev/null
	busybox sync
}
busybox mkdir /other
busybox mount -t ext4 /dev/vdd /other
for size in 3G 20G 40G; do
	grow /rw/upper /dev/vdb $size
	grow /other/upper /dev/vdd $size
done
busybox df /rw /other
busybox umount /other
"""
# A whole ext4 of the same image: its own programs run in it, and it takes what is written.
LIVE = """
busybox mkdir /whole
busybox mount -t ext4 /dev/vde /whole
busybox cmp /whole/bin/busybox /lower/bin/busybox
busybox chroot /whole /bin/busybox sh -c '/bin/busybox ls / > /names && echo from inside > /written && /bin/busybox mkdir /etc/new && /bin/busybox rm -r /data'
busybox umount /whole
"""
# The first process of a guest that has this disk alone.
ALONE = """
/bin/busybox awk '$2 == "/" && $3 == "ext4" { print "root is ext4 " substr($4, 1, 2) }' /proc/mounts
/bin/busybox mkdir -p /etc
echo by the first process > /etc/written
/bin/busybox sync
"""
WRITE = """
number=0
while true; do
	number=$((number + 1))
	busybox dd if=/dev/urandom of=/root/file-$number bs=4k count=$((number % 40 + 1)) conv=fsync 2>/dev/null
	[ $((number % 3)) != 0 ] || busybox rm /root/file-$((number - 2))
	echo written $number
done
"""


def make(test, *options, name="upper.ext4"):
	path = os.path.join(suite.temporary(test, "upper"), name)
	command.run([suite.command_path(), "upper", *options, path])
	return path


def superblock(path):
	lines = command.run(["dumpe2fs", "-h", path]).split("\n")
	return {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines) if value}


class Guest:
	"""What holds with each kernel; the subclasses name it."""

	@classmethod
	def setUpClass(cls):
		cls.kernel = kernels.get(cls.version)
		cls.disk = command.Store(suite.temporary(cls, "store")).pull(f"oci:{images.layout('small')}:latest")["disk"]

	def out(self):
		return os.path.join(suite.temporary(self, "out"), "out.raw")

	def check_grown(self, path, feature, other):
		command.run(["e2fsck", "-fn", path])
		values = superblock(path)
		self.assertEqual(int(values["Block count"]) * 4096, 40 * GIB)
		self.assertIn(feature, values["Filesystem features"])
		self.assertNotIn(other, values["Filesystem features"])
		for size in ("3G", "20G", "40G"):
			self.assertIn(f"behind-{size}", command.run(["debugfs", "-R", "ls -p /upper", path]))

	def test_grows_while_mounted(self):
		"""With a reserve the descriptors stay in one piece; without, the kernel goes over to meta_bg."""
		reserved, plain = make(self, "--size", "2G", "--max-size", "40G"), make(self, "--size", "2G", name="plain.ext4")
		for path in (reserved, plain):
			os.truncate(path, 40 * GIB)
		whole = os.path.join(suite.temporary(self, "whole"), "root.ext4")
		command.run([suite.command_path(), "build", "-q", "-o", whole, self.disk])
		guest.boot(self.kernel, self.disk, reserved, GROW + LIVE, self.out(), more=[plain, whole], programs=["resize2fs"])
		self.check_grown(reserved, "resize_inode", "meta_bg")
		self.check_grown(plain, "meta_bg", "resize_inode")
		command.run(["e2fsck", "-fn", whole])
		self.assertIn("from inside", command.run(["debugfs", "-R", "cat /written", whole]))


class Guest61(Guest, unittest.TestCase):
	version = "6.1"

	def test_survives_being_cut_off(self):
		"""What was synced is there after a replay of the journal, and nothing else is needed."""
		upper = make(self, "--size", "1G", "--max-size", "100G")
		text = guest.kill(self.kernel, self.disk, upper, WRITE, self.out(), when="written 60")
		self.assertIn("needs_recovery", superblock(upper)["Filesystem features"])
		replay = command.attempt(["e2fsck", "-p", upper])
		self.assertLessEqual(replay.returncode, 1)
		self.assertIn("recovering journal", replay.stdout)
		self.assertNotIn("INCONSISTENCY", replay.stdout)
		command.run(["e2fsck", "-fn", upper])
		names = os.listdir(os.path.join(mounts.mount(self, ["-o", "loop,ro", upper]), "upper"))
		for number in range(1, text.count("written ") - 2):
			self.assertTrue(f"file-{number}" in names or number % 3 == 1, number)


class Guest612(Guest, unittest.TestCase):
	version = "6.12"

	def test_boots_from_a_whole_ext4_alone(self):
		whole = os.path.join(suite.temporary(self, "whole"), "root.ext4")
		command.run([suite.command_path(), "build", "-q", "-o", whole, self.disk])
		text = guest.boot_root(self.kernel, whole, ALONE)
		self.assertIn("root is ext4 rw", text)
		command.run(["e2fsck", "-fn", whole])
		self.assertEqual(command.run(["debugfs", "-R", "cat /etc/written", whole]), "by the first process\n")


if __name__ == "__main__":
	suite.main(NEEDS)
