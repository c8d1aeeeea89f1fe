#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images as whole ext4 filesystems: e2fsck has nothing to say, and the kernel shows of them what it shows
of the image's own disk; as writable as any other."""

import glob
import os
import random
import re
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, layer_images, layers, many, mounts, suite, tar_maker, tree  # noqa: E402

NEEDS = ["kernel:erofs", "kernel:ext4", "e2fsck", "mke2fs", "debugfs", "dumpe2fs"]
MIB, GIB = 1 << 20, 1 << 30
EACH = int(os.environ.get("MKROOTFS_TEST_EACH", "5"))  # one recipe of so many; 1: all
LOST_FOUND = b"lost+found"
NAMES = int(os.environ.get("MKROOTFS_TEST_NAMES", "100000"))  # in one folder: enough for an index of two levels


def plain(tar):
	return tar


def pull(test, tars):
	"""The image's folder, and the disk as one file."""
	done = layer_images.attempt(test, layer_images.layout(test, tars, plain), layer_images.new_store(test))
	test.assertEqual(done.returncode, 0, done.stderr)
	return command.json.loads(done.stdout)["disk"]


def attempt(disk, path, *options):
	return command.attempt([suite.command_path(), "build", "-q", *options, "-o", path, disk])


def build(test, disk, *options):
	path = os.path.join(suite.temporary(test, "built"), "root.ext4")
	done = attempt(disk, path, *options)
	test.assertEqual(done.returncode, 0, done.stderr)
	check(path)
	return path


def check(path):
	"""The checker has nothing to say: no question, no correction, exit code 0."""
	return command.run(["e2fsck", "-fn", path])


def listing(test, path, options="loop,ro"):
	return tree.listing(mounts.mount(test, ["-t", "ext4", "-o", options, path]), lambda name: name == LOST_FOUND)


def disk_listing(test, disk):
	return tree.listing(mounts.erofs(test, layer_images.joined_disk(test, disk)), lambda name: name == LOST_FOUND)


def everything(seed=1):
	"""A tree with all that ext4 keeps in different ways."""
	rng = random.Random(seed)
	maker = tar_maker.Maker(mtime=5)
	acl = bytes.fromhex("02000000 01000600ffffffff 02000600e8030000 04000400ffffffff 08000400 05000000 10000600ffffffff 20000400ffffffff".replace(" ", ""))
	sets = [{}, {}, {}, {"user.a": b"1"}, {"user.shared": b"y" * 200}, {"user.big": b"x" * 3900}, {"trusted.empty": b""},
		{"security.capability": bytes.fromhex("0100000200200000000000000000000000000000")}, {"system.posix_acl_access": acl},
		{f"user.{number}": bytes([number]) * number for number in range(40)}, {"user.ä": b"o", "trusted.t": b"1234", "security.selinux": b"a:b:c\0"}]
	times = [0, 1, "-1.5", -(1 << 31), (1 << 31) - 1, 1 << 31, "4294967296.999999999", (1 << 34) - (1 << 31) - 1, "1700000000.123456789"]
	folders = [""]

	def attributes(kind):
		return {"mode": rng.choice([0o644, 0o755, 0o4755, 0o2711, 0o1777, 0, 0o7777]), "uid": rng.choice([0, 1000, 65536, 4294967294]), "gid": rng.choice([0, 5, 70000]),
			"mtime": rng.choice(times), "xattrs": rng.choice([one for one in sets if kind in ("file", "dir") or not any(name[:4] in ("user", "syst") for name in one)])}

	for number in range(1500):
		name = rng.choice(folders) + rng.choice(["n", "name-", "é", "x" * 200]) + str(number)
		kind = rng.choice(["file"] * 6 + ["dir", "symlink", "fifo", "char", "block", "link"])
		if kind == "file":
			maker.file(name, rng.randbytes(rng.choice([0, 1, 100, 4095, 4096, 4097, 20000])), **attributes(kind))
			last = name
		elif kind == "dir":
			maker.dir(name, **attributes(kind))
			folders.append(name + "/")
		elif kind == "symlink":
			maker.symlink(name, "t" * rng.choice([1, 59, 60, 61, 1000, 4095]), **{**attributes(kind), "mode": 0o777})
		elif kind == "fifo":
			maker.fifo(name, **attributes(kind))
		elif kind == "link" and number > 100:
			maker.link(name, last)
		elif kind != "link":
			maker.device(kind, name, rng.choice([1, 255, 256, 4095]), rng.choice([0, 255, 256, 1048575]), **attributes(kind))
	maker.file("twice-1", b"the same" * 3000)
	maker.file("twice-2", b"the same" * 3000)
	return maker


class Trees(unittest.TestCase):
	def test_recipes(self):
		"""What a recipe says of its merged disk; times that ext4 cannot hold aside."""
		problems, checked = [], 0
		for recipe in sorted(glob.glob(os.path.join(layers.FOLDER, "*.recipe"))):
			for stack in layers.load(os.path.basename(recipe).removesuffix(".recipe")).values():
				checked += not stack.refused
				if not stack.refused and checked % EACH == 0:
					problems += self.differences(stack)
		self.assertGreater(checked, 50)
		self.assertEqual(problems, [], "\n".join(problems))

	def differences(self, stack):
		with suite.Scope() as scope:
			scope.assertEqual = self.assertEqual
			disk, path = pull(scope, stack.tars), os.path.join(suite.temporary(scope, "built"), "x.ext4")
			done = attempt(disk, path)
			if done.returncode != 0:
				return [] if "ext4 has" in done.stderr or "extended attribute" in done.stderr else [f"{stack.name}: {done.stderr}"]
			check(path)
			clamped = "times before 1901 or past 2446" in done.stderr
			lines = tree.compare(listing(scope, path), disk_listing(scope, disk), "ext4", "EROFS",
				lambda path, field, ours, theirs: field == "mtime" and clamped and not -(1 << 31) <= theirs // 10**9 < (1 << 34) - (1 << 31))
			return [f"{stack.name}: {line}" for line in lines]

	def test_all_kinds_of_attributes(self):
		maker = everything()
		disk = pull(self, [maker.tar()])
		shown = listing(self, build(self, disk))
		tree.assert_same(self, shown, maker.listing(), "ext4", "the archive", lambda path, field, a, b: path == b"")
		tree.assert_same(self, shown, disk_listing(self, disk), "ext4", "EROFS")

	def test_same_as_mke2fs(self):
		"""mke2fs -d of the mounted disk, but for times: it cuts them to seconds."""
		disk = pull(self, [everything(2).tar()])
		folder, path = mounts.erofs(self, layer_images.joined_disk(self, disk)), os.path.join(suite.temporary(self, "mke2fs"), "x.ext4")
		command.run(["mke2fs", "-q", "-t", "ext4", "-b", "4096", "-d", folder, path, "300M"])

		def known(path, field, ours, theirs):
			return field == "mtime" or path == b""

		tree.assert_same(self, listing(self, build(self, disk)), listing(self, path), "ext4", "mke2fs", known)

	def test_same_bytes_every_time(self):
		disk = pull(self, [everything(3).tar()])
		first = layer_images.read_file(build(self, disk))
		self.assertEqual(first == layer_images.read_file(build(self, disk)), True)
		self.assertNotEqual(first[1024:2048], layer_images.read_file(build(self, disk, "--label", "other"))[1024:2048])

	def test_holes(self):
		"""Pieces far apart: an extent tree of more than one level, and little disk."""
		folder = suite.temporary(self, "sparse")
		with open(os.path.join(folder, "sparse"), "wb") as file:
			file.truncate(5 * GIB + 3)
			for number in range(2000):
				file.seek(number * 2 * MIB + number * 4096 % MIB)
				file.write(b"data %d" % number)
		tar = os.path.join(folder, "x.tar")
		command.run(["tar", "-C", folder, "--format=posix", "-S", "-cf", tar, "sparse"])
		path = build(self, pull(self, [layer_images.read_file(tar)]))
		self.assertLess(os.stat(path).st_blocks * 512, 200 * MIB)
		shown = os.path.join(mounts.mount(self, ["-t", "ext4", "-o", "loop,ro", path]), "sparse")
		command.run(["cmp", "-n", str(64 * MIB), os.path.join(folder, "sparse"), shown])
		self.assertEqual(os.path.getsize(shown), 5 * GIB + 3)
		self.assertLess(os.stat(shown).st_blocks * 512, 5 * GIB)
		with open(os.path.join(folder, "sparse"), "rb") as one, open(shown, "rb") as other:
			for number in range(0, 2000, 7):
				one.seek(number * 2 * MIB)
				other.seek(number * 2 * MIB)
				self.assertEqual(one.read(MIB), other.read(MIB))


class LargeFolders(unittest.TestCase):
	def test_every_name_of_very_many_is_found(self):
		path = build(self, pull(self, [many.empty_files("d/name-", NAMES) + many.END]))
		folder = mounts.mount(self, ["-t", "ext4", "-o", "loop", path])
		for number in range(NAMES):
			os.lstat(f"{folder}/d/name-{number:06}")
		self.assertEqual(len(os.listdir(f"{folder}/d")), NAMES)
		self.assertRaises(FileNotFoundError, os.lstat, f"{folder}/d/name-{NAMES}")
		for number in range(NAMES // 100):
			os.rename(f"{folder}/d/name-{number * 100:06}", f"{folder}/d/a name that is longer-{number}")
		command.run(["umount", folder])
		check(path)
		command.run(["mount", "-t", "ext4", "-o", "loop,ro", path, folder])
		self.assertIn("Indirect levels: 1", command.run(["debugfs", "-R", "htree_dump /d", path]))

	def test_66000_folders_in_one(self):
		"""More than a count of links holds."""
		path = build(self, pull(self, [many.empty_files("d/name-", 66000, flag=b"5") + many.END]))
		folder = mounts.mount(self, ["-t", "ext4", "-o", "loop", path])
		self.assertEqual(os.lstat(f"{folder}/d").st_nlink, 1)
		os.rmdir(f"{folder}/d/name-000007")
		os.mkdir(f"{folder}/d/another")


class Use(unittest.TestCase):
	def test_filled_and_emptied(self):
		maker = everything(4)
		path = build(self, pull(self, [maker.tar()]), "--size", "200M")
		folder = mounts.mount(self, ["-t", "ext4", "-o", "loop", path])
		try:
			for number in range(100000):
				with open(os.path.join(folder, f"filler-{number}"), "wb") as file:
					file.write(bytes([number % 255 + 1]) * MIB)
		except OSError as error:
			self.assertEqual(error.errno, 28)
		kept = tree.listing(folder, lambda name: name == LOST_FOUND or name.startswith(b"filler"))
		tree.assert_same(self, kept, maker.listing(), "the full one", "the archive", lambda path, field, a, b: path == b"")
		for name, node in sorted(kept.items(), reverse=True)[:700]:
			if node.kind == "file":
				os.setxattr(os.path.join(os.fsencode(folder), name), "user.new", b"v" * 50)
				os.remove(os.path.join(os.fsencode(folder), name))
		for number in range(0, 40, 3):
			os.remove(os.path.join(folder, f"filler-{number}"))
		command.run(["umount", folder])
		check(path)
		command.run(["mount", "-t", "ext4", "-o", "loop", path, folder])

	def test_least_size(self):
		disk, path = pull(self, [everything(5).tar()]), os.path.join(suite.temporary(self, "least"), "x.ext4")
		done = attempt(disk, path, "--size", "8M")
		self.assertEqual(done.returncode, 2, done.stderr)
		least = int(re.search(r"the least size is (\d+) MiB$", done.stderr.strip()).group(1))
		self.assertEqual(attempt(disk, path, "--size", f"{least - 1}M").returncode, 2)
		self.assertFalse(os.path.exists(path))
		self.assertEqual(attempt(disk, path, "--size", f"{least}M").returncode, 0)
		check(path)
		self.assertGreaterEqual(os.statvfs(mounts.mount(self, ["-t", "ext4", "-o", "loop,ro", path])).f_ffree, 64)

	def test_default_size_leaves_room(self):
		maker = tar_maker.Maker()
		for number in range(30):
			maker.file(f"f{number}", random.Random(number).randbytes(10 * MIB))
		path = build(self, pull(self, [maker.tar()]))
		free = os.statvfs(mounts.mount(self, ["-t", "ext4", "-o", "loop,ro", path]))
		self.assertGreater(free.f_bavail * 4096, 55 * MIB)  # the kernel keeps 16 MiB back
		self.assertLess(os.path.getsize(path), 420 * MIB)
		self.assertGreater(free.f_favail, 10000)

	def test_no_file_of_the_image_is_replaced(self):
		folder = os.path.join(suite.temporary(self, "copy"), "image")
		shutil.copytree(os.path.dirname(pull(self, [everything(6).tar()])), folder)
		before = {name: os.stat(os.path.join(folder, name)).st_ino for name in os.listdir(folder)}
		for name in sorted(before):
			if name.endswith((".erofs", ".vmdk")):
				done = command.mkrootfs("build", "-q", "-f", "-o", os.path.join(folder, name), folder)
				self.assertEqual(done.returncode, 2, (name, done.stderr))
				self.assertIn("made of itself", done.stderr)
		self.assertEqual({name: os.stat(os.path.join(folder, name)).st_ino for name in os.listdir(folder)}, before)

	def test_existing_files(self):
		disk, path = pull(self, [everything(6).tar()]), os.path.join(suite.temporary(self, "there"), "x.ext4")
		open(path, "w").close()
		self.assertEqual(attempt(disk, path).returncode, 1)
		self.assertEqual(os.path.getsize(path), 0)
		self.assertEqual(attempt(disk, path, "--force").returncode, 0)
		self.assertEqual(os.listdir(os.path.dirname(path)), ["x.ext4"])


class Sharing(unittest.TestCase):
	def test_blocks_are_shared_where_the_filesystem_can(self):
		image = os.path.join(suite.temporary(self, "btrfs"), "btrfs")
		with open(image, "wb") as file:
			file.truncate(2 * GIB)
		if command.attempt(["mkfs.btrfs", "-q", image]).returncode != 0:
			self.skipTest("no mkfs.btrfs")
		folder = mounts.mount(self, ["-t", "btrfs", "-o", "loop", image])
		maker = tar_maker.Maker()
		for number in range(20):
			maker.file(f"f{number}", random.Random(number).randbytes(5 * MIB + number))
		layout = layer_images.layout(self, [maker.tar()], plain)
		store = command.Store(os.path.join(folder, "store"))
		disk = command.json.loads(store.attempt_pull(f"oci:{layout.folder}:it", "--json").stdout)["disk"]
		os.sync()
		before = os.statvfs(folder).f_bfree
		path = os.path.join(folder, "x.ext4")
		self.assertEqual(attempt(disk, path).returncode, 0)
		os.sync()
		self.assertLess((before - os.statvfs(folder).f_bfree) * 4096, 20 * MIB)
		check(path)
		command.run(["cmp", path, build(self, pull(self, [maker.tar()]))])


if __name__ == "__main__":
	suite.main(NEEDS)
