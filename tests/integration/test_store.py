#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The store: what is there is used and not fetched again, whoever else is at work on it and whatever
happened to the run before."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, images, mounts, oci_layout, suite, tree  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402

NEEDS = ["kernel:erofs", "umoci", "skopeo", "buildah", "qemu-img", "fsck.erofs"]
WAIT = 300  # seconds


class StoreCase(unittest.TestCase):
	def setUp(self):
		self.layout = images.layout("small")
		self.server = LayoutRegistry.start(self, self.layout)
		self.reference = self.server.reference("latest")
		self.store = command.Store(suite.temporary(self, "store"))

	def start_pull(self, reference):
		"""Starts a pull and does not wait for it."""
		process = subprocess.Popen([suite.command_path(), "pull", "--store", self.store.folder, "--json", "-q", reference],
			stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
		self.addCleanup(process.wait)
		self.addCleanup(process.kill)
		return process

	def assert_sound(self, image):
		"""All layers pass the checker, the disk mounts, and nothing temporary is left."""
		for layer in image["layers"]:
			command.run(["fsck.erofs", layer["path"]])
		self.assertGreater(len(tree.listing(mounts.erofs(self, mounts.raw_disk(self, image["disk"])))), 10)
		self.assertEqual(self.store.temporary_files(), [])


class SecondPull(StoreCase):
	def test_fetches_and_converts_nothing(self):
		first = self.store.pull(self.reference)
		self.assertGreater(len(self.server.blob_requests()), 0)
		files = self.store.files()
		self.server.requests.clear()
		second = self.store.pull(self.reference)
		self.assertEqual(self.server.blob_requests(), [])
		self.assertTrue(all(layer["reused"] for layer in second["layers"]))
		self.assertEqual(second["digest"], first["digest"])
		kept = {name: value for name, value in files.items() if name.endswith((".erofs", ".vmdk", "manifest.json"))}
		self.assertGreaterEqual(len(kept), 3)
		after = self.store.files()
		self.assertEqual({name: after.get(name) for name in kept}, kept)

	def test_of_the_same_image_by_digest(self):
		first = self.store.pull(self.reference)
		self.server.requests.clear()
		second = self.store.pull(self.server.reference(first["digest"]))
		self.assertEqual((second["digest"], second["directory"]), (first["digest"], first["directory"]))
		self.assertEqual(self.server.blob_requests(), [])

	def test_of_an_image_with_common_layers(self):
		"""The tag "sparse" has one layer more than "latest": only that one, and a config, are fetched."""
		self.store.pull(self.reference)
		self.server.requests.clear()
		other = self.store.pull(self.server.reference("sparse"))
		reused = [layer["reused"] for layer in other["layers"]]
		self.assertEqual(reused, [True] * (len(reused) - 1) + [False])
		manifest = images.manifest(self.layout, "sparse")
		wanted = {manifest["layers"][-1]["digest"], manifest["config"]["digest"]}
		self.assertLessEqual({path.split("/")[-1] for path in self.server.blob_requests()}, wanted)
		self.assert_sound(other)

	def test_a_layer_that_comes_twice_is_fetched_once(self):
		self.store.pull(self.reference)
		gets = [path for method, path, _ in self.server.requests if method == "GET" and "/blobs/" in path]
		self.assertEqual(len(gets), len(set(gets)))
		digests = [layer["digest"] for layer in images.manifest(self.layout, "latest")["layers"]]
		self.assertLess(len(set(digests)), len(digests), "the recipe has a layer twice")

	def test_repairs_a_damaged_layer_file(self):
		image = self.store.pull(self.reference)
		for keep in (0, 4096):
			with self.subTest(keep=keep):
				path = image["layers"][0]["path"]
				os.truncate(path, keep)
				image = self.store.pull(self.reference)
				self.assert_sound(image)

	def test_makes_a_missing_image_folder_again(self):
		image = self.store.pull(self.reference)
		self.server.requests.clear()
		for name in os.listdir(image["directory"]):
			os.unlink(os.path.join(image["directory"], name))
		self.assert_sound(self.store.pull(self.reference))


class Listing(StoreCase):
	def test_images_and_inspect_tell_what_pull_told(self):
		self.assertEqual(self.store.ask("images"), [])
		one = self.store.pull(self.reference)
		two = self.store.pull(self.server.reference("sparse"))
		listed = self.store.ask("images")
		self.assertEqual({entry["reference"] for entry in listed}, {one["reference"], two["reference"]})
		for image in (one, two):
			for name in (image["reference"], image["digest"], image["digest"].removeprefix("sha256:")[:12]):
				shown = self.store.ask("inspect", name)
				for key in ("reference", "digest", "platform", "directory", "disk", "fsmeta", "config"):
					self.assertEqual(shown[key], image[key], (name, key))
				self.assertEqual([layer["path"] for layer in shown["layers"]], [layer["path"] for layer in image["layers"]])

	def test_folder_of_the_store_comes_from_the_environment(self):
		folder = suite.temporary(self, "home")
		for name, below in (("MKROOTFS_STORE", ""), ("XDG_DATA_HOME", "mkrootfs")):
			with self.subTest(name=name):
				place = os.path.join(folder, name)
				environment = {k: v for k, v in os.environ.items() if k not in ("MKROOTFS_STORE", "XDG_DATA_HOME")}
				done = command.mkrootfs("pull", "--json", "-q", self.reference, env={**environment, name: place})
				self.assertEqual(done.returncode, 0, done.stderr)
				directory = json.loads(done.stdout)["directory"]
				self.assertTrue(directory.startswith(os.path.join(place, below)), directory)

	def test_unknown_image_is_an_error(self):
		self.store.pull(self.reference)
		done = command.mkrootfs("inspect", "--store", self.store.folder, "no/such:image")
		self.assertNotEqual(done.returncode, 0)
		self.assertRegex(done.stderr, r"\Amkrootfs: [^\n]*no/such[^\n]*\n\Z")

	def test_every_file_has_its_place(self):
		image = self.store.pull(self.reference)
		hex_digits = image["digest"].removeprefix("sha256:")
		self.assertEqual(image["directory"], os.path.join(os.path.realpath(self.store.folder), "images", hex_digits))
		names = {"manifest.json", "config.json", "fsmeta.erofs", "disk.vmdk"}
		self.assertLessEqual(names, set(os.listdir(image["directory"])))
		self.assertEqual(oci_layout.sha256(open(os.path.join(image["directory"], "manifest.json"), "rb").read()), image["digest"])
		for layer in image["layers"]:
			name = layer["diff_id"].removeprefix("sha256:") + ".erofs"
			stored = os.stat(os.path.join(self.store.folder, "layers", name))
			self.assertIn(stored.st_ino, {os.stat(os.path.join(image["directory"], n)).st_ino for n in os.listdir(image["directory"])})


class Platforms(unittest.TestCase):
	def setUp(self):
		folder = suite.temporary(self, "work")
		image = oci_layout.Image(os.path.join(folder, "image"))
		self.digests, entries = {}, []
		unknown = image.add_blob(b'{"not": "an image"}', "application/vnd.oci.image.manifest.v1+json")
		entries.append(({"os": "unknown", "architecture": "unknown"}, unknown))
		for architecture in ("arm64", "amd64", "riscv64"):
			image.layers, image.diff_ids = [], []
			image.add_layer(oci_layout.tar([("for", architecture.encode())]))
			entry = image.add_manifest(architecture=architecture)
			self.digests[architecture] = entry["digest"]
			entries.append(({"os": "linux", "architecture": architecture}, entry))
		image.commit_index("all", entries)
		server = LayoutRegistry.start(self, image.folder)
		self.references = (f"oci:{image.folder}:all", server.reference("all"))
		self.store = command.Store(os.path.join(folder, "store"))

	def test_the_one_that_is_asked_for(self):
		for reference in self.references:
			for architecture, digest in self.digests.items():
				image = self.store.pull(reference, "--platform", f"linux/{architecture}")
				self.assertEqual((image["digest"], image["platform"]), (digest, f"linux/{architecture}"))

	def test_that_of_the_host(self):
		host = {"x86_64": "amd64", "aarch64": "arm64", "riscv64": "riscv64"}[os.uname().machine]
		for reference in self.references:
			self.assertEqual(self.store.pull(reference)["digest"], self.digests[host])

	def test_one_that_is_not_there(self):
		for reference in self.references:
			done = self.store.attempt_pull(reference, "-q", "--platform", "linux/s390x")
			self.assertEqual(done.returncode, 9, done.stderr)
			self.assertRegex(done.stderr, r"\Amkrootfs: [^\n]*s390x[^\n]*\nmkrootfs: hint: [^\n]*--platform[^\n]*\n\Z")


class TwoAtOnce(StoreCase):
	def test_both_succeed_with_the_same_image(self):
		self.server.bytes_per_second = 2_000_000
		processes = [self.start_pull(self.reference) for _ in range(3)]
		answers = [process.communicate(timeout=WAIT) for process in processes]
		for process, (_, errors) in zip(processes, answers):
			self.assertEqual(process.returncode, 0, errors)
		pulled = [json.loads(text) for text, _ in answers]
		self.assertEqual(len({image["digest"] for image in pulled}), 1)
		self.assert_sound(pulled[0])

	def test_overlapping_images(self):
		self.server.bytes_per_second = 2_000_000
		processes = [self.start_pull(self.server.reference(tag)) for tag in ("latest", "sparse")]
		for process in processes:
			_, errors = process.communicate(timeout=WAIT)
			self.assertEqual(process.returncode, 0, errors)
		for entry in self.store.ask("images"):
			self.assert_sound(entry)


class Killed(StoreCase):
	def test_next_pull_repairs_the_store(self):
		"""Killed at four moments of the download and of what follows it."""
		size = sum(layer["size"] for layer in images.manifest(self.layout, "latest")["layers"])
		killed = 0
		for share in (0.01, 0.3, 0.7, 0.99):
			with self.subTest(share=share):
				killed += self.kill_after(size * share)
				self.server.bytes_per_second = None
				image = self.store.pull(self.reference)
				self.assert_sound(image)
				command.run(["rm", "-rf", self.store.folder])
		self.assertGreaterEqual(killed, 3, "pulls that had not ended by themselves")

	def kill_after(self, size):
		"""Kills a pull when it was sent so many bytes; returns whether it was still at work."""
		process = self.start_slow_pull(size)
		process.send_signal(signal.SIGKILL)
		process.communicate(timeout=WAIT)
		return process.returncode == -signal.SIGKILL

	def start_slow_pull(self, size):
		self.server.sent = 0
		self.server.bytes_per_second = 400_000
		process = self.start_pull(self.reference)
		limit = time.monotonic() + WAIT
		while self.server.sent < size and process.poll() is None and time.monotonic() < limit:
			time.sleep(0.005)
		return process

	def test_interrupted_pull_leaves_nothing_temporary(self):
		for number in (signal.SIGINT, signal.SIGTERM):
			with self.subTest(signal=number.name):
				process = self.start_slow_pull(200_000)
				process.send_signal(number)
				_, errors = process.communicate(timeout=WAIT)
				self.assertEqual(process.returncode, 128 + number, errors)
				self.assertEqual(self.store.temporary_files(), [])


if __name__ == "__main__":
	suite.main(NEEDS)
