#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real guests: an image's disk and an upper, mounted by two generations of kernels.

6.1 is the oldest kernel that users of this tool commonly boot, 6.12 the next with long support.
"""

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, guest, images, kernels, mounts, suite  # noqa: E402

NEEDS = ["kernel:erofs", "qemu-system-x86_64", "qemu-img", "busybox", "apt-get", "dpkg", "umoci", "skopeo", "buildah", "e2fsck"]

# Everything that stat tells of every name, and the contents of all files: two texts to compare.
LIST = r"""
find . -print0 | sort -z | xargs -0 busybox stat -c '%N: mode %f uid %u gid %g time %y links %h device %t:%T size %s'
find . -type f -print0 | sort -z | xargs -0 busybox sha256sum
"""
LIST = LIST.replace("find", "busybox find").replace("sort", "busybox sort").replace("xargs", "busybox xargs")

IN_ROOT = """
busybox mount -t proc proc /root/proc
busybox mount --bind /dev /root/dev
in_root() { busybox chroot /root /usr/bin/env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "$@"; }
"""
FIRST = IN_ROOT + r"""
in_root python3 -c '
import json, ssl, sqlite3, zlib, hashlib, ctypes, decimal, asyncio
print("PYTHON", json.dumps({"answer": sqlite3.connect(":memory:").execute("select 6*7").fetchone()[0]}))'
in_root python3 /srv/app.py
in_root sh -e -c '
echo written > /srv/new-file
echo more >> /etc/hostname
rm /srv/opaque/new
rm -r /srv/many && mkdir /srv/many && echo one > /srv/many/one
mv /srv/empty /srv/renamed
setfattr -n user.from -v guest /srv/new-file
head -c 20000000 /dev/urandom > /srv/large && sha256sum /srv/large > /srv/large.sum'
busybox umount /root/proc /root/dev
"""
SECOND = IN_ROOT + r"""
in_root sh -e -c '
test "$(cat /srv/new-file)" = written
test "$(tail -n 1 /etc/hostname)" = more
test ! -e /srv/opaque/new
test "$(ls /srv/many)" = one
test ! -e /srv/empty && test -e /srv/renamed
test "$(getfattr --only-values -n user.from /srv/new-file)" = guest
sha256sum -c /srv/large.sum
echo again >> /srv/new-file'
echo SECOND BOOT SAW ALL
busybox umount /root/proc /root/dev
"""


class Guest:
	"""What holds with each kernel; the subclasses name it."""

	@classmethod
	def setUpClass(cls):
		cls.kernel = kernels.get(cls.version)

	def pull(self, name):
		return command.Store(suite.temporary(self, "store")).pull(f"oci:{images.layout(name)}:latest")

	def boot(self, image, upper, script):
		self.out = os.path.join(suite.temporary(self, "out"), "out.raw")
		return guest.boot(self.kernel, image["disk"], upper, script, self.out)

	def make_upper(self):
		path = os.path.join(suite.temporary(self, "upper"), "upper.ext4")
		command.run([suite.command_path(), "upper", "--size", "1G", path])
		return path

	def test_python_runs_and_what_it_writes_stays(self):
		image, upper = self.pull("python"), self.make_upper()
		text = self.boot(image, upper, FIRST)
		self.assertIn('PYTHON {"answer": 42}', text)
		self.assertIn('{"ok": 42}', text)
		command.run(["e2fsck", "-fn", upper])
		text = self.boot(image, upper, SECOND)
		self.assertIn("SECOND BOOT SAW ALL", text)
		command.run(["e2fsck", "-fn", upper])

	def test_sees_the_tree_that_the_host_sees(self):
		image = self.pull("small")
		self.boot(image, self.make_upper(), f"cd /lower\n{{ {LIST} }} > /dev/vdc\ncd /\n")
		seen = guest.read_out(self.out).split(b"\n")
		folder = mounts.erofs(self, mounts.raw_disk(self, image["disk"]))
		expected = command.run(["busybox", "sh", "-c", LIST], cwd=folder, env={**os.environ, "LC_ALL": "C", "TZ": "UTC"})
		expected = expected.encode(errors="surrogateescape").split(b"\n")
		self.assertGreater(len(expected), 500)
		different = [f"host:  {ours!r}\nguest: {theirs!r}" for ours, theirs in zip(expected, seen) if ours != theirs]
		self.assertEqual(different[:20], [])
		self.assertEqual(len(seen), len(expected))


class Guest61(Guest, unittest.TestCase):
	version = "6.1"


class Guest612(Guest, unittest.TestCase):
	version = "6.12"


if __name__ == "__main__":
	suite.main(NEEDS)
