#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is broken gets one clear line of error, and leaves the store as it was.

Each broken image is read twice, from the folder and over HTTP. Its first layer is sound, its second
is the broken one; the same folder holds a sound image, which must come in afterwards.
"""

import dataclasses
import json
import os
import re
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, mounts, oci_layout, suite, tree  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402
from support.registry import free_port  # noqa: E402

NEEDS = ["kernel:erofs", "qemu-img", "fsck.erofs", "zstd", "strace"]
LIMIT = 180  # seconds, after which a pull counts as hanging
BAD_INPUT, NOT_FOUND, NETWORK, NO_SPACE = 6, 3, 4, 7  # exit codes that the manual promises

NOISE = b"".join(bytes([(i * i * 7 + i // 256) % 256]) for i in range(30000))
LOWER = oci_layout.tar([("etc/", None), ("etc/issue", b"lower\n"), ("data/", None), ("data/old", b"old\n")])
UPPER = oci_layout.tar([("data/", None), ("data/new", b"new\n"), ("data/cut", NOISE), ("data/last", b"last\n")])


@dataclasses.dataclass
class Case:
	"""make(image) adds the second layer and commits the tag "bad"; it returns what the message must
	name. The patterns are looked for in the message, whatever the case of its letters."""
	make: object
	patterns: tuple
	code: int | None = BAD_INPUT
	layer_is_sound: bool = False  # alone; the fault shows only where the layers meet


def commit(image, tar_bytes=UPPER, **options):
	layer = image.add_layer(tar_bytes, **options)
	image.commit("bad")
	return layer["digest"][:19]


def rewritten(change):
	"""A sound image, whose second blob is changed on disk afterwards."""
	def make(image):
		name = commit(image)
		path = image.blob_path(image.layers[-1]["digest"])
		with open(path, "rb") as file:
			data = file.read()
		with open(path, "wb") as file:
			file.write(change(data))
		return name
	return make


def flip(data):
	middle = len(data) // 2
	return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1:]


def other_content(image):
	"""The blob is sound gzip and a sound tar, and as long as it should be; only it is another one."""
	blob = oci_layout.gzipped(UPPER, 0)
	name = commit(image, blob=blob)
	other = oci_layout.gzipped(UPPER.replace(b"last\n", b"lost\n"), 0)
	assert len(other) == len(blob)
	with open(image.blob_path(image.layers[-1]["digest"]), "wb") as file:
		file.write(other)
	return name


def missing_blob(image):
	name = commit(image)
	os.unlink(image.blob_path(image.layers[-1]["digest"]))
	return name


def entries(*members):
	"""A layer of single tar members: (name, type, link name)."""
	def make(image):
		infos = []
		for name, kind, link in members:
			info = tarfile.TarInfo(name)
			info.type, info.linkname = kind, link
			infos.append(info)
		return commit(image, oci_layout.tar(infos))
	return make


def cut_in_entry(image):
	return commit(image, UPPER[:UPPER.index(NOISE) + 1000])


def cut_zstd(image):
	whole = subprocess.run(["zstd", "-qc"], input=UPPER, capture_output=True, check=True).stdout
	return commit(image, blob=whole[:len(whole) // 2])


def manifest(change):
	"""A manifest changed by a function from its parsed form to bytes."""
	def make(image):
		image.add_layer(UPPER)
		digest = image.commit("draft")
		with open(image.blob_path(digest)) as file:
			parsed = json.load(file)
		image.commit("bad", manifest=change(parsed))
		return ""
	return make


def diff_ids(change):
	def make(image):
		image.add_layer(UPPER)
		image.diff_ids = change(image.diff_ids)
		image.commit("bad")
		return ""
	return make


CHANGED = "digest|corrupt|checksum|crc|inflat|deflate|gzip|data"
SHORT = "size|short|truncat|end|incomplete|bytes|cut"
CASES = {
	"blob cut in the middle": Case(rewritten(lambda data: data[:len(data) // 2]), (SHORT,)),
	"blob of no bytes": Case(rewritten(lambda data: b""), (SHORT,)),
	"blob with a byte more": Case(rewritten(lambda data: data + b"x"), ("size|long|more|bytes|digest",)),
	"blob with one byte changed": Case(rewritten(flip), (CHANGED,)),
	"blob of other content": Case(other_content, ("digest|does not match|mismatch",)),
	"blob that is not there": Case(missing_blob, ("not found|no such|unknown|404|missing",), None),
	"diff ID of something else": Case(lambda image: commit(image, diff_id="sha256:" + "ab" * 32), ("diff",)),
	"tar cut inside a file": Case(cut_in_entry, ("data/cut", SHORT)),
	"gzip cut inside": Case(lambda image: commit(image, blob=oci_layout.gzipped(UPPER)[:4000]), (SHORT,)),
	"zstd cut inside": Case(cut_zstd, (SHORT,)),
	"noise instead of a tar": Case(lambda image: commit(image, NOISE), ("tar|archive|header|format",)),
	"name above the root": Case(entries(("../../evil", tarfile.REGTYPE, "")), (r"\.\./\.\./evil",)),
	"root that is a symlink": Case(entries((".", tarfile.SYMTYPE, "/tmp")), ("root|'\\.'",)),
	"whiteout of nothing": Case(entries(("etc/.wh.", tarfile.REGTYPE, "")), (r"etc/\.wh\.",)),
	"hard link to nothing": Case(entries(("data/link", tarfile.LNKTYPE, "data/nothing")), ("data/link", "data/nothing"), layer_is_sound=True),
	"name of 256 bytes": Case(entries(("n" * 256, tarfile.REGTYPE, "")), ("nnnn", "255|long|256")),
	"manifest that is no JSON": Case(manifest(lambda _: b"not JSON at all"), ("manifest", "json|parse|invalid|syntax|malformed")),
	"manifest that is a list": Case(manifest(lambda _: b"[1, 2]"), ("manifest|document",)),
	"manifest that is an index too": Case(manifest(lambda m: json.dumps({**m, "manifests": []}).encode()), ("manifest",)),
	"manifest without layers": Case(manifest(lambda m: json.dumps({**m, "layers": None}).encode()), ("layers",)),
	"digest that is a path": Case(manifest(lambda m: json.dumps(m).replace(m["layers"][1]["digest"], "sha256:../../../etc/passwd").encode()), ("digest",)),
	"a diff ID too few": Case(diff_ids(lambda ids: ids[:1]), ("diff|layers",)),
	"a diff ID too many": Case(diff_ids(lambda ids: [*ids, ids[0]]), ("diff|layers",)),
	"diff IDs in the wrong order": Case(diff_ids(lambda ids: ids[::-1]), ("diff",)),
}


class PullCase(unittest.TestCase):
	def setUp(self):
		self.folder = suite.temporary(self, "work")
		self.store = command.Store(os.path.join(self.folder, "store"))

	def make_image(self, name="image"):
		image = oci_layout.Image(os.path.join(self.folder, name))
		image.add_layer(LOWER)
		return image

	def commit_good(self, image):
		image.layers, image.diff_ids = image.layers[:1], [oci_layout.sha256(LOWER)]
		image.commit("good")

	def assert_refused(self, reference, patterns, code=None, sound=frozenset([oci_layout.sha256(LOWER)])):
		"""The pull fails in time, with one line that has it all, and leaves nothing behind."""
		done = self.store.attempt_pull(reference, "-q", timeout=LIMIT)
		self.assertRegex(done.stderr, r"\A(mkrootfs: warning: [^\n]+ trying again [^\n]+\n)*mkrootfs: [^\n]+\n(mkrootfs: hint: [^\n]+\n)?\Z",
			f"exit code {done.returncode}")
		self.assertNotEqual(done.returncode, 0)
		self.assertGreaterEqual(done.returncode, 0, "killed by a signal")
		self.assertEqual(done.stdout, "")
		for pattern in patterns:
			self.assertRegex(done.stderr, re.compile(pattern, re.IGNORECASE))
		if code is not None:
			self.assertEqual(done.returncode, code, done.stderr)
		self.assert_nothing_left(sound)

	def assert_nothing_left(self, sound):
		"""No temporary file, no image; of layers only sound ones, if they were complete."""
		self.assertEqual(self.store.temporary_files(), [])
		images = os.path.join(self.store.folder, "images")
		self.assertEqual(os.listdir(images) if os.path.isdir(images) else [], [])
		layers = os.path.join(self.store.folder, "layers")
		for name in os.listdir(layers) if os.path.isdir(layers) else []:
			self.assertIn("sha256:" + name.removesuffix(".erofs"), sound)
			command.run(["fsck.erofs", os.path.join(layers, name)])

	def assert_good_pull(self, reference):
		image = self.store.pull(reference)
		nodes = tree.listing(mounts.erofs(self, mounts.raw_disk(self, image["disk"])))
		self.assertEqual(set(nodes), {b"", b"etc", b"etc/issue", b"data", b"data/old"})
		self.assertEqual(self.store.temporary_files(), [])
		command.run(["rm", "-rf", self.store.folder])


class BadInput(PullCase):
	"""One test for each of CASES."""

	def check(self, name):
		case = CASES[name]
		image = self.make_image()
		named = case.make(image)
		sound = {oci_layout.sha256(LOWER), *(image.diff_ids[1:] if case.layer_is_sound else ())}
		self.commit_good(image)
		server = LayoutRegistry.start(self, image.folder)
		for where in (f"oci:{image.folder}:%s", server.reference("%s")):
			with self.subTest(where=where.split(":")[0]):
				self.assert_refused(where % "bad", (named, *case.patterns), case.code, sound)
				self.assert_good_pull(where % "good")


def add_case(name):
	def test(self):
		self.check(name)
	setattr(BadInput, "test_" + re.sub(r"\W+", "_", name), test)


for case_name in CASES:
	add_case(case_name)


class BadPlace(PullCase):
	"""Where the fault is not in the image."""

	def test_unknown_tag(self):
		image = self.make_image()
		image.commit("good")
		server = LayoutRegistry.start(self, image.folder)
		for where in (f"oci:{image.folder}:%s", server.reference("%s")):
			with self.subTest(where=where.split(":")[0]):
				self.assert_refused(where % "no-such-tag", ("no-such-tag",), NOT_FOUND)
				self.assert_good_pull(where % "good")

	def test_unknown_folder(self):
		self.assert_refused(f"oci:{self.folder}/nowhere:x", ("nowhere",), NOT_FOUND)

	def test_refused_connection(self):
		port = free_port()
		self.assert_refused(f"127.0.0.1:{port}/a/b:c", (f"127.0.0.1:{port}", "refused|connect"), NETWORK)

	def test_reference_that_is_none(self):
		for reference in ("", "Upper/Case:tag", "a b", "127.0.0.1:5000/x@sha256:123", "x:y:z"):
			with self.subTest(reference=reference):
				self.assert_refused(reference, ())

	def test_connection_that_always_breaks(self):
		image = self.make_image()
		layer = image.add_layer(UPPER)
		image.commit("bad")
		self.commit_good(image)
		server = LayoutRegistry.start(self, image.folder)
		server.cut[layer["digest"]] = 500
		self.assert_refused(server.reference("bad"), (layer["digest"][:19],))
		self.assert_good_pull(server.reference("good"))

	def test_manifest_that_is_not_the_one_asked_for(self):
		image = self.make_image()
		digest = image.commit("good")
		with open(image.blob_path(digest), "a") as file:
			file.write(" ")
		server = LayoutRegistry.start(self, image.folder)
		for reference in (server.reference(digest), f"oci:{image.folder}:good"):
			with self.subTest(reference=reference.split(":")[0]):
				self.assert_refused(reference, ("digest|size|match",), BAD_INPUT)

	def test_full_disk(self):
		"""The store is a tmpfs with room for the first layer and not for the second; then it grows."""
		image = self.make_image()
		image.add_layer(oci_layout.tar([("big", os.urandom(8 << 20))]))
		image.commit("bad")
		server = LayoutRegistry.start(self, image.folder)
		self.store = command.Store(mounts.mount(self, ["-t", "tmpfs", "-o", "size=3m", "tmpfs"]))
		for reference in (server.reference("bad"), f"oci:{image.folder}:bad"):
			with self.subTest(reference=reference.split(":")[0]):
				self.assert_refused(reference, ("no space left",), NO_SPACE)
		command.run(["mount", "-o", "remount,size=64m", self.store.folder])
		pulled = self.store.pull(server.reference("bad"))
		for layer in pulled["layers"]:
			command.run(["fsck.erofs", layer["path"]])
		self.assertEqual(self.store.temporary_files(), [])

	def test_disk_full_at_any_call(self):
		"""The kernel refuses the n-th call of each kind that needs space, but for write(), which prints
		the message, too; whatever n is, the store stays sound and the message clear. (A build with
		sanitizers cannot look for leaks under strace.)"""
		image = self.make_image()
		image.add_layer(UPPER)
		image.commit("two")
		self.commit_good(image)
		calls = "pwrite64,writev,pwritev,pwritev2,ftruncate,fallocate,fsync,fdatasync,link,linkat,rename,renameat,renameat2"
		refused = 0
		for number in range(1, 40):
			with self.subTest(number=number):
				done = command.attempt(["strace", "-f", "-qq", "-e", f"trace={calls}", "-o", "/dev/null",
					"-e", f"inject={calls}:error=ENOSPC:when={number}", suite.command_path(), "pull", "-q",
					"--store", self.store.folder, f"oci:{image.folder}:two"], timeout=LIMIT, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
				self.assertGreaterEqual(done.returncode, 0, f"killed by a signal: {done.stderr}")
				if done.returncode != 0:
					refused += 1
					self.assertRegex(done.stderr, r"\Amkrootfs: [^\n]+\n\Z")
				self.assertEqual(self.store.temporary_files(), [])
				self.assert_good_pull(f"oci:{image.folder}:good")
		self.assertGreater(refused, 3)

	def test_store_that_is_a_file(self):
		image = self.make_image()
		image.commit("good")
		path = os.path.join(self.folder, "file")
		with open(path, "w"):
			pass
		done = command.mkrootfs("pull", "-q", "--store", path, f"oci:{image.folder}:good")
		self.assertNotEqual(done.returncode, 0)
		self.assertRegex(done.stderr, r"\Amkrootfs: [^\n]*file[^\n]*\n\Z")


if __name__ == "__main__":
	suite.main(NEEDS)
