#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The limits of the format: directories, names, link targets, files, extended attributes and numbers of
every size at which an encoder may change its mind. The kernel mounts the layer image and the disk, and
both must show what the generator wrote down while it made the archive."""

import gzip
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import layer_images, mounts, oci_layout, suite, tar_recipe, tree  # noqa: E402
from support.tar_maker import Maker  # noqa: E402

NEEDS = ["fsck.erofs", "qemu-img"]
BLOCK = 4096
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
BAD_INPUT = 6  # exit code
ENTRY = 12  # bytes of a directory's entry beside its name
DOTS = ENTRY + 1 + ENTRY + 2  # "." and ".."
LONGEST_NAME = 255
DIFF_ID_OF_2300_MIB = "sha256:4ab95faf3d21ec038371ae83c489640dbe4427d1dae26469a459d6bd714fc505"
ANY_BYTE = bytes(byte for byte in range(1, 256) if byte != ord("/"))


class ShapeCase(unittest.TestCase):
	def check(self, maker):
		"""Pulls the archive as an image of one layer; both of its files show what the maker says."""
		pulled = layer_images.pull(self, [maker.tar()])
		self.assert_shown(pulled, maker)
		return pulled

	def assert_shown(self, pulled, maker):
		self.assertEqual(pulled.warnings, [])
		for listing, name in ((pulled.images[0], "the layer image"), (pulled.disk, "the disk")):
			tree.assert_same(self, listing, maker.listing(), name, "the generator")

	def mounted_quickly(self, maker):
		"""For archives of many entries: the layer image and the disk, mounted and not listed."""
		image = layer_images.layout(self, [maker.tar()], lambda tar: tar)
		result = layer_images.new_store(self).pull(f"oci:{image.folder}:it")
		for path in (result["layers"][0]["path"], layer_images.joined_disk(self, result["disk"])):
			layer_images.fsck(path)
			yield mounts.erofs(self, path)

	def assert_refused(self, tar, *says):
		store = layer_images.new_store(self)
		done = layer_images.attempt(self, layer_images.layout(self, [tar]), store)
		layer_images.assert_refused(self, done, BAD_INPUT, says)
		layer_images.assert_nothing_left(self, store, ())


class Directories(ShapeCase):
	"""Each file has an owner of its own, so that a name that leads to another inode shows."""

	# Of inodes with the commonest time and small numbers, of others, and with attributes behind them.
	HEADS = ({}, {"mtime": 5}, {"xattrs": {"user.k": b"v"}}, {"xattrs": {"user.k": bytes(1000)}, "uid": 70000}, {"xattrs": {"trusted.k": bytes(4000)}})

	def setUp(self):
		self.maker = Maker()
		self.random = random.Random(1)
		self.owner = 0
		self.sizes = {}  # of directories

	def add_file(self, path):
		self.owner += 1
		self.maker.file(path, uid=self.owner % 65536)

	def add_names(self, folder, prefix, size):
		"""Names that take exactly size bytes of a directory, which is at least 13: few long ones."""
		count = -(-size // (ENTRY + LONGEST_NAME))
		for number in range(count):
			share = size // (count - number)
			size -= share
			name = f"{prefix}{number:02}" if count > 1 else prefix
			self.add_file(f"{folder}/{name.ljust(share - ENTRY, 'n')}")

	def add_directory(self, name, tail, full_blocks, head):
		"""One whose last block holds tail bytes, behind full ones that begin with the dots."""
		self.maker.dir(name, **head)
		self.sizes[name] = full_blocks * BLOCK + tail
		for block in range(full_blocks):
			self.add_names(name, chr(ord("a") + block), BLOCK - (0 if block else DOTS))
		self.add_names(name, "z", tail if full_blocks else tail - DOTS)

	def test_last_blocks_of_every_size_around_a_blocks_edges(self):
		"""With no, one and two full blocks before it."""
		small, large = range(ENTRY + 1, 80), range(BLOCK - 90, BLOCK + 1)
		for full_blocks in (0, 1, 2):
			for tail in (*small, *large):
				if full_blocks == 0 and tail < DOTS + ENTRY + 1:
					continue
				head = self.HEADS[(tail + full_blocks) % len(self.HEADS)]
				self.add_directory(f"{full_blocks}-{tail}", tail, full_blocks, head)
		for number, head in enumerate(self.HEADS):
			self.maker.dir(f"empty-{number}", **head)
			for tail in range(BLOCK - 300, BLOCK, 37):
				self.add_directory(f"head-{number}-{tail}", tail, 0, head)
		pulled = self.check(self.maker)
		for name, size in self.sizes.items():
			self.assertEqual(os.lstat(os.path.join(pulled.folders[0], name)).st_size, size, name)

	def test_number_of_files_from_1_to_600(self):
		for count in (*range(1, 65), *range(65, 600, 16), 600):
			self.maker.dir(f"{count}")
			for name in range(count):
				self.add_file(f"{count}/{name}".ljust(self.random.randint(8, 140), "x"))
		self.check(self.maker)

	def test_80_names_of_255_bytes(self):
		self.maker.dir("d")
		for number in range(80):
			self.add_file(f"d/{number:02}".ljust(2 + LONGEST_NAME, "n"))
		self.check(self.maker)

	def test_5000_entries(self):
		"""Names of five lengths, directories among the files."""
		self.maker.dir("d")
		for number in self.random.sample(range(5000), 5000):
			if number % 7:
				self.add_file(f"d/{number:0{4 + number % 5}}")
			else:
				self.maker.dir(f"d/{number}", uid=number)
		self.check(self.maker)

	def test_100000_entries(self):
		"""Lists them all and looks up some."""
		names = [f"{number:x}" for number in range(100_000)]
		self.random.shuffle(names)
		self.maker.dir("d")
		for name in names:
			self.add_file(f"d/{name}")
		for root in self.mounted_quickly(self.maker):
			folder = os.path.join(root, "d")
			self.assertEqual(sorted(os.listdir(folder)), sorted(names))
			for number in self.random.sample(range(len(names)), 3000):
				self.assertEqual(os.lstat(f"{folder}/{names[number]}").st_uid, (number + 1) % 65536)
			for name in ("g", "186a0", "fffff", "0x", "-"):
				self.assertFalse(os.path.lexists(f"{folder}/{name}"), name)


class Names(ShapeCase):
	def test_names_of_all_lengths_and_bytes(self):
		"""The kernel finds each by its own search, so a wrong order shows."""
		maker = Maker()
		maker.dir("lengths")
		for length in range(1, LONGEST_NAME + 1):
			name = bytes(ANY_BYTE[(length * 7 + at) % len(ANY_BYTE)] for at in range(length))
			maker.file(b"lengths/" + name, uid=length)
		maker.dir("single")
		for byte in ANY_BYTE.replace(b".", b""):
			maker.file(b"single/" + bytes([byte]), uid=byte)
		maker.dir("pairs")
		for first in b"\x01!+-./0Aa\x7f\x80\xff".replace(b"/", b""):
			for second in ANY_BYTE:
				if (first, second) != (46, 46):
					maker.file(b"pairs/" + bytes([first, second]), uid=first * 256 + second)
		self.check(maker)

	def test_names_around_the_dots(self):
		"""In the root and in a folder: what stands before "." and "..", between and behind them."""
		names = (b"!a", b"+b", b"-c", b"#", b" ", b"-", b".a", b"..a", b"...", b".\x01", b".-", b"..\x01", b"..-", b"0", b"Z", b"a", b"\x7f", b"\xff")
		maker = Maker()
		maker.dir("d")
		for number, name in enumerate(names):
			maker.file(name, uid=number)
			maker.file(b"d/" + name, uid=number)
		self.check(maker)

	def test_names_that_begin_alike(self):
		"""Prefixes of each other, in one block and over many."""
		maker = Maker()
		for letter in ("a", "\xff"):
			for length in range(1, LONGEST_NAME + 1):
				maker.file(os.fsencode("p" if letter == "a" else "q") + letter.encode("latin-1") * (length - 1), uid=length)
		self.check(maker)


class Symlinks(ShapeCase):
	def test_targets_of_every_length(self):
		"""From 1 to 4,095 bytes, the kernel's limit."""
		maker = Maker()
		maker.dir("d")
		noise = random.Random(2).choices(ANY_BYTE + b"/", k=BLOCK)
		for length in range(1, BLOCK):
			attributes = {"mtime": length} if length % 3 == 0 else {}
			maker.symlink(f"d/{length}", bytes(noise[:length]), **attributes)
		self.check(maker)

	def test_target_of_4096_bytes(self):
		self.assert_refused(tar_recipe.build(r'file a' '\n' r'symlink s -> "\{t*4096}"'), "'s'", "4096")

	def test_empty_target(self):
		self.assert_refused(tar_recipe.build('symlink s -> ""'), "'s'")


class Files(ShapeCase):
	def test_sizes_around_every_edge_of_three_blocks(self):
		maker = Maker()
		noise = random.Random(3)
		sizes = {0, 1, 2, 100, 511, 512, 513, 2048} | {block * BLOCK + step for block in (1, 2, 3) for step in range(-70, 71)}
		for size in sorted(size for size in sizes if size >= 0):
			maker.file(f"{size:05}", noise.randbytes(size), mtime=size % 2)
		self.check(maker)

	def test_files_of_zeros(self):
		"""Their data is data, whether the image file stores it or not."""
		maker = Maker()
		for size in (1, BLOCK - 1, BLOCK, BLOCK + 1, 100_000, 3 * MIB):
			maker.file(f"zeros-{size}", bytes(size))
			maker.file(f"behind-{size}", b"x" + bytes(size) + b"x")
		self.check(maker)

	def test_equal_contents_are_stored_once(self):
		"""100 files of 64 KiB, and such as differ from them in one byte, or in their length alone."""
		maker = Maker()
		noise = random.Random(4).randbytes(64 * KIB)
		for number in range(100):
			maker.file(f"same-{number}", noise, uid=number)
		for name, data in (("last", noise[:-1] + b"?"), ("first", b"?" + noise[1:]), ("short", noise[:-1]), ("long", noise + b"\0")):
			maker.file(name, data)
		maker.file("tail", noise[:100])
		maker.file("tail-and-zero", noise[:100] + b"\0")
		pulled = self.check(maker)
		self.assertLess(os.path.getsize(pulled.paths[0]), 6 * 64 * KIB)

	def test_equal_contents_of_several_layers(self):
		"""A file that both layers have is right, whichever data it shows."""
		makers = [Maker(), Maker()]
		noise = random.Random(5).randbytes(20_000)
		for number, maker in enumerate(makers):
			for name in ("both", f"only-{number}"):
				maker.file(name, noise, uid=number)
		pulled = layer_images.pull(self, [maker.tar() for maker in makers])
		tree.assert_same(self, pulled.disk, {**makers[0].listing(), **makers[1].listing()}, "the disk", "the generator")

	def test_70000_names_of_one_file(self):
		"""More than the short form of an inode can count."""
		maker = Maker()
		maker.file("first", b"one content\n", mode=0o640)
		for number in range(69_999):
			if number % 10_000 == 0:
				maker.dir(f"d{number // 10_000}")
			maker.link(f"d{number // 10_000}/{number}", "first")
		for folder in self.mounted_quickly(maker):
			first = os.lstat(f"{folder}/first")
			self.assertEqual((first.st_nlink, first.st_size, first.st_mode & 0o7777), (70_000, 12, 0o640))
			inodes = [entry.inode() for number in range(7) for entry in os.scandir(f"{folder}/d{number}")]
			self.assertEqual((len(inodes), set(inodes)), (69_999, {first.st_ino}))
			for path in ("d0/0", "d3/30001", "d6/69998"):
				self.assertEqual(os.lstat(f"{folder}/{path}").st_ino, first.st_ino)
				self.assertEqual(layer_images.read_file(f"{folder}/{path}"), b"one content\n")


class Attributes(ShapeCase):
	def check_small(self, maker, size):
		pulled = self.check(maker)
		self.assertLess(os.path.getsize(pulled.paths[0]), size)

	def test_values_and_names_of_all_sizes(self):
		maker = Maker()
		noise = random.Random(6)
		for size in (*range(0, 70), 4000, *range(BLOCK - 80, BLOCK + 8), 60_000, 65_535):
			maker.file(f"value-{size}", b"data", xattrs={"user.k": noise.randbytes(size)})
		for prefix in ("user.", "trusted.", "security."):
			for length in (1, 2, 3, 4, 5, LONGEST_NAME - len(prefix)):
				maker.file(f"name-{prefix}{length}", xattrs={prefix + "n" * length: b"v"})
		name = os.fsdecode(ANY_BYTE.replace(b"=", b"")[:240])
		maker.file("bytes", xattrs={f"user.{name}": ANY_BYTE, "user.\xe9": b"", "user.a b": b"\0"})
		self.check(maker)

	def test_attributes_of_all_types(self):
		maker = Maker(xattrs={"trusted.k": b"root", "user.k": b"root"})
		for number in range(40):
			xattrs = {"trusted.k": b"v" * number, "security.k": b"w"}
			maker.dir(f"d{number}", xattrs=xattrs)
			maker.symlink(f"l{number}", "t" * (number * 100 + 1), xattrs=xattrs)
			maker.fifo(f"f{number}", xattrs=xattrs)
			maker.device("char", f"c{number}", 1, number, xattrs=xattrs)
			maker.device("block", f"b{number}", 7, number, xattrs=xattrs)
		self.check(maker)

	def test_300_attributes_of_one_file(self):
		"""Each once; and those of three files, more than an inode can share."""
		maker = Maker()
		maker.file("once", xattrs={f"user.once-{number}": b"%d" % number * (number % 9) for number in range(300)})
		for name in ("a", "b", "c"):
			maker.file(name, xattrs={f"user.shared-{number:03}": b"value %d" % number for number in range(300)})
		maker.file("some", xattrs={f"user.shared-{number:03}": b"value %d" % number for number in range(100, 200)})
		self.check(maker)

	def test_the_same_40_attributes_of_1000_files(self):
		"""Stored once: without sharing they would take 2.4 MB."""
		maker = Maker()
		xattrs = {f"user.attribute-{number}": b"a value of some length %d" % number for number in range(40)}
		for number in range(1000):
			maker.file(f"{number}", xattrs=xattrs if number % 2 else dict(reversed(xattrs.items())))
		self.check_small(maker, 1000 * 300 + 16 * KIB)

	def test_values_that_differ_in_one_byte(self):
		maker = Maker()
		for number in range(256):
			for name in ("a", "b"):
				maker.file(f"{number}-{name}", xattrs={"user.k": b"x" * 50 + bytes([number]) + b"y" * 50})
		self.check(maker)

	def test_what_no_image_can_hold(self):
		for what, line in (("a value of 65,536 bytes", r'file f xattr.user.k="\{v*65536}"'), ("many large values", "file f " + " ".join(rf'xattr.user.{n}="\{{v*60000}}"' for n in range(5)))):
			with self.subTest(what):
				self.assert_refused(tar_recipe.build("file a\n" + line), "'f'", "attr")

	def test_as_many_bytes_as_an_inode_can_hold(self):
		"""65,534 words of 4 bytes behind the head of the attributes: an inode counts them in 16 bits.
		An attribute takes 4 bytes, its name without "user." and its value, rounded up to words."""
		words = [13_107, 13_107, 13_107, 13_107, 13_106]
		maker = Maker()
		maker.file("f", b"data", xattrs={f"user.{number}": bytes([number]) * (4 * count - 5) for number, count in enumerate(words)})
		maker.file("behind", b"behind")
		self.check(maker)
		words[-1] += 1
		lines = " ".join(rf'xattr.user.{number}="\{{v*{4 * count - 5 - 3 * (number == 4)}}}"' for number, count in enumerate(words))
		self.assert_refused(tar_recipe.build(f"file f {lines}"), "'f'", "attr")

	def test_name_of_256_bytes(self):
		self.assert_refused(tar_recipe.build(r'file f xattr.user.\{n*251}=v'), "255")


class Numbers(ShapeCase):
	def test_owners(self):
		maker = Maker()
		ids = (0, 1, 65535, 65536, 2**21 - 1, 2**21, 2**31 - 1, 2**31, 2**32 - 2)
		for uid in ids:
			for gid in ids:
				maker.file(f"{uid}-{gid}", uid=uid, gid=gid)
		self.check(maker)

	def test_times(self):
		maker = Maker()
		times = ("-9223372036854775808", "-62135596800", "-2147483649", "-2147483648.000000001", "-1.5", "-1", "-0.000000001", "0", "0.000000001", "0.999999999",
			"1", "2147483647", "2147483648", "4294967295", "4294967296.5", "8589934591", "8589934592", "17179869184", "253402300799.999999999", "9223372036854775807")
		for number, time in enumerate(times):
			maker.file(f"file{number}", mtime=time)
			maker.dir(f"dir{number}", mtime=time)
			maker.symlink(f"link{number}", "t", mtime=time)
		self.check(maker)

	def test_times_with_a_commonest_one_that_is_odd(self):
		"""The commonest time is stored once, whatever it is."""
		for time in ("-1.5", "4294967296.000000001", "0", "9223372036854775807.999999999"):
			with self.subTest(time=time):
				maker = Maker(mtime=time)
				for number in range(5):
					maker.file(f"{number}", b"x", mtime=time)
				maker.file("other", mtime=1)
				self.check(maker)

	def test_devices(self):
		maker = Maker()
		for kind in ("char", "block"):
			for major, minor in ((1, 3), (0, 1), (1, 0), (255, 255), (256, 256), (259, 1048575), (4095, 1048575), (4095, 0), (0, 1048575), (8, 4096)):
				maker.device(kind, f"{kind}-{major}-{minor}", major, minor)
		maker.device("block", "block-0-0", 0, 0)
		self.check(maker)

	def test_modes(self):
		maker = Maker()
		for mode in (0, 0o1, 0o7, 0o70, 0o777, 0o1000, 0o2000, 0o4000, 0o7777, 0o4755, 0o2750, 0o1777):
			maker.file(f"file{mode:o}", mode=mode)
			maker.dir(f"dir{mode:o}", mode=mode)
			maker.fifo(f"fifo{mode:o}", mode=mode)
		self.check(maker)


class Depth(ShapeCase):
	def nested(self, depth):
		return tar_recipe.build("file " + "d/" * (depth - 1) + "f data=bottom\n")

	def test_folders_in_folders(self):
		"""1,000 of them, and as many as the limit allows."""
		for depth in (1000, 1024):
			pulled = layer_images.pull(self, [self.nested(depth)])
			for listing in (pulled.images[0], pulled.disk):
				self.assertEqual(len(listing), depth + 1)
				self.assertEqual(listing[b"d/" * (depth - 1) + b"f"].size, len("bottom"))

	def test_one_folder_too_many(self):
		self.assert_refused(self.nested(1025), "1024", "component")

	def test_path_longer_than_the_kernels(self):
		"""200 folders with names of 255 bytes: reached step by step."""
		name = "n" * LONGEST_NAME
		image = layer_images.layout(self, [tar_recipe.build(f"file {'/'.join([name] * 200)}/f data=bottom\n")])
		result = layer_images.new_store(self).pull(f"oci:{image.folder}:it")
		for path in (layer_images.joined_disk(self, result["disk"]), result["layers"][0]["path"]):
			layer_images.fsck(path)
			at = os.open(mounts.erofs(self, path), os.O_PATH)
			for _ in range(200):
				below = os.open(name, os.O_PATH, dir_fd=at)
				os.close(at)
				at = below
			with open(os.open("f", os.O_RDONLY, dir_fd=at), "rb") as file:
				self.assertEqual(file.read(), b"bottom")
			os.close(at)


class Large(ShapeCase):
	"""Files that need more than 31 or 32 bits, in archives that are small."""

	def pull_blob(self, tar, blob=None, diff_id=None):
		image = oci_layout.Image(os.path.join(suite.temporary(self, "layout"), "image"))
		image.add_layer(tar, blob=blob, diff_id=diff_id)
		image.commit("it")
		return layer_images.new_store(self).pull(f"oci:{image.folder}:it")

	def folders(self, result):
		"""The layer image and the disk, mounted."""
		for path in (result["layers"][0]["path"], mounts.raw_disk(self, result["disk"])):
			layer_images.fsck(path)
			yield mounts.erofs(self, path)

	def assert_marks(self, path, size, marks):
		"""The marks, zeros around them and at random places."""
		places = [random.Random(7).randrange(size) for _ in range(200)]
		places += [offset + step for offset in marks for step in (-BLOCK, 0, BLOCK - 20)]
		with open(path, "rb") as file:
			self.assertEqual(os.fstat(file.fileno()).st_size, size)
			for place in places:
				start = min(max(place, 0), size)
				expected = bytearray(min(BLOCK, size - start))
				for offset, mark in marks.items():
					for at, byte in enumerate(mark):
						if 0 <= offset + at - start < len(expected):
							expected[offset + at - start] = byte
				self.assertEqual(os.pread(file.fileno(), len(expected), start), bytes(expected), f"at {start}")

	def test_sparse_files_of_5_and_9_gib(self):
		sizes = {"five": 5 * GIB + 1, "nine": 9 * GIB}
		marks = {name: {0: b"start", 2**31 - 1: b"across 31 bits", 2**32 + 1: b"behind 32 bits", size - 3: b"end"} for name, size in sizes.items()}
		archive = tar_recipe.Archive()
		archive.entry(b"0", b"before", {b"data": b"before\n"})
		for name, size in sizes.items():
			archive.sparse(name.encode(), sorted(marks[name].items()), {b"size": b"%d" % size, b"records": []})
		archive.entry(b"0", b"after", {b"data": b"after\n"})
		result = self.pull_blob(b"".join(archive.chunks()))
		self.assertLess(os.stat(result["layers"][0]["path"]).st_blocks * 512, MIB)
		for folder in self.folders(result):
			for name, size in sizes.items():
				self.assert_marks(os.path.join(folder, name), size, marks[name])
			for name in ("before", "after"):
				self.assertEqual(layer_images.read_file(os.path.join(folder, name)), f"{name}\n".encode())

	def test_sizes_around_powers_of_two(self):
		"""Sparse: data at the start and at the very end."""
		sizes = [2**power + step for power in (31, 32, 33, 40) for step in (-1, 0, 1)]
		archive = tar_recipe.Archive()
		for size in sizes:
			archive.sparse(b"%d" % size, [(0, b"start"), (size - 3, b"end")], {b"size": b"%d" % size, b"records": []})
		for folder in self.folders(self.pull_blob(b"".join(archive.chunks()))):
			for size in sizes:
				with open(f"{folder}/{size}", "rb") as file:
					self.assertEqual(os.fstat(file.fileno()).st_size, size)
					self.assertEqual(os.pread(file.fileno(), 7, 0), b"start\0\0")
					self.assertEqual(os.pread(file.fileno(), 10, size - 5), b"\0\0end")
					self.assertEqual(os.pread(file.fileno(), 100, size // 2), bytes(100))

	def test_sizes_that_no_image_can_hold(self):
		"""Files are refused by name where EROFS, or the number of chunks, ends; nothing hangs."""
		for size, says in ((2**56, "too large"), (2**62, "too large"), (2**63 - 1, "out of range")):
			with self.subTest(size=size):
				archive = tar_recipe.Archive()
				archive.entry(b"0", b"before")
				archive.sparse(b"huge", [(0, b"x")], {b"size": b"%d" % size, b"records": []})
				self.assert_refused(b"".join(archive.chunks()), "'huge'", says)

	def test_file_of_2300_mib_through_gzip(self):
		"""Stored in full in the archive, though its data is nearly all zeros. The blob is made of gzip
		members that repeat; the archive itself is nowhere, so that its digest is a constant here."""
		size, piece = 2300 * MIB, 50 * MIB
		marks = {0: b"start", 2**31 - 3: b"across 31 bits", size - 3: b"end"}
		archive = tar_recipe.Archive()
		archive.entry(b"0", b"before", {b"data": b"before\n"})
		archive.entry(b"0", b"big", {b"field.sizes": b"%d" % size})
		data_at = archive.size() - 1024
		pieces = [b"".join(archive.chunks())[:data_at]]
		for start in range(0, size, piece):
			inside = [offset for offset in marks if start <= offset < start + piece]
			data = bytearray(piece if inside else 0)
			for offset in inside:
				data[offset - start:offset - start + len(marks[offset])] = marks[offset]
			pieces.append(bytes(data))
		pieces.append(tar_recipe.build('file after data="after\\n"'))
		zeros = gzip.compress(bytes(piece), 1, mtime=0)
		result = self.pull_blob(None, b"".join(gzip.compress(data, 1, mtime=0) if data else zeros for data in pieces), DIFF_ID_OF_2300_MIB)
		for folder in self.folders(result):
			self.assert_marks(os.path.join(folder, "big"), size, marks)
			for name in ("before", "after"):
				self.assertEqual(layer_images.read_file(os.path.join(folder, name)), f"{name}\n".encode())


if __name__ == "__main__":
	suite.main(NEEDS)
