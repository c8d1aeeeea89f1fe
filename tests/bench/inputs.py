# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks work on, made once and kept in the tests' cache (see support/cache.py).

	inputs = Inputs(sizes)                 FULL, or TINY for a run that only shows that all works
	inputs.layer("gzip")                   one packed layer of real packages: a file
	inputs.layout("gzip")                  an OCI layout with just that layer, tag "it"
	inputs.tree()                          the same, unpacked
	inputs.small(), .small_layout(), .small_tree(), and so for empty files
	inputs.stack()                         a layout of many layers with many entries each
"""

import os
import shutil
import subprocess

from support import cache, command

from bench import peers
from bench.generate import one_layer, write_empty, write_small, write_stack

FORMAT = "2"  # of all that is cached; a change of what is made wants another one
SUITE = "bookworm"
PACKAGES = "python3"
SUFFIXES = {"tar": "", "gzip": ".gz", "zstd": ".zst"}
HERE = os.path.dirname(os.path.abspath(__file__))


class Sizes:
	def __init__(self, name, small, empty, layers, entries, times):
		self.name, self.small, self.empty, self.layers, self.entries = name, small, empty, layers, entries
		self.times = times  # that a command of a few milliseconds is run in a row


FULL = Sizes("full", small=200_000, empty=1_000_000, layers=10, entries=100_000, times=20)
TINY = Sizes("tiny", small=300, empty=1000, layers=3, entries=300, times=2)


class Missing(Exception):
	"""A program that makes an input is not there."""


def need(name):
	path = peers.find(name)
	if path is None:
		raise Missing(name)
	return path


class Inputs:
	def __init__(self, sizes):
		self.sizes = sizes

	def cached(self, name, make):
		return cache.folder(f"bench-{self.sizes.name}-{name}", FORMAT, lambda path: self.fill(path, make))

	def fill(self, path, make):
		shutil.rmtree(path, ignore_errors=True)
		os.makedirs(path)
		make(path)
		print(f"      made the input {os.path.basename(path).removesuffix('-unfinished')}", flush=True)

	def layer(self, kind):
		return os.path.join(self.cached("real", self.make_layers), "layer.tar" + SUFFIXES[kind])

	def layout(self, kind):
		return self.cached(f"{kind}_layout", lambda path: one_layer(path, self.layer(kind), self.layer("tar"), kind))

	def tree(self):
		return os.path.join(self.cached("tree", lambda path: unpack(self.layer("tar"), path)), "root")

	def make_layers(self, path):
		tar = os.path.join(path, "layer.tar")
		if self.sizes is FULL:
			command.run([need("mmdebstrap"), "--variant=minbase", "--quiet", f"--include={PACKAGES}", SUITE, tar], timeout=3600)
		else:
			command.run(["tar", "-C", os.path.join(HERE, "..", ".."), "-cf", tar, "docs", "tests/support", "tests/bench"])
		pack(tar)

	def small(self):
		return os.path.join(self.cached("small", lambda path: write_small(os.path.join(path, "small.tar"), self.sizes.small)), "small.tar")

	def small_layout(self):
		return self.cached("small_layout", lambda path: one_layer(path, self.small(), self.small(), "tar"))

	def small_tree(self):
		return os.path.join(self.cached("small_tree", lambda path: unpack(self.small(), path)), "root")

	def empty(self):
		return os.path.join(self.cached("empty", lambda path: write_empty(os.path.join(path, "empty.tar"), self.sizes.empty)), "empty.tar")

	def empty_layout(self):
		return self.cached("empty_layout", lambda path: one_layer(path, self.empty(), self.empty(), "tar"))

	def empty_tree(self):
		return os.path.join(self.cached("empty_tree", lambda path: unpack(self.empty(), path)), "root")

	def stack(self):
		return self.cached("stack", lambda path: write_stack(path, self.sizes.layers, self.sizes.entries))


def pack(tar):
	command.run(["sh", "-c", "gzip -6 -n -c < \"$0\" > \"$0.gz\"", tar], timeout=3600)
	command.run([need("zstd"), "-3", "-q", "-T1", "-o", f"{tar}.zst", tar], timeout=3600)


def unpack(tar, path):
	root = os.path.join(path, "root")
	os.makedirs(root)
	command.run(["tar", "-C", root, "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf", tar], timeout=3600)


def remove(path):
	subprocess.run(["rm", "-rf", path], check=True)
