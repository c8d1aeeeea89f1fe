#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Damage of every kind, in every file of a store: it is found, named, and mended by a pull.

Most cases change one file of a sound store. Then 'verify' must end with exit code 6 and name that
file, '--remove-damaged' must take out what is damaged, and a pull must bring back the same bytes.
"""

import dataclasses
import hashlib
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, oci_layout, suite  # noqa: E402

NEEDS = ["mkfs.erofs", "strace", "xxhsum"]
BLOCK = 4096
BAD_INPUT = 6

# Contents that can be found in an image, each in blocks of its own.
LOWER = oci_layout.tar([("etc/", None), ("etc/issue", b"lower issue\n"), ("data/", None), ("data/old", b"old data " * 1000)])
UPPER = oci_layout.tar([("data/", None), ("data/new", b"new data " * 1000), ("usr/", None), ("usr/twice", b"old data " * 1000)])
OTHER = oci_layout.tar([("other", b"another layer\n")])


def layouts(test):
	"""An OCI layout with the tags "one" and "two", which have their first layer in common."""
	image = oci_layout.Image(os.path.join(suite.temporary(test, "layout"), "image"))
	image.add_layer(LOWER)
	image.add_layer(UPPER)
	image.commit("one")
	image.layers, image.diff_ids = image.layers[:1], image.diff_ids[:1]
	image.add_layer(OTHER)
	image.commit("two")
	return image.folder


def contents(folder):
	"""{relative path: SHA-256} of all regular files."""
	found = {}
	for place, _, names in os.walk(folder):
		for name in names:
			path = os.path.join(place, name)
			with open(path, "rb") as file:
				found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
	return found


class VerifyCase(unittest.TestCase):
	def setUp(self):
		self.layout = layouts(self)
		self.store = command.Store(suite.temporary(self, "store"))
		self.images = {tag: self.store.pull(self.reference(tag), "-q") for tag in ("one", "two")}

	def reference(self, tag):
		return f"oci:{self.layout}:{tag}"

	def verify(self, *arguments, code=0):
		done = command.mkrootfs("verify", "--store", self.store.folder, *arguments)
		self.assertEqual(done.returncode, code, done.stdout + done.stderr)
		return done

	def objects(self, *arguments, code=0):
		"""What --json prints: ({name: object}, removed paths)."""
		parsed = json.loads(self.verify("--json", *arguments, code=code).stdout)
		for entry in parsed:
			if "name" in entry:
				self.assertEqual(entry["ok"], not entry["problems"])
		return {entry["name"]: entry for entry in parsed if "name" in entry}, [entry["removed"] for entry in parsed if "removed" in entry]

	def problems(self, *arguments):
		found, _ = self.objects(*arguments, code=BAD_INPUT)
		return [problem for entry in found.values() for problem in entry["problems"]]


# ---- One damaged file ----

def flip(find=None, at=0, back=0, mask=0x20):
	"""Flips bits of a byte: behind a text, at an offset, or counted from the end."""
	def change(path):
		with open(path, "r+b") as file:
			data = file.read()
			place = data.index(find) + at if find else len(data) - back if back else at
			file.seek(place)
			file.write(bytes([data[place] ^ mask]))
	return change


def cut(path):
	os.truncate(path, os.path.getsize(path) // 2 // BLOCK * BLOCK)


def empty(path):
	os.truncate(path, 0)


def longer(path):
	os.truncate(path, os.path.getsize(path) + BLOCK)


def fifo(path):
	os.unlink(path)
	os.mkfifo(path)


def folder(path):
	os.unlink(path)
	os.mkdir(path)


def unsealed(path):
	with open(path, "r+b") as file:
		file.write(bytes(1024))


def text(replacement):
	def change(path):
		with open(path, "wb") as file:
			file.write(replacement)
	return change


@dataclasses.dataclass
class Damage:
	artefact: str  # of the image "one"
	change: object
	says: str = ""
	path: str = ""  # in the root filesystem


LAYER_DAMAGE = {
	"a byte of a file": Damage("layer 1", flip(b"new data", 100), "data are damaged", "/data/new"),
	"a byte behind the end of a file": Damage("layer 1", flip(b"new data", 9000 + 10), "data are damaged", "/data/new"),
	"a byte of a file that a lower layer has too": Damage("layer 1", flip(b"old data", 5), "data are damaged", "/usr/twice"),
	"a byte of a lower layer's file": Damage("layer 0", flip(b"lower issue"), "data are damaged", "/etc/issue"),
	"a byte of a name": Damage("layer 0", flip(b"...issue", 4, mask=1), "metadata are damaged"),
	"a byte of the table of contents": Damage("layer 0", flip(back=BLOCK), "table of contents is damaged"),
	"a byte behind the table of contents": Damage("layer 0", flip(back=1), "table of contents is damaged"),
	"a byte of the seal's name": Damage("layer 0", flip(at=3), "seal is damaged"),
	"a byte of the seal": Damage("layer 0", flip(at=33), "seal is damaged"),
	"a byte behind the seal": Damage("layer 0", flip(at=900), "seal is damaged"),
	"a byte of the superblock": Damage("layer 0", flip(at=1024 + 50), "checksum"),
	"a byte behind the superblock": Damage("layer 0", flip(at=2000), "checksum"),
	"no seal": Damage("layer 0", unsealed, "seal is missing"),
	"cut": Damage("layer 0", cut),
	"empty": Damage("layer 0", empty),
	"longer": Damage("layer 0", longer, "long"),
	"missing": Damage("layer 0", os.unlink, "No such file"),
	"a pipe": Damage("layer 0", fifo, "regular"),
	"something else": Damage("layer 0", text(b"x" * 2 * BLOCK), "not an EROFS image"),
}
FOLDER_DAMAGE = {
	"fsmeta: a byte of a name": Damage("fsmeta.erofs", flip(b"issue", mask=1)),
	"fsmeta: a byte of the seal": Damage("fsmeta.erofs", flip(at=33), "seal is damaged"),
	"fsmeta: cut": Damage("fsmeta.erofs", cut),
	"fsmeta: longer": Damage("fsmeta.erofs", longer),
	"fsmeta: missing": Damage("fsmeta.erofs", os.unlink),
	"fsmeta: a folder": Damage("fsmeta.erofs", folder),
	"fsmeta: a pipe": Damage("fsmeta.erofs", fifo),
	"descriptor: one letter": Damage("disk.vmdk", flip(b"RW", mask=1), "disk.vmdk"),
	"descriptor: missing": Damage("disk.vmdk", os.unlink),
	"descriptor: empty": Damage("disk.vmdk", empty),
	"manifest: one letter": Damage("manifest.json", flip(b"schemaVersion", mask=1), "manifest.json"),
	"manifest: missing": Damage("manifest.json", os.unlink, "manifest.json"),
	"manifest: empty": Damage("manifest.json", empty),
	"config: one letter": Damage("config.json", flip(b"linux", mask=1), "config.json"),
	"config: missing": Damage("config.json", os.unlink, "config.json"),
}


class DamagedFiles(VerifyCase):
	def artefact(self, name):
		kind, _, number = name.partition(" ")
		return self.images["one"]["layers"][int(number)]["path"] if kind == "layer" else os.path.join(self.images["one"]["directory"], name)

	def check(self, damage, sound):
		path = self.artefact(damage.artefact)
		damage.change(path)
		found = self.problems()
		texts = json.dumps(found)
		self.assertIn(os.path.basename(path), texts)
		self.assertIn(damage.says, texts)
		if damage.path:
			self.assertIn(damage.path, [problem.get("path") for problem in found])
		lines = self.verify(code=BAD_INPUT).stderr
		self.assertRegex(lines, r"\A(mkrootfs: [^\n]+\n)+\Z")
		self.assertIn("hint: ", lines.splitlines()[-1])
		self.assert_mended(sound)

	def assert_mended(self, sound):
		_, removed = self.objects("--remove-damaged", code=BAD_INPUT)
		self.assertIn(self.images["one"]["directory"], removed)
		self.verify()
		for tag in self.images:
			self.store.pull(self.reference(tag), "-q")
		found, _ = self.objects()
		self.assertEqual(set(found), {self.reference(tag) for tag in self.images})
		self.assertEqual(contents(self.store.folder), sound)
		self.assertEqual(self.store.temporary_files(), [])

	def check_table(self, table):
		sound = contents(self.store.folder)
		for name, damage in table.items():
			with self.subTest(name):
				self.check(damage, sound)

	def test_layers(self):
		self.check_table(LAYER_DAMAGE)

	def test_files_of_an_image_folder(self):
		self.check_table(FOLDER_DAMAGE)


class SoundStores(VerifyCase):
	def test_every_image_is_ok(self):
		found, removed = self.objects()
		self.assertEqual(set(found), {self.reference("one"), self.reference("two")})
		self.assertTrue(all(entry["ok"] for entry in found.values()))
		self.assertEqual(removed, [])
		self.assertEqual(self.verify("-q").stdout, "")
		lines = self.verify().stdout.splitlines()
		self.assertEqual(sorted(lines), sorted(f"{name}: ok" for name in found))

	def test_by_each_name(self):
		image = self.images["one"]
		for name in (image["reference"], image["digest"], image["digest"].removeprefix("sha256:")[:12]):
			found, _ = self.objects(name)
			self.assertEqual(list(found), [image["reference"]])

	def test_nothing_is_written(self):
		before = self.store.files()
		self.verify()
		self.verify("--remove-damaged")
		self.assertEqual(self.store.files(), before)

	def test_store_that_is_not_there(self):
		folder = os.path.join(self.store.folder, "none")
		done = command.mkrootfs("verify", "--store", folder)
		self.assertEqual((done.returncode, done.stdout), (3, ""), done.stderr)
		self.assertIn("there is no store", done.stderr)
		self.assertFalse(os.path.exists(folder))

	def test_unknown_image(self):
		self.verify("no/such:image", code=3)

	def test_layer_that_no_image_has(self):
		shutil.rmtree(self.images["two"]["directory"])
		os.unlink(self.record("two"))
		found, _ = self.objects()
		lonely = os.path.join(os.path.realpath(self.store.folder), "layers", os.path.basename(self.images["two"]["layers"][1]["path"]))
		self.assertEqual(set(found), {self.reference("one"), lonely})
		flip(b"another layer")(lonely)
		found, removed = self.objects("--remove-damaged", code=BAD_INPUT)
		self.assertEqual([problem["path"] for problem in found[lonely]["problems"]], ["/other"])
		self.assertEqual(removed, [lonely])

	def record(self, tag):
		folder = os.path.join(self.store.folder, "references")
		name = hashlib.sha256(self.images[tag]["reference"].encode()).hexdigest()
		return os.path.join(folder, f"{name}.json")


class NoStore(unittest.TestCase):
	"""Before the first pull there is none; one that was named is missed."""

	def verify(self, *arguments):
		nowhere = os.path.join(suite.temporary(self, "home"), "nowhere")
		done = subprocess.run([suite.command_path(), "verify", *[word.format(nowhere) for word in arguments]],
			stdin=subprocess.DEVNULL, capture_output=True, text=True, env={"HOME": nowhere, "PATH": os.environ["PATH"]})
		return done.returncode, done.stdout, done.stderr

	def test_the_usual_one(self):
		code, out, err = self.verify()
		self.assertEqual((code, out), (0, ""))
		self.assertIn("there is no store '", err)
		self.assertEqual(self.verify("--json")[:2], (0, "[]\n"))

	def test_one_that_was_named(self):
		code, _, err = self.verify("--store", "{}")
		self.assertEqual(code, 3)
		self.assertIn("there is no store '", err)
		self.assertEqual(self.verify("--store", "{}", "--json")[:2], (3, "[]\n"))


class Records(SoundStores):
	def test_that_cannot_be_read(self):
		with open(self.record("one"), "w") as file:
			file.write("{")
		found, _ = self.objects(code=BAD_INPUT)
		folder = os.path.join(os.path.realpath(self.store.folder), "references")
		self.assertIn(os.path.basename(self.record("one")), json.dumps(found[folder]))
		_, removed = self.objects("--remove-damaged", code=BAD_INPUT)
		self.assertEqual([os.path.basename(path) for path in removed], [os.path.basename(self.record("one"))])
		self.verify()

	def test_of_a_folder_that_is_gone(self):
		shutil.rmtree(self.images["one"]["directory"])
		found, _ = self.objects(code=BAD_INPUT)
		self.assertIn("missing", json.dumps(found[self.reference("one")]))
		self.verify("--remove-damaged", code=BAD_INPUT)
		self.store.pull(self.reference("one"), "-q")
		self.verify()


class SharedLayers(VerifyCase):
	def test_both_images_are_named(self):
		flip(b"lower issue")(self.images["one"]["layers"][0]["path"])
		found, _ = self.objects(code=BAD_INPUT)
		self.assertFalse(any(found[self.reference(tag)]["ok"] for tag in self.images))

	def test_whoever_has_the_layer_is_removed_with_it(self):
		flip(b"lower issue")(self.images["one"]["layers"][0]["path"])
		_, removed = self.objects(self.reference("two"), "--remove-damaged", code=BAD_INPUT)
		for image in self.images.values():
			self.assertIn(image["directory"], removed)
		for tag in self.images:
			self.store.pull(self.reference(tag), "-q")
		self.verify()

	def test_an_image_without_it_stays(self):
		flip(b"another layer")(self.images["two"]["layers"][1]["path"])
		_, removed = self.objects("--remove-damaged", code=BAD_INPUT)
		self.assertNotIn(self.images["one"]["directory"], removed)
		self.assertIn(self.images["two"]["directory"], removed)

	def test_layer_of_another_name(self):
		"""The files of two layers are sound, but each has the other's name."""
		lower, upper = (layer["path"] for layer in self.images["one"]["layers"])
		os.rename(lower, lower + ".tmp")
		os.rename(upper, lower)
		os.rename(lower + ".tmp", upper)
		self.assertIn("not this layer's image", json.dumps(self.problems(self.reference("one"))))

	def test_fsmeta_of_another_merge(self):
		"""Sealed and sound by itself, with the right identity: only a merge tells."""
		path = self.images["one"]["fsmeta"]
		with open(path, "rb") as file:
			data = bytearray(file.read())
		place = data.index(b"issueold") if b"issueold" in data else data.index(b"issue")
		data[place:place + 5] = b"isszz"
		self.write_sealed(path, data)
		self.assertIn("not what a merge of the layers gives", json.dumps(self.problems(self.reference("one"))))

	def write_sealed(self, path, data):
		"""The hashes come from xxHash's own command."""
		table = struct.unpack_from("<I", data, 20)[0]
		struct.pack_into("<Q", data, 32, xxh3(data[1152:table * BLOCK]))
		struct.pack_into("<Q", data, 1016, xxh3(data[:1016]))
		struct.pack_into("<I", data, 1028, 0)
		struct.pack_into("<I", data, 1028, crc32c(data[1024:BLOCK]))
		with open(path, "r+b") as file:
			file.write(data)


def xxh3(data):
	done = subprocess.run(["xxhsum", "-H3", "-"], input=bytes(data), capture_output=True, check=True)
	return int(re.search(rb"[0-9a-f]{16}", done.stdout)[0], 16)


def crc32c(data):
	"""As EROFS has it: without the final inversion."""
	crc = 0xFFFFFFFF
	for byte in data:
		crc ^= byte
		for _ in range(8):
			crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
	return crc


class UnreadableDisk(VerifyCase):
	def test_names_what_cannot_be_read(self):
		"""The disk fails at one place of the data: once for a large piece, then for the file alone."""
		path = self.images["one"]["layers"][1]["path"]
		data = open(path, "rb").read()
		place = data.index(b"new data")
		environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}  # the search for leaks traces too, which excludes strace
		reads = command.attempt(["strace", "-f", "-qq", "-e", "trace=pread64", "-s", "0", suite.command_path(), "verify", path], env=environment).stderr
		offsets = [int(offset) for offset in re.findall(r"pread64\(.*, (\d+)\)\s+=", reads)]
		large = next(number for number, offset in enumerate(offsets, 1) if offset == BLOCK)
		self.assertEqual(place, BLOCK)
		done = command.attempt(["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"inject=pread64:error=EIO:when={large}..{large + 1}",
			suite.command_path(), "verify", "--json", path], env=environment)
		self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
		self.assertEqual([problem["path"] for problem in json.loads(done.stdout)[0]["problems"]], ["/data/new"])


class Killed(VerifyCase):
	def test_removal_is_taken_up_again(self):
		"""Killed at each call that takes a name away; what is left is found again, and mended."""
		sound = contents(self.store.folder)
		killed = 0
		for number in range(1, 12):
			flip(b"old data", 5)(self.images["one"]["layers"][1]["path"])
			done = command.attempt(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=unlink,rmdir,rename,unlinkat",
				"-e", f"inject=unlink,rmdir,rename,unlinkat:signal=KILL:when={number}",
				suite.command_path(), "verify", "--store", self.store.folder, "--remove-damaged"])
			killed += done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
			for _ in range(2):
				command.mkrootfs("verify", "--store", self.store.folder, "--remove-damaged")
			for tag in self.images:
				self.store.pull(self.reference(tag), "-q")
			self.verify()
			self.assertEqual(contents(self.store.folder), sound, number)
		self.assertGreaterEqual(killed, 5)


class Files(VerifyCase):
	def ok(self, path, code=0):
		found, _ = self.objects(path, code=code)
		self.assertEqual(list(found), [path])
		return found[path]

	def raw_disk(self):
		"""What the descriptor describes, in one file."""
		path = os.path.join(suite.temporary(self, "disk"), "disk.img")
		with open(path, "wb") as disk:
			for name in [self.images["one"]["fsmeta"], *(layer["path"] for layer in self.images["one"]["layers"])]:
				with open(name, "rb") as file:
					disk.write(file.read())
		return path

	def test_each_kind(self):
		image = self.images["one"]
		for path in (image["layers"][0]["path"], image["fsmeta"], image["disk"], image["directory"], self.raw_disk()):
			self.assertNotIn("note", self.ok(path))

	def test_damaged_disk_names_the_merged_file(self):
		for path in (self.raw_disk(), self.images["one"]["disk"]):
			data = path if path.endswith(".img") else self.images["one"]["layers"][1]["path"]
			flip(b"new data", 7)(data)
			self.assertEqual([problem.get("path") for problem in self.ok(path, BAD_INPUT)["problems"]], ["/data/new"])

	def test_image_of_another_maker(self):
		folder = suite.temporary(self, "other")
		os.makedirs(os.path.join(folder, "tree", "sub"))
		with open(os.path.join(folder, "tree", "sub", "file"), "wb") as file:
			file.write(b"text" * 3000)
		path = os.path.join(folder, "other.erofs")
		command.run(["mkfs.erofs", path, os.path.join(folder, "tree")])
		self.assertIn("no hashes", self.ok(path)["note"])

	def test_what_is_no_image(self):
		folder = suite.temporary(self, "work")
		upper = os.path.join(folder, "upper.ext4")
		command.run([suite.command_path(), "upper", upper])
		self.assertIn("neither", json.dumps(self.ok(upper, BAD_INPUT)["problems"]))
		done = command.mkrootfs("verify", os.path.join(folder, "none"))
		self.assertEqual(done.returncode, 3)

	def test_several_at_once(self):
		image = self.images["one"]
		flip(at=33)(image["fsmeta"])
		found, _ = self.objects(image["fsmeta"], image["layers"][0]["path"], self.reference("two"), code=BAD_INPUT)
		self.assertEqual([entry["ok"] for entry in found.values()], [False, True, True])


if __name__ == "__main__":
	suite.main(NEEDS)
