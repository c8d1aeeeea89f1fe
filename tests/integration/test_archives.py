#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Images from places on disk: whoever wrote the archive, the same layers become the same files.

What skopeo, buildah, umoci and GNU tar write, and what docker writes in its older and its newer form,
made by hand; then archives that are broken, and such as want to be read as something they are not.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, docker_archive, images, mounts, oci_layout, suite, tree  # noqa: E402
from support.docker_archive import Image  # noqa: E402

NEEDS = ["kernel:erofs", "skopeo", "umoci", "buildah", "podman", "qemu-img", "tar", "gzip", "zstd", "xz"]
LIMIT = 120  # seconds, after which a pull counts as hanging
USAGE, BAD_INPUT, NOT_FOUND, UNSUPPORTED, PLATFORM = 2, 6, 3, 8, 9  # exit codes that the manual promises

LOWER = oci_layout.tar([("etc/", None), ("etc/issue", b"lower\n"), ("data/", None), ("data/old", b"old\n" * 900)])
UPPER = oci_layout.tar([("data/", None), ("data/.wh.old", b""), ("data/new", b"new\n")])
OTHER = oci_layout.tar([("other", b"other\n")])


def skopeo(*arguments):
	return command.run(["skopeo", "--insecure-policy", *arguments])


def zstd(data):
	return subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout


def read(path):
	with open(path, "rb") as file:
		return file.read()


def what_was_made(image):
	"""{name: SHA-256} of the disk's files: fsmeta and each layer. Not of the manifest, which differs
	from place to place."""
	made = {}
	for name in sorted(os.listdir(image["directory"])):
		if name.endswith((".erofs", ".vmdk")):
			made[name] = hashlib.sha256(read(os.path.join(image["directory"], name))).hexdigest()
	return made


class Case(unittest.TestCase):
	def folder(self):
		return suite.temporary(self, "archives")

	def store(self):
		return command.Store(os.path.join(self.folder(), "store"))

	def write(self, data, name="x.tar"):
		path = os.path.join(self.folder(), name)
		with open(path, "wb") as file:
			file.write(data)
		return path

	def refused(self, reference, code, *texts, options=(), **more):
		"""One line says why, one may say what to do; nothing is left behind."""
		store = self.store()
		done = store.attempt_pull(reference, "--json", *options, timeout=LIMIT, **more)
		self.assertEqual(done.returncode, code, done.stderr)
		self.assertEqual(done.stdout, "")
		for text in texts:
			self.assertIn(text, done.stderr)
		lines = [line for line in done.stderr.splitlines() if line.startswith("mkrootfs: ") and "hint: " not in line]
		self.assertEqual(len(lines), 1, done.stderr)
		self.assertEqual(store.temporary_files(), [])
		return done.stderr


class Written(Case):
	"""By skopeo and others, of an image of many layers and all types of entries."""

	@classmethod
	def setUpClass(cls):
		cls.layout = images.layout("small")
		cls.work = suite.temporary(cls, "written")
		cls.image = command.Store(f"{cls.work}/store").pull(f"oci:{cls.layout}:latest")
		cls.made = what_was_made(cls.image)

	def assert_same(self, reference, **options):
		"""In a store of its own: nothing of it can come from elsewhere."""
		image = self.store().pull(reference, **options)
		self.assertEqual(what_was_made(image), self.made, reference)
		return image

	def copy(self, place, *options):
		skopeo("copy", "-q", *options, f"oci:{self.layout}:latest", place)

	def test_oci_archive(self):
		for format, compression in (("oci", "gzip"), ("oci", "zstd")):
			with self.subTest(compression=compression):
				path = f"{self.folder()}/x.tar"
				self.copy(f"oci-archive:{path}:name", "--format", format, "--dest-compress-format", compression)
				image = self.assert_same(f"oci-archive:{path}")
				self.assertEqual(image["digest"], json.loads(skopeo("inspect", f"oci-archive:{path}"))["Digest"])
				self.assertEqual(image["reference"], f"oci-archive:{path}")
				self.assert_same(f"oci-archive:{path}:name")

	def test_docker_archive(self):
		"""The digest is the one that skopeo gives such an image; the name is the archive's."""
		path = f"{self.folder()}/x.tar"
		self.copy(f"docker-archive:{path}:some/name:1")
		for reference in (f"docker-archive:{path}", f"docker-archive:{path}:some/name:1", f"docker-archive:{path}:@0"):
			image = self.assert_same(reference)
			self.assertEqual(image["reference"], "docker.io/some/name:1")
			self.assertEqual(image["digest"], json.loads(skopeo("inspect", f"docker-archive:{path}"))["Digest"])

	def test_docker_archive_without_a_name(self):
		path = f"{self.folder()}/x.tar"
		self.copy(f"docker-archive:{path}")
		self.assertEqual(self.assert_same(f"docker-archive:{path}")["reference"], f"docker-archive:{path}")

	def test_dir(self):
		for format in ("oci", "v2s2"):
			for compression in (("--dest-compress", "--dest-compress-format", "gzip"), ("--dest-decompress",)):
				with self.subTest(format=format, compression=compression):
					path = f"{self.folder()}/with:colon"
					self.copy(f"dir:{path}", "--format", format, *compression)
					image = self.assert_same(f"dir:{path}")
					self.assertEqual(image["digest"], json.loads(skopeo("inspect", f"dir:{path}"))["Digest"])

	def test_dir_with_an_index(self):
		path = f"{self.folder()}/all"
		source = oci_layout.Image(f"{self.folder()}/source")
		source.add_layer(LOWER)
		entries = [({"os": "linux", "architecture": name}, source.add_manifest(architecture=name)) for name in ("arm64", "amd64")]
		source.commit_index("it", entries)
		skopeo("copy", "-q", "--all", f"oci:{source.folder}:it", f"dir:{path}")
		for number, name in enumerate(("arm64", "amd64")):
			image = self.store().pull(f"dir:{path}", "--platform", f"linux/{name}")
			self.assertEqual((image["platform"], image["digest"]), (f"linux/{name}", entries[number][1]["digest"]))

	def test_tar_of_a_layout_that_umoci_wrote(self):
		"""GNU tar writes ./oci-layout and the like."""
		path = f"{self.folder()}/x.tar"
		command.run(["tar", "-C", self.layout, "-cf", path, "."])
		self.assert_same(f"oci-archive:{path}:latest")

	def test_buildah(self):
		"""Its archive of an image has its layers' tars."""
		source = oci_layout.Image(f"{self.folder()}/source")
		for layer in (LOWER, UPPER):
			source.add_layer(layer)
		source.commit("it")
		expected = what_was_made(self.store().pull(f"oci:{source.folder}:it"))
		buildah = ["buildah", "--root", f"{self.folder()}/root", "--runroot", f"{self.folder()}/run", "--storage-driver", "vfs"]
		# buildah makes a name of the path, and not every path is fit for that.
		name = command.run([*buildah, "pull", "-q", "oci:source:it"], cwd=os.path.dirname(source.folder)).strip()
		for kind in ("docker-archive", "oci-archive"):
			path = f"{self.folder()}/x.tar"
			command.run([*buildah, "push", "-q", name, f"{kind}:{path}"])
			self.assertEqual(what_was_made(self.store().pull(f"{kind}:{path}")), expected, kind)

	def test_packed_and_through_pipes(self):
		oci, docker = f"{self.folder()}/oci.tar", f"{self.folder()}/docker.tar"
		self.copy(f"oci-archive:{oci}")
		self.copy(f"docker-archive:{docker}")
		for path, kind in ((oci, "oci-archive"), (docker, "docker-archive")):
			for pack in (["cat"], ["gzip", "-c"], ["zstd", "-qc"]):
				with self.subTest(kind=kind, pack=pack[0]):
					packed = f"{path}.{pack[0]}"
					with open(path, "rb") as source, open(packed, "wb") as out:
						subprocess.run(pack, stdin=source, stdout=out, check=True)
					self.assert_same(f"{kind}:{packed}")
					with open(packed, "rb") as file:
						self.assert_same(f"{kind}:-", stdin=file)
					with subprocess.Popen(["cat", packed], stdout=subprocess.PIPE) as pipe:
						self.assert_same(f"{kind}:-", stdin=pipe.stdout)
					with subprocess.Popen(["cat", packed], stdout=subprocess.PIPE) as pipe:
						self.assert_same(f"{kind}:/dev/stdin", stdin=pipe.stdout)

	def test_standard_input_from_the_middle(self):
		"""What was read of it already is no part of the archive."""
		path = self.write(b"#" * 512)
		self.copy(f"oci-archive:{path}.oci")
		with open(path, "ab") as out, open(f"{path}.oci", "rb") as file:
			shutil.copyfileobj(file, out)
		with open(path, "rb", buffering=0) as file:
			file.seek(512)
			self.assert_same("oci-archive:-", stdin=file)

	def test_a_name_of_ones_own(self):
		store = self.store()
		path = f"{self.folder()}/x.tar"
		self.copy(f"docker-archive:{path}:some/name:1")
		self.assertEqual(store.pull(f"docker-archive:{path}", "--name", "example.com/mine:2")["reference"], "example.com/mine:2")
		self.assertEqual([entry["reference"] for entry in store.ask("images")], ["example.com/mine:2"])
		self.assertEqual(store.ask("inspect", "example.com/mine:2")["digest"], json.loads(skopeo("inspect", f"docker-archive:{path}"))["Digest"])
		done = store.attempt_pull(f"docker-archive:{path}", "--name", "tar:x")
		self.assertEqual(done.returncode, USAGE)
		self.assertIn("must be one as docker takes it", done.stderr)

	def test_a_second_pull_has_nothing_to_do(self):
		store = self.store()
		path = f"{self.folder()}/x.tar"
		self.copy(f"docker-archive:{path}:some/name:1")
		store.pull(f"docker-archive:{path}")
		before = store.files()
		again = store.pull(f"docker-archive:{path}")
		self.assertTrue(all(layer["reused"] for layer in again["layers"]))
		self.assertEqual(store.files(), before)


class Docker(Case):
	"""What docker itself writes."""

	def setUp(self):
		self.one = Image([LOWER, UPPER], ["one:1", "one:latest"])
		self.two = Image([LOWER, OTHER, LOWER], ["two:1"])
		source = oci_layout.Image(f"{self.folder()}/source")
		for layer in (LOWER, UPPER):
			source.add_layer(layer)
		source.commit("it")
		self.made = what_was_made(self.store().pull(f"oci:{source.folder}:it"))

	def test_forms(self):
		packed = [None, oci_layout.gzipped, zstd]
		forms = [("saved", docker_archive.saved), ("layout", docker_archive.saved_as_layout),
			("bare", lambda images: docker_archive.saved_as_layout(images, annotate=False))]
		for name, form in forms:
			for pack in packed:
				with self.subTest(form=name, pack=pack):
					path = self.write(form([Image([LOWER, UPPER], ["x:1"], pack)]))
					image = self.store().pull(f"docker-archive:{path}")
					self.assertEqual(what_was_made(image), self.made)
					self.assertEqual(image["reference"], "docker.io/library/x:1")
					self.assertEqual(image["config"]["Cmd"], ["/bin/sh"])

	def test_compression_of_layers_does_not_change_the_image(self):
		digests = {self.store().pull(f"docker-archive:{self.write(docker_archive.saved([Image([LOWER, UPPER], None, pack)]))}")["digest"]
			for pack in (None, oci_layout.gzipped, zstd)}
		self.assertEqual(len(digests), 1)

	def test_the_layout_is_preferred(self):
		"""Then the image has its own manifest's digest."""
		members = docker_archive.layout_members([self.one])
		index = json.loads(next(m[1] for m in members if m[0] == "index.json"))
		path = self.write(docker_archive.tar(members))
		for reference in (f"docker-archive:{path}", f"docker-archive:{path}:one:1", f"docker-archive:{path}:@0", f"oci-archive:{path}"):
			image = self.store().pull(reference)
			self.assertEqual(image["digest"], index["manifests"][0]["digest"], reference)

	def test_several_images(self):
		for form in (docker_archive.saved, docker_archive.saved_as_layout):
			path = self.write(form([self.one, self.two]))
			with self.subTest(form=form.__name__):
				self.refused(f"docker-archive:{path}", NOT_FOUND, "there are 2 images; say which one of: one:1, one:latest, two:1")
				self.refused(f"docker-archive:{path}:three", NOT_FOUND, "no image is named 'docker.io/library/three:latest'", "two:1")
				self.refused(f"docker-archive:{path}:@2", NOT_FOUND, "no image @2")
				for name, recorded, count in (("one:1", "docker.io/library/one:1", 2), ("one", "docker.io/library/one:latest", 2),
						("docker.io/library/two:1", "docker.io/library/two:1", 3), ("@1", "docker.io/library/two:1", 3),
						("@0", f"docker-archive:{path}:@0", 2)):
					image = self.store().pull(f"docker-archive:{path}:{name}")
					self.assertEqual((image["reference"], len(image["layers"])), (recorded, count), name)

	def test_no_names(self):
		"""docker save of an ID; "<none>:<none>" is what old ones wrote."""
		for tags in (None, [], ["<none>:<none>"]):
			path = self.write(docker_archive.saved([Image([LOWER], tags)]))
			self.assertEqual(self.store().pull(f"docker-archive:{path}")["reference"], f"docker-archive:{path}")

	def test_same_digest_as_skopeo_gives(self):
		path = self.write(docker_archive.saved([self.two]))
		image = self.store().pull(f"docker-archive:{path}")
		self.assertEqual(image["digest"], json.loads(skopeo("inspect", f"docker-archive:{path}"))["Digest"])

	def test_hard_link_to_a_layer(self):
		members = [(name, *rest) for name, *rest in docker_archive.saved_members([self.two])]
		links = [m for m in members if m[1] == tarfile.SYMTYPE]
		self.assertEqual(len(links), 1)
		hard = [(m[0], tarfile.LNKTYPE, m[2][3:]) if m in links else m for m in members]
		path = self.write(docker_archive.tar(hard))
		self.assertEqual(len(self.store().pull(f"docker-archive:{path}")["layers"]), 3)

	def test_other_names_of_members(self):
		"""Of bazel, kaniko and jib: no folders, other names of the config."""
		config = self.one.config()
		for name in ("config.json", f"sha256:{docker_archive.hexdigest(config)}", "./config.json"):
			items = [{"Config": name, "RepoTags": ["x:1"], "Layers": ["a.tar.gz", "./b/c.tar"]}]
			path = self.write(docker_archive.tar([(name, config), ("a.tar.gz", gzip.compress(LOWER)), ("./b/c.tar", UPPER),
				("manifest.json", json.dumps(items).encode())]))
			self.assertEqual(what_was_made(self.store().pull(f"docker-archive:{path}")), self.made)

	def test_platform(self):
		path = self.write(docker_archive.saved([Image([LOWER], architecture="s390x")]))
		self.refused(f"docker-archive:{path}", PLATFORM, "s390x", options=("--platform", "linux/amd64"))
		self.assertEqual(self.store().pull(f"docker-archive:{path}", "--platform", "linux/s390x")["platform"], "linux/s390x")


class Tar(Case):
	"""The tar of a root filesystem."""

	def setUp(self):
		self.path = self.write(oci_layout.tar([("etc/", None), ("etc/issue", b"hello\n"), ("bin/", None)]))

	def test_one_image_however_it_comes(self):
		plain = read(self.path)
		digests = []
		for data in (plain, oci_layout.gzipped(plain), zstd(plain)):
			path = self.write(data)
			digests.append(self.store().pull(f"tar:{path}")["digest"])
			with open(path, "rb") as file:
				digests.append(self.store().pull("tar:-", stdin=file)["digest"])
			with subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as pipe:
				digests.append(self.store().pull("tar:-", stdin=pipe.stdout)["digest"])
		self.assertEqual(len(set(digests)), 1, digests)

	def test_nothing_at_all_is_no_tar(self):
		"""What a command that failed leaves in a pipe. It takes no name from an image that is there."""
		store = self.store()
		kept = store.pull(f"tar:{self.path}", "--name", "example.com/box:1")["digest"]
		for data in (b"", oci_layout.gzipped(b"")):
			with open(self.write(data), "rb") as file:
				done = store.attempt_pull("tar:-", "-q", "--name", "example.com/box:1", stdin=file)
			self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
			self.assertIn("is empty", done.stderr)
		found = json.loads(command.mkrootfs("inspect", "--store", store.folder, "--json", "example.com/box:1").stdout)
		self.assertEqual(found["digest"], kept)

	def test_a_name_with_a_digest_is_true(self):
		store = self.store()
		wrong = "example.com/box@sha256:" + "0" * 64
		done = store.attempt_pull(f"tar:{self.path}", "-q", "--name", wrong)
		self.assertEqual(done.returncode, USAGE, done.stderr)
		digest = re.search(r"whose digest is (sha256:[0-9a-f]{64})", done.stderr).group(1)
		self.assertEqual(store.pull(f"tar:{self.path}", "--name", f"example.com/box@{digest}")["digest"], digest)

	def test_as_gnu_tar_extracts_it(self):
		"""A tree with all types of entries, as debootstrap or docker export would leave it."""
		source = f"{self.folder()}/source"
		command.run(["umoci", "unpack", "--image", f"{images.layout('small')}:latest", source])
		path = f"{self.folder()}/x.tar"
		command.run(["tar", "-C", f"{source}/rootfs", "--format=posix", "--xattrs", "--xattrs-include=*", "--numeric-owner",
			"--sort=name", "-cf", path, "."])
		root = f"{self.folder()}/root"
		os.mkdir(root)
		command.run(["tar", "-C", root, "--xattrs", "--xattrs-include=*", "--numeric-owner", "--same-permissions", "--same-owner",
			"--delay-directory-restore", "-xf", path])
		image = self.store().pull(f"tar:{path}")
		nodes = tree.listing(mounts.erofs(self, mounts.raw_disk(self, image["disk"])))
		tree.assert_same(self, nodes, tree.listing(root), "the disk", "GNU tar")

	def test_an_archive_of_images(self):
		"""Its files are taken for those of a root filesystem, as was asked for; but that is said."""
		layout = f"{self.folder()}/layout"
		image = oci_layout.Image(layout)
		image.add_layer(LOWER)
		image.commit("1")
		oci, docker = f"{self.folder()}/oci.tar", f"{self.folder()}/docker.tar"
		skopeo("copy", f"oci:{layout}:1", f"oci-archive:{oci}:1")
		skopeo("copy", f"oci:{layout}:1", f"docker-archive:{docker}:x:1")
		for path, scheme in ((oci, "oci-archive:"), (docker, "docker-archive:"), (self.path, None)):
			done = self.store().attempt_pull(f"tar:{path}")
			self.assertEqual(done.returncode, 0, done.stderr)
			self.assertEqual("archive of images" in done.stderr, scheme is not None, done.stderr)
			self.assertIn(f"{scheme}FILE" if scheme else "", done.stderr)

	def test_platform(self):
		host = self.store().pull(f"tar:{self.path}")
		other = self.store().pull(f"tar:{self.path}", "--platform", "linux/arm/v6")
		self.assertEqual(other["platform"], "linux/arm/v6")
		self.assertNotEqual(host["digest"], other["digest"])
		self.assertEqual(what_was_made(host), what_was_made(other))

	def test_again(self):
		store = self.store()
		first = store.pull(f"tar:{self.path}")
		self.assertEqual([layer["reused"] for layer in first["layers"]], [False])
		before = store.files()
		again = store.pull(f"tar:{self.path}")
		self.assertEqual([layer["reused"] for layer in again["layers"]], [True])
		self.assertEqual(store.files(), before)
		self.assertEqual(store.ask("inspect", f"tar:{self.path}")["digest"], first["digest"])
		self.assertEqual(store.temporary_files(), [])

	def test_names(self):
		store = self.store()
		self.assertEqual(store.pull(f"tar:{self.path}")["reference"], f"tar:{self.path}")
		with open(self.path, "rb") as file:
			self.assertEqual(store.pull("tar:-", "--name", "box", stdin=file)["reference"], "docker.io/library/box:latest")
		self.assertEqual(store.ask("inspect", "box")["reference"], "docker.io/library/box:latest")

	def test_progress_and_result(self):
		done = self.store().attempt_pull(f"tar:{self.path}")
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertIn("layer 1/1", done.stderr)
		self.assertNotIn("layer 1/1 :", done.stderr)
		self.assertNotIn("already in the store", done.stderr)

	def test_broken(self):
		plain = read(self.path)
		self.refused(f"tar:{self.write(plain[:700])}", BAD_INPUT, "root filesystem '")
		self.refused(f"tar:{self.write(b'no tar at all' * 100)}", BAD_INPUT, "not a header")
		self.refused(f"tar:{self.write(gzip.compress(plain)[:-9])}", BAD_INPUT)


class Saved(Case):
	"""What mkrootfs itself saves: other tools read it, and the tree is the same."""

	@classmethod
	def setUpClass(cls):
		cls.layout = images.layout("small")
		cls.work = suite.temporary(cls, "saved")
		cls.store_of_all = command.Store(f"{cls.work}/store")
		cls.image = cls.store_of_all.pull(f"oci:{cls.layout}:latest", "--name", "example.com/it:1")
		cls.nodes = tree.listing(mounts.erofs(cls, mounts.raw_disk(cls, cls.image["disk"])))
		cls.docker, cls.oci = cls.saved("docker.tar"), cls.saved("oci.tar", "--format", "oci-archive")

	@classmethod
	def save(cls, store, name, path, *options):
		return command.mkrootfs("save", "--store", store.folder, "-o", path, *options, name)

	@classmethod
	def saved(cls, name, *options):
		path = f"{cls.work}/{name}"
		done = cls.save(cls.store_of_all, "example.com/it:1", path, *options)
		assert done.returncode == 0 and not done.stdout, done.stderr
		return path

	def disk(self, image):
		return tree.listing(mounts.erofs(self, mounts.raw_disk(self, image["disk"])))

	def test_pulled_again(self):
		"""The same disk, from both formats and under the same name and digest. What a layer had stored
		twice is the only difference that files of layers may have."""
		digests = set()
		for place in (f"docker-archive:{self.docker}", f"oci-archive:{self.docker}", f"oci-archive:{self.oci}", f"oci-archive:{self.oci}:1"):
			image = self.store().pull(place)
			tree.assert_same(self, self.disk(image), self.nodes, "the disk of the saved image", "the disk of the image")
			self.assertEqual((image["config"], image["platform"]), (self.image["config"], self.image["platform"]))
			digests.add(image["digest"])
		self.assertEqual(len(digests), 1)
		self.assertEqual(self.store().pull(f"docker-archive:{self.docker}")["reference"], "example.com/it:1")

	def test_podman_loads_it(self):
		"""Into a storage of its own, without a service."""
		podman = ["podman", "--storage-driver", "vfs", "--root", f"{self.folder()}/root", "--runroot", f"{self.folder()}/run"]
		manifest = json.loads(skopeo("inspect", "--raw", f"oci-archive:{self.oci}"))
		config = manifest["config"]["digest"].removeprefix("sha256:")
		for archive in (self.docker, self.oci):
			command.run([*podman, "load", "-q", "-i", archive])
			loaded = json.loads(command.run([*podman, "images", "--no-trunc", "--format", "json"]))
			self.assertEqual([image["Id"] for image in loaded], [config])
			command.run([*podman, "rmi", "-a", "-f"])

	def test_saved_again(self):
		"""A saved image that is pulled and saved is the same archive."""
		store = self.store()
		store.pull(f"docker-archive:{self.docker}")
		again = f"{self.folder()}/again.tar"
		self.assertEqual(self.save(store, "example.com/it:1", again).returncode, 0)
		self.assertEqual(read(again), read(self.docker))

	def test_standard_output(self):
		done = subprocess.run([suite.command_path(), "save", "--store", self.store_of_all.folder, "example.com/it:1"],
			stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT)
		self.assertEqual((done.returncode, done.stderr), (0, b""))
		self.assertEqual(hashlib.sha256(done.stdout).digest(), hashlib.sha256(read(self.docker)).digest())

	def test_skopeo_reads_it(self):
		"""As both kinds; what it copies out of them is the same image, every blob checked."""
		for place in (f"docker-archive:{self.docker}", f"docker-archive:{self.docker}:example.com/it:1", f"oci-archive:{self.docker}", f"oci-archive:{self.oci}"):
			copy = f"{self.folder()}/copy"
			skopeo("copy", "-q", place, f"dir:{copy}")
			image = self.store().pull(f"dir:{copy}")
			tree.assert_same(self, self.disk(image), self.nodes, "the disk of skopeo's copy", "the disk of the image")
		shown = json.loads(skopeo("inspect", f"oci-archive:{self.oci}"))
		self.assertEqual((shown["Architecture"], len(shown["Layers"])), ("amd64", len(self.image["layers"])))

	def test_umoci_unpacks_it(self):
		"""Two unpackings by umoci: of the image, and of what was saved of it. It gives the time of
		unpacking to directories that no layer lists."""
		layout = f"{self.folder()}/layout"
		os.mkdir(layout)
		command.run(["tar", "-C", layout, "-xf", self.oci])
		roots = []
		for place in (f"{self.layout}:latest", f"{layout}:1"):
			bundle = f"{self.folder()}/bundle"
			command.run(["umoci", "unpack", "--image", place, bundle])
			roots.append(tree.listing(f"{bundle}/rootfs"))
		tree.assert_same(self, roots[1], roots[0], "umoci's of the saved image", "umoci's of the image",
			lambda path, field, a, b: field == "mtime" and roots[0][path].kind == "directory")

	def test_from_the_source(self):
		"""Everything as it was: the digest, and each blob byte for byte."""
		skopeo("copy", "-q", f"oci:{self.layout}:latest", f"oci-archive:{self.work}/source.tar")
		skopeo("copy", "-q", f"oci:{self.layout}:latest", f"dir:{self.work}/source")
		saved = set()
		for place in (f"oci:{self.layout}:latest", f"oci-archive:{self.work}/source.tar", f"dir:{self.work}/source"):
			path = self.saved(f"{len(saved)}-source.tar", "--source", place)
			saved.add(read(path))
			os.unlink(path)
		self.assertEqual(len(saved), 1)
		path = self.write(saved.pop())
		self.assertEqual(self.store().pull(f"docker-archive:{path}")["digest"], self.image["digest"])
		self.assertEqual(json.loads(skopeo("inspect", f"oci-archive:{path}"))["Digest"], self.image["digest"])
		with tarfile.open(path) as archive:
			for name in archive.getnames():
				if name.startswith("blobs/sha256/"):
					self.assertEqual(archive.extractfile(name).read(), read(f"{self.layout}/{name}"), name)

	def test_names(self):
		for given, tags, name in (((), ["example.com/it:1"], "1"), (("--name", "box"), ["docker.io/library/box:latest"], "latest")):
			path = f"{self.folder()}/x.tar"
			self.assertEqual(self.save(self.store_of_all, "example.com/it:1", path, *given).returncode, 0)
			with tarfile.open(path) as archive:
				self.assertEqual(json.load(archive.extractfile("manifest.json"))[0]["RepoTags"], tags)
				notes = json.load(archive.extractfile("index.json"))["manifests"][0]["annotations"]
			self.assertEqual(notes, {"io.containerd.image.name": tags[0], "org.opencontainers.image.ref.name": name})

	def refuse_save(self, code, text, *options, name="example.com/it:1"):
		path = f"{self.folder()}/x.tar"
		done = self.save(self.store_of_all, name, path, *options)
		self.assertEqual(done.returncode, code, done.stderr)
		self.assertIn(text, done.stderr)
		self.assertFalse(os.path.exists(path))

	def test_refusals(self):
		other = oci_layout.Image(f"{self.folder()}/other")
		other.add_layer(LOWER)
		other.commit("it")
		self.refuse_save(NOT_FOUND, "has another image", "--source", f"oci:{other.folder}:it")
		self.refuse_save(USAGE, "must be a layout", "--source", "example.com/it:1")
		self.refuse_save(USAGE, "must be a layout", "--source", f"tar:{self.docker}")
		self.refuse_save(USAGE, "must be one as docker takes it", "--name", "oci:x")
		self.refuse_save(USAGE, "docker-archive or oci-archive", "--format", "tar")
		self.refuse_save(NOT_FOUND, "is not in the store", name="nothing")
		before = read(self.docker)
		done = self.save(self.store_of_all, "example.com/it:1", self.docker)
		self.assertEqual(done.returncode, 1)
		self.assertIn("exists already", done.stderr)
		self.assertEqual(self.save(self.store_of_all, "example.com/it:1", self.docker, "--force").returncode, 0)
		self.assertEqual(read(self.docker), before)

	def test_a_terminal(self):
		leader, follower = os.openpty()
		try:
			done = subprocess.run([suite.command_path(), "save", "--store", self.store_of_all.folder, "example.com/it:1"],
				stdin=subprocess.DEVNULL, stdout=follower, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
		finally:
			os.close(leader)
			os.close(follower)
		self.assertEqual(done.returncode, USAGE)
		self.assertIn("nothing for a terminal", done.stderr)

	def test_progress(self):
		"""On a terminal a line for each layer: read for its digest, then written. Not with --quiet."""
		for options, shown in (((), True), (("--quiet",), False), (("--source", f"oci:{self.layout}:latest"), True)):
			leader, follower = os.openpty()
			os.set_blocking(leader, False)
			try:
				subprocess.run([suite.command_path(), "save", "--store", self.store_of_all.folder, *options, "example.com/it:1"],
					stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower, check=True, timeout=LIMIT,
					env={**os.environ, "TERM": "xterm"})
				try:
					text = os.read(leader, 65536).decode()
				except BlockingIOError:
					text = ""
			finally:
				os.close(leader)
				os.close(follower)
			self.assertEqual("write layer 1/" in text, shown, text)
			self.assertEqual("read layer 1/" in text, shown and "--source" not in options, text)

	def test_a_full_disk(self):
		with open("/dev/full", "wb") as full:
			done = subprocess.run([suite.command_path(), "save", "--store", self.store_of_all.folder, "example.com/it:1"],
				stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, text=True, timeout=LIMIT)
		self.assertEqual(done.returncode, 7, done.stderr)
		self.assertEqual(len(done.stderr.splitlines()), 1)

	def test_a_source_that_was_broken(self):
		copy = f"{self.folder()}/copy"
		shutil.copytree(self.layout, copy)
		layer = images.manifest(copy, "latest")["layers"][0]["digest"]
		with open(images.blob(copy, layer), "r+b") as file:
			file.seek(100)
			byte = file.read(1)
			file.seek(100)
			file.write(bytes([byte[0] ^ 1]))
		self.refuse_save(BAD_INPUT, "digest", "--source", f"oci:{copy}:latest")


class Kinds(Case):
	"""What was meant is said."""

	def setUp(self):
		self.docker = self.write(docker_archive.saved([Image([LOWER], ["x:1"])]), "docker.tar")
		self.source = oci_layout.Image(f"{self.folder()}/layout")
		self.source.add_layer(LOWER)
		self.source.commit("it")
		self.oci = f"{self.folder()}/oci.tar"
		command.run(["tar", "-C", self.source.folder, "-cf", self.oci, "."])
		self.dir = f"{self.folder()}/dir"
		skopeo("copy", "-q", f"oci:{self.source.folder}:it", f"dir:{self.dir}")

	def test_wrong_kind(self):
		for reference, hint in ((f"oci-archive:{self.docker}", f"write docker-archive:{self.docker}"),
				(f"docker-archive:{self.oci}", f"write oci-archive:{self.oci}"),
				(f"oci:{self.dir}", f"write dir:{self.dir}"), (f"dir:{self.source.folder}", f"write oci:{self.source.folder}")):
			self.refused(reference, USAGE, hint)

	def test_a_folder_or_nothing(self):
		self.refused(f"docker-archive:{self.dir}", USAGE, "it is a folder")
		self.refused(f"tar:{self.dir}", USAGE, "it is a folder")
		self.refused("oci-archive:/nowhere/x.tar", NOT_FOUND, "/nowhere/x.tar")
		self.refused(f"dir:{self.folder()}", NOT_FOUND, "there is no image in it")
		self.refused(f"dir:{self.docker}", USAGE, "it is a file; images in one are written oci-archive:FILE or docker-archive:FILE")
		self.refused(f"oci:{self.oci}", USAGE, "it is a file; images in one are written oci-archive:FILE or docker-archive:FILE")
		self.refused(f"oci:{self.oci}/below", 1, "open the folder")

	def test_no_image(self):
		rootfs = self.write(LOWER)
		self.refused(f"docker-archive:{rootfs}", NOT_FOUND, f"tar:{rootfs}")
		self.refused(f"oci-archive:{rootfs}", NOT_FOUND, f"tar:{rootfs}")
		self.refused(f"docker-archive:{self.write(docker_archive.saved([]))}", NOT_FOUND, "there is no image in it")
		old = docker_archive.tar([("repositories", b"{}"), ("x/layer.tar", LOWER)])
		self.refused(f"docker-archive:{self.write(old)}", UNSUPPORTED, "docker before 1.10")

	def test_a_file_without_its_transport(self):
		self.refused(self.docker, USAGE, "docker-archive:FILE")
		self.refused(self.source.folder, USAGE, "oci:DIR")

	def test_unsupported(self):
		packed = self.write(subprocess.run(["xz", "-c", self.docker], capture_output=True, check=True).stdout)
		self.refused(f"docker-archive:{packed}", UNSUPPORTED, "xz")
		with open(os.path.join(self.dir, "version"), "w") as file:
			file.write("Directory Transport Version: 2.0\n")
		self.refused(f"dir:{self.dir}", UNSUPPORTED, "version")

	def test_a_terminal(self):
		leader, follower = os.openpty()
		try:
			self.refused("docker-archive:-", USAGE, "terminal", stdin=follower)
		finally:
			os.close(leader)
			os.close(follower)


class Hostile(Case):
	"""Archives that lie. Each is refused with one line, and no file of the host is touched."""

	def saved(self, change=lambda members: members):
		members = change(docker_archive.saved_members([Image([LOWER, UPPER], ["x:1"])]))
		return self.write(docker_archive.tar(members))

	def layer(self, *replacement):
		"""The first layer's member becomes this one, of the same name."""
		def change(members):
			index = next(i for i, m in enumerate(members) if m[0].endswith("layer.tar"))
			return [*members[:index], (members[index][0], *replacement), *members[index + 1:]]
		return self.saved(change)

	def test_names_that_climb(self):
		for name in ("../x", "a/../../x", "/../x"):
			self.refused(f"docker-archive:{self.saved(lambda members: [(name, b'x'), *members])}", BAD_INPUT, "climbs above the root")

	def test_links(self):
		secret = self.write(b"secret")
		for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
			for target in (secret, "/etc/passwd", "nowhere", "../../../../../etc/passwd"):
				path = self.layer(kind, target)
				self.assertNotIn("secret", self.refused(f"docker-archive:{path}", NOT_FOUND, "there is no '"))

	def test_links_in_a_circle(self):
		def change(members):
			return [*members, ("a", tarfile.SYMTYPE, "b"), ("b", tarfile.SYMTYPE, "a"), ("c", tarfile.SYMTYPE, "c")]
		for name in ("a", "c"):
			def circle(members, name=name):
				items = json.loads(next(m[1] for m in members if m[0] == "manifest.json"))
				items[0]["Layers"][0] = name
				return change([m for m in members if m[0] != "manifest.json"] + [("manifest.json", json.dumps(items).encode())])
			self.refused(f"docker-archive:{self.saved(circle)}", BAD_INPUT, "leads through too many others")

	def test_what_is_no_file(self):
		self.refused(f"docker-archive:{self.layer(tarfile.DIRTYPE, '')}", BAD_INPUT, "is no regular file")
		self.refused(f"docker-archive:{self.layer(tarfile.FIFOTYPE, '')}", BAD_INPUT, "is no regular file")

	def test_twice(self):
		for name in ("manifest.json", "layer.tar"):
			path = self.saved(lambda members, name=name: [*members, next(m for m in members if m[0].endswith(name))])
			self.refused(f"docker-archive:{path}", BAD_INPUT, "twice")

	def test_holes(self):
		folder = self.folder()
		with open(f"{folder}/manifest.json", "wb") as file:
			file.truncate(1 << 20)
		command.run(["tar", "-C", folder, "-Scf", f"{folder}/x.tar", "manifest.json"])
		self.refused(f"docker-archive:{folder}/x.tar", BAD_INPUT, "holes")

	def test_a_member_larger_than_the_archive(self):
		data = bytearray(read(self.saved()))
		info = tarfile.TarInfo("huge")
		info.size = 1 << 62
		self.refused(f"docker-archive:{self.write(info.tobuf(tarfile.GNU_FORMAT) + bytes(data))}", BAD_INPUT, "ends inside its content")

	def test_cut(self):
		"""At each block, and in the middle of some: an error, and no image."""
		members = docker_archive.saved_members([Image([oci_layout.tar([("a", b"a")])], ["x:1"])])
		whole = docker_archive.tar([m for m in members if m[0] != "repositories"])
		store, path = self.store(), self.write(whole)
		end = len(whole.rstrip(b"\0"))  # of manifest.json
		for length in sorted({*range(0, end, 512), *range(100, end, 1536)}):
			with open(path, "wb") as file:
				file.write(whole[:length])
			done = store.attempt_pull(f"docker-archive:{path}", "--json", timeout=LIMIT)
			self.assertIn(done.returncode, (NOT_FOUND, BAD_INPUT), (length, done.stderr))
			self.assertLessEqual(len(done.stderr.splitlines()), 3)
		self.assertEqual(store.temporary_files(), [])

	def test_content_that_was_changed(self):
		good = read(self.saved())
		for old, new, what in ((b"lower\n", b"LOWER\n", "digest"), (b'"amd64"', b'"AMD64"', "its name says")):
			self.assertEqual(good.count(old), 1)
			self.refused(f"docker-archive:{self.write(good.replace(old, new))}", BAD_INPUT, what)
		layout = docker_archive.saved_as_layout([Image([LOWER, UPPER], ["x:1"])])
		for old, new in ((b"lower\n", b"LOWER\n"), (b'"amd64"', b'"AMD64"'), (b"layer.v1.tar", b"layer.v1.rat")):
			self.refused(f"docker-archive:{self.write(layout.replace(old, new))}", BAD_INPUT, "digest")

	def test_lists_that_are_none(self):
		config = Image([LOWER]).config()
		name = f"{docker_archive.hexdigest(config)}.json"
		for items, text in ((b"{}", "no array"), (b"[{}]", "no Config"), (b"[[]]", "no Config"), (b"no", "manifest.json"),
				(json.dumps([{"Config": name, "Layers": "x"}]).encode(), "no array of strings"),
				(json.dumps([{"Config": name, "Layers": [1]}]).encode(), "no array of strings"),
				(json.dumps([{"Config": name, "Layers": []}]).encode(), "diff IDs for 0 layers"),
				(json.dumps([{"Config": name, "Layers": ["a", "a"]}]).encode(), "diff IDs for 2 layers"),
				(b'[{"Config":"' + name.encode() + b'","Layers":["a"],"Layers":["b"]}]', "manifest.json")):
			path = self.write(docker_archive.tar([(name, config), ("a", LOWER), ("manifest.json", items)]))
			self.refused(f"docker-archive:{path}", BAD_INPUT, text)
		path = self.write(docker_archive.tar([(name, config), ("manifest.json", json.dumps([{"Config": name, "Layers": ["../a"]}]).encode())]))
		self.refused(f"docker-archive:{path}", BAD_INPUT, "climbs")

	def test_two_readings(self):
		"""manifest.json names one image, the layout holds another: what the transport is named after
		counts."""
		one, two = Image([LOWER], ["x:1"]), Image([UPPER], ["x:1"])
		members = [m for m in docker_archive.layout_members([one], annotate=False) if m[0] != "manifest.json"]
		members += [m for m in docker_archive.saved_members([two]) if m[0] != "repositories"]
		path = self.write(docker_archive.tar(members))
		image = self.store().pull(f"docker-archive:{path}")
		self.assertEqual(image["layers"][0]["diff_id"], f"sha256:{docker_archive.hexdigest(UPPER)}")

	def test_too_many_members(self):
		header = tarfile.TarInfo("x" * 12).tobuf(tarfile.USTAR_FORMAT)
		path = self.write(header * ((1 << 18) + 1))
		self.refused(f"oci-archive:{path}", BAD_INPUT, "more than 262144 members")

	def test_a_bomb(self):
		"""Five GiB of zeros in the place of an archive, and of a layer."""
		with subprocess.Popen("head -c 5G /dev/zero | zstd -q1 -c", shell=True, stdout=subprocess.PIPE) as zeros:
			bomb = zeros.stdout.read()
		self.refused(f"docker-archive:{self.layer(bomb)}", BAD_INPUT, "limits.ratio")
		self.refused(f"oci-archive:{self.write(bomb)}", BAD_INPUT, "limits.ratio")


if __name__ == "__main__":
	suite.main(needs=NEEDS)
