#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a pull goes about it: whom the policy lets it ask, and how many layers it has in work at once."""

import gzip
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, oci_layout, suite  # noqa: E402
from support.layout_registry import LayoutRegistry  # noqa: E402

NOT_FOUND, NETWORK = 3, 4
WAIT = 300  # seconds


def image_for(folder, architecture, text):
	image = oci_layout.Image(folder)
	image.add_layer(oci_layout.tar([("text", text)]))
	image.commit("latest", **({"architecture": architecture} if architecture else {}))
	return image


class Policies(unittest.TestCase):
	def setUp(self):
		self.folder = suite.temporary(self, "work")
		self.store = command.Store(os.path.join(self.folder, "store"))
		self.layout = os.path.join(self.folder, "layout")
		image_for(self.layout, None, b"old")
		self.server = LayoutRegistry.start(self, self.layout)
		self.reference = self.server.reference("latest")

	def change_image(self, architecture=None):
		command.run(["rm", "-r", self.layout])
		image_for(self.layout, architecture, b"new")

	def test_always_takes_what_the_registry_has_now(self):
		old = self.store.pull(self.reference, "--pull", "always")
		self.change_image()
		self.assertNotEqual(self.store.pull(self.reference, "--pull", "always")["digest"], old["digest"])
		self.server.stop()
		self.assertEqual(self.store.attempt_pull(self.reference, "-q", "--pull", "always").returncode, NETWORK)

	def test_always_is_the_default(self):
		old = self.store.pull(self.reference)
		self.change_image()
		self.assertNotEqual(self.store.pull(self.reference)["digest"], old["digest"])

	def test_missing_asks_only_for_what_the_store_lacks(self):
		old = self.store.pull(self.reference, "--pull", "missing")
		self.change_image()
		self.server.requests.clear()
		again = self.store.pull(self.reference, "--pull", "missing")
		self.assertEqual((again["digest"], again["disk"]), (old["digest"], old["disk"]))
		self.assertTrue(all(layer["reused"] for layer in again["layers"]))
		self.assertEqual(self.server.requests, [])

	def test_missing_asks_when_the_platform_is_another(self):
		self.store.pull(self.reference)
		self.change_image("s390x")
		self.assertEqual(self.store.pull(self.reference, "--pull", "missing", "--platform", "linux/s390x")["platform"], "linux/s390x")

	def test_missing_mends_a_damaged_image(self):
		old = self.store.pull(self.reference)
		os.truncate(old["fsmeta"], 100)
		self.server.requests.clear()
		self.assertEqual(self.store.pull(self.reference, "--pull", "missing")["digest"], old["digest"])
		self.assertNotEqual(self.server.requests, [])
		self.assertGreater(os.path.getsize(old["fsmeta"]), 100)

	def test_newer_takes_what_the_registry_has_now(self):
		old = self.store.pull(self.reference, "--pull", "newer")
		self.change_image()
		self.assertNotEqual(self.store.pull(self.reference, "--pull", "newer")["digest"], old["digest"])

	def test_newer_is_content_with_the_store_when_there_is_no_answer(self):
		old = self.store.pull(self.reference)
		self.server.stop()
		done = self.store.attempt_pull(self.reference, "--pull", "newer", "--json")
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertIn(old["digest"], done.stdout)
		self.assertRegex(done.stderr, r"warning: the image that the store has is taken: [^\n]*127\.0\.0\.1")

	def test_newer_fails_without_an_answer_and_without_an_image(self):
		self.server.stop()
		done = self.store.attempt_pull(self.reference, "-q", "--pull", "newer")
		self.assertEqual(done.returncode, NETWORK, done.stderr)

	def test_never_asks_nobody(self):
		done = self.store.attempt_pull(self.reference, "-q", "--pull", "never")
		self.assertEqual(done.returncode, NOT_FOUND)
		self.assertRegex(done.stderr, r"\Amkrootfs: [^\n]*latest[^\n]* not in the store[^\n]*\n")
		old = self.store.pull(self.reference)
		self.change_image()
		self.server.requests.clear()
		self.assertEqual(self.store.pull(self.reference, "--pull", "never")["digest"], old["digest"])
		self.assertEqual(self.server.requests, [])
		done = self.store.attempt_pull(self.reference, "-q", "--pull", "never", "--platform", "linux/s390x")
		self.assertEqual(done.returncode, NOT_FOUND)

	def test_an_image_whose_layout_is_gone_is_found_by_a_relative_path(self):
		parent, name = os.path.split(self.layout)
		pull = ["pull", "--store", self.store.folder, "-q"]
		self.assertEqual(command.mkrootfs(*pull, f"oci:{name}", cwd=parent).returncode, 0)
		os.rename(self.layout, self.layout + ".gone")
		for policy in ("missing", "newer", "never"):
			done = command.mkrootfs(*pull, "--pull", policy, f"oci:./{name}", cwd=parent)
			self.assertEqual(done.returncode, 0, done.stderr)

	def test_standard_input_is_no_name(self):
		for policy in ("missing", "newer", "never"):
			done = self.store.attempt_pull("tar:-", "-q", "--pull", policy)
			self.assertEqual(done.returncode, 2, done.stderr)
			self.assertIn("standard input", done.stderr)

	def test_the_name_that_is_missing_is_told(self):
		done = self.store.attempt_pull(f"oci:{self.layout}", "-q", "--pull", "never", "--name", "none/such:1")
		self.assertIn("'docker.io/none/such:1' is not in the store", done.stderr)

	def test_one_that_does_not_exist_is_refused(self):
		for policy in ("", "Always", "sometimes"):
			done = self.store.attempt_pull(self.reference, f"--pull={policy}")
			self.assertEqual(done.returncode, 2, done.stderr)


class Waiting(unittest.TestCase):
	def test_for_a_fifo_that_nobody_writes_to_ends_by_a_signal(self):
		folder = suite.temporary(self, "work")
		os.mkfifo(os.path.join(folder, "fifo"))
		for kind in ("tar", "oci-archive", "docker-archive"):
			process = subprocess.Popen([suite.command_path(), "pull", "-q", "--store", os.path.join(folder, "store"), f"{kind}:{folder}/fifo"],
				stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
			self.addCleanup(process.kill)
			while "fifo" not in "".join(os.readlink(f"/proc/{process.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{process.pid}/fd")):
				time.sleep(0.01)
			process.terminate()
			_, errors = process.communicate(timeout=WAIT)
			self.assertEqual(process.returncode, 128 + 15, errors)


class Jobs(unittest.TestCase):
	LAYERS = 9

	def setUp(self):
		self.folder = suite.temporary(self, "work")
		self.layout = os.path.join(self.folder, "layout")
		self.image = oci_layout.Image(self.layout)
		for i in range(self.LAYERS):
			self.image.add_layer(oci_layout.tar([(f"f{i}", os.urandom(1 + (i * 7919 % 5) * 50_000)), ("common", b"%d" % i)]))
		self.image.commit("latest")

	def pull(self, name, *options):
		store = command.Store(os.path.join(self.folder, name))
		return store.pull(f"oci:{self.layout}:latest", *options)

	def bytes_of(self, image):
		paths = [image["fsmeta"], image["disk"], *(layer["path"] for layer in image["layers"])]
		return [open(path, "rb").read() for path in paths]

	def test_give_the_same_bytes_whatever_their_number(self):
		one = self.bytes_of(self.pull("one", "--jobs", "1"))
		for jobs in ("2", "3", "9", "64"):
			self.assertEqual(self.bytes_of(self.pull(f"jobs{jobs}", "-j", jobs)), one, jobs)

	def test_so_many_layers_are_in_work_at_once(self):
		server = GatedRegistry.start(self, self.layout)
		server.layers = {layer["digest"] for layer in self.image.layers}
		for jobs, company in ((1, 1), (None, 3), (4, 4)):
			with self.subTest(jobs=jobs):
				server.asked, server.company = 0, company
				store = command.Store(os.path.join(self.folder, f"gated{jobs}"))
				store.pull(server.reference("latest"), *(("--jobs", str(jobs)) if jobs else ()))
				self.assertEqual(server.asked, self.LAYERS)

	def test_one_at_a_time_come_in_their_order(self):
		server = LayoutRegistry.start(self, self.layout)
		command.Store(os.path.join(self.folder, "ordered")).pull(server.reference("latest"), "--jobs", "1")
		layers = [layer["digest"] for layer in self.image.layers]
		self.assertEqual([path.split("/")[-1] for path in server.blob_requests() if path.split("/")[-1] in layers], layers)

	def test_a_layer_that_fails_is_named_and_stops_the_others(self):
		digest = self.image.layers[4]["digest"]
		path = os.path.join(self.layout, "blobs", *digest.split(":"))
		with open(path, "r+b") as file:
			file.truncate(20)
		for jobs in ("1", "4"):
			store = command.Store(os.path.join(self.folder, f"broken{jobs}"))
			done = store.attempt_pull(f"oci:{self.layout}:latest", "-q", "--jobs", jobs)
			self.assertEqual(done.returncode, 6, done.stderr)
			self.assertRegex(done.stderr, rf"\Amkrootfs: layer 5/9 {digest[:19]}: [^\n]*\n")
			self.assertEqual(store.temporary_files(), [])
			self.assertEqual(os.listdir(os.path.join(store.folder, "images")), [])

	def test_progress_names_each_layer_once(self):
		store = command.Store(os.path.join(self.folder, "told"))
		done = store.attempt_pull(f"oci:{self.layout}:latest", "--jobs", "4")
		self.assertEqual(done.returncode, 0, done.stderr)
		for layer in self.image.layers:
			self.assertEqual(done.stderr.count(layer["digest"].removeprefix("sha256:")[:12]), 1, done.stderr)

	def test_out_of_range_are_refused(self):
		for jobs in ("0", "65", "-1", "x"):
			done = command.mkrootfs("pull", "--store", self.folder, "--jobs", jobs, f"oci:{self.layout}")
			self.assertEqual(done.returncode, 2, done.stderr)


class Threads(unittest.TestCase):
	"""Layers large enough for receiving, unpacking and writing to go on side by side."""

	NUMBERS = ("1", "2", "3", "16")

	def setUp(self):
		self.folder = suite.temporary(self, "work")
		self.layout = os.path.join(self.folder, "layout")
		self.image = oci_layout.Image(self.layout)
		random.seed(7)
		words = [random.randbytes(40) for _ in range(500)]
		for pack in (lambda tar: None, self.by_zstd, lambda tar: tar):
			tar = oci_layout.tar([(f"f{i}", b"".join(random.choices(words, k=20_000))) for i in range(8)])
			self.image.add_layer(tar, blob=pack(tar))
		self.image.commit("latest")

	@staticmethod
	def by_zstd(tar):
		return subprocess.run(["zstd", "-q", "-c"], input=tar, stdout=subprocess.PIPE, check=True).stdout

	def pull(self, threads, jobs="1"):
		store = command.Store(tempfile.mkdtemp(dir=self.folder))
		return store, store.attempt_pull(f"oci:{self.layout}:latest", "-q", "--json", "--threads", threads, "--jobs", jobs)

	def bytes_of(self, threads, jobs):
		store, done = self.pull(threads, jobs)
		self.assertEqual(done.returncode, 0, done.stderr)
		image = json.loads(done.stdout)
		return [open(path, "rb").read() for path in (image["fsmeta"], *(layer["path"] for layer in image["layers"]))]

	def test_give_the_same_bytes_whatever_their_number(self):
		one = self.bytes_of("1", "1")
		for threads in self.NUMBERS:
			for jobs in ("1", "3"):
				self.assertEqual(self.bytes_of(threads, jobs), one, (threads, jobs))

	def test_times_are_told_of_the_layers_that_were_made(self):
		store = command.Store(os.path.join(self.folder, "timed"))
		for made in (3, 0):
			done = store.attempt_pull(f"oci:{self.layout}:latest", "-q", "--json", "--timings")
			self.assertEqual(done.returncode, 0, done.stderr)
			self.assertEqual(len(done.stderr.splitlines()), 1 + made, done.stderr)
			times = [layer.get("times") for layer in json.loads(done.stdout)["layers"]]
			self.assertEqual(sum(time is not None for time in times), made)
			for time in filter(None, times):
				self.assertEqual(set(time), {"receive", "hash", "unpack", "write", "sync", "wait", "total"})
				self.assertEqual([part for part in ("receive", "hash", "write", "sync") if time[part] <= 0], [])
				self.assertGreaterEqual(time["total"], time["sync"])
				self.assertLess(time["total"], WAIT * 10**9)
		done = store.attempt_pull(f"oci:{self.layout}:latest", "-q", "--json")
		self.assertNotIn("times", done.stdout)

	def damage(self, index, change):
		path = os.path.join(self.layout, "blobs", *self.image.layers[index]["digest"].split(":"))
		with open(path, "r+b") as file:
			change(file)

	def assert_same_failure(self):
		failures = set()
		for threads in self.NUMBERS:
			store, done = self.pull(threads)
			failures.add((done.returncode, done.stderr))
			self.assertEqual(store.temporary_files(), [])
		self.assertEqual(len(failures), 1, failures)
		code, text = failures.pop()
		self.assertNotEqual(code, 0, text)
		return text

	def test_tell_the_same_of_a_blob_that_ends_early(self):
		self.damage(0, lambda file: file.truncate(os.path.getsize(file.name) - 10))
		self.assertIn("layer 1/3", self.assert_same_failure())

	def test_tell_the_same_of_a_blob_with_a_flipped_bit(self):
		def flip(file):
			file.seek(-5000, os.SEEK_END)
			byte = file.read(1)[0]
			file.seek(-5000, os.SEEK_END)
			file.write(bytes([byte ^ 1]))

		for index in range(2, -1, -1):
			self.damage(index, flip)
			self.assertIn(f"layer {index + 1}/3", self.assert_same_failure())

	def test_out_of_range_are_refused(self):
		for threads in ("0", "257", "-1", "x"):
			self.assertEqual(self.pull(threads)[1].returncode, 2)


class Partial(unittest.TestCase):
	"""What arrived of a blob is not fetched again."""

	SIZE, CUT = 3_000_000, 2_000_000

	def setUp(self):
		self.folder = suite.temporary(self, "work")
		self.layout = os.path.join(self.folder, "layout")
		image = oci_layout.Image(self.layout)
		self.layer = image.add_layer(oci_layout.tar([("random", os.urandom(self.SIZE))]))
		image.commit("latest")
		self.digest = self.layer["digest"]
		self.server = RangeRegistry.start(self, self.layout)
		self.reference = self.server.reference("latest")
		self.store = command.Store(os.path.join(self.folder, "store"))
		self.path = os.path.join(self.store.folder, "partial", self.digest.replace(":", "-"))

	def break_off(self, *options):
		"""A pull to which the server sends the first CUT bytes of the layer, however often it asks."""
		self.server.cut[self.digest] = self.CUT
		done = self.store.attempt_pull(self.reference, "-q", *options)
		self.server.cut.clear()
		self.assertEqual(done.returncode, NETWORK, done.stderr)
		self.server.starts.clear()

	def assert_sound(self, image):
		with open(image["layers"][0]["path"], "rb") as file, gzip.open(os.path.join(self.layout, "blobs", *self.digest.split(":"))) as tar:
			self.assertIn(tar.read()[512:512 + self.SIZE], file.read())
		self.assertEqual(os.listdir(os.path.dirname(self.path)), [])

	def test_the_next_pull_goes_on_where_it_stopped(self):
		self.break_off()
		self.assertEqual(os.path.getsize(self.path), self.CUT)
		self.assert_sound(self.store.pull(self.reference))
		self.assertEqual(self.server.starts, [self.CUT])

	def test_a_killed_pull_is_gone_on_with(self):
		self.server.stop_at[self.digest] = self.CUT
		process = subprocess.Popen([suite.command_path(), "pull", "-q", "--store", self.store.folder, self.reference],
			stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
		self.addCleanup(process.wait)
		self.addCleanup(process.kill)
		limit = time.monotonic() + WAIT
		while not (os.path.exists(self.path) and os.path.getsize(self.path) > self.CUT // 2):
			self.assertLess(time.monotonic(), limit)
			time.sleep(0.01)
		process.kill()
		process.wait()
		kept = os.path.getsize(self.path)
		self.server.release()
		self.server.starts.clear()
		self.assert_sound(self.store.pull(self.reference))
		self.assertEqual(self.server.starts, [kept])

	def test_a_whole_blob_is_not_asked_for_at_all(self):
		self.break_off()
		with open(os.path.join(self.layout, "blobs", *self.digest.split(":")), "rb") as blob, open(self.path, "wb") as kept:
			kept.write(blob.read())
		self.assert_sound(self.store.pull(self.reference))
		self.assertEqual(self.server.starts, [])

	def test_wrong_bytes_are_noticed_and_the_blob_fetched_whole(self):
		for kept in (b"x" * self.CUT, os.urandom(10_000_000), self.flipped()):
			self.break_off()
			with open(self.path, "wb") as file:
				file.write(kept)
			self.assert_sound(self.store.pull(self.reference))
			self.assertEqual(self.server.starts[-1], 0)
			command.run(["rm", "-r", self.store.folder])

	def flipped(self):
		with open(os.path.join(self.layout, "blobs", *self.digest.split(":")), "rb") as blob:
			data = bytearray(blob.read(self.CUT))
		data[self.CUT // 2] ^= 1
		return data

	def test_nothing_is_kept_when_that_was_asked_for(self):
		self.break_off("--no-partial")
		self.assertFalse(os.path.exists(self.path))
		self.assert_sound(self.store.pull(self.reference))
		self.assertEqual(self.server.starts, [0])

	def test_a_blob_that_is_wrong_itself_is_not_kept(self):
		path = os.path.join(self.layout, "blobs", *self.digest.split(":"))
		with open(path, "r+b") as file:
			file.seek(self.CUT)
			file.write(b"wrong")
		done = self.store.attempt_pull(self.reference, "-q")
		self.assertEqual(done.returncode, 6, done.stderr)
		self.assertFalse(os.path.exists(self.path))


class RangeRegistry(LayoutRegistry):
	"""Notes from where on each layer is asked for, and can stop in the midst of one."""

	def __init__(self, layout):
		super().__init__(layout)
		self.starts = []
		self.released = threading.Event()

	def release(self):
		self.stop_at.clear()
		self.released.set()

	def before_send(self, digest, start):
		if os.path.getsize(os.path.join(self.layout, "blobs", *digest.split(":"))) > 100_000:
			self.starts.append(start)

	def at_stop(self):
		self.released.wait(WAIT)


class GatedRegistry(LayoutRegistry):
	"""Sends nothing of a layer before so many layers were asked for as make up a company."""

	company = 1

	def __init__(self, layout):
		super().__init__(layout)
		self.condition = threading.Condition()
		self.asked = 0

	def before_blob(self, digest):
		if digest not in self.layers:
			return
		with self.condition:
			self.asked += 1
			self.condition.notify_all()
			if not self.condition.wait_for(lambda: self.asked >= self.company, WAIT):
				raise AssertionError(f"{self.asked} layers were asked for")


if __name__ == "__main__":
	suite.main()
