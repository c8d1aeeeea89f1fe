#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a pull costs beside the codecs and the hashing of libcrypto, which are not ours: at most so many
instructions for each byte of a layer and for each of its entries.

So is what it costs to merge layers that the store has: to read them back, and to write what comes of it.

All are slopes, between a small image and a larger one, so what each process costs does not count.

usage: test_budget.py COMMAND
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import many, oci_layout, tar_recipe  # noqa: E402

A_BYTE = 1.5  # instructions
AN_ENTRY = 3_200  # the goal is 3,000
A_STORED_ENTRY = 3_150
FEW_ENTRIES, MANY_ENTRIES = 1000, 9000
FEW_BYTES, MANY_BYTES = 1 << 20, 9 << 20
LEFT_OUT = re.compile(r"/lib(crypto|z|zstd|isal)\.so")
# Without it, large copies are one "rep movsb", of which valgrind counts each byte as an instruction.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824"
WORDS = [f"word{number * number}" for number in range(2000)]
TEXT = " ".join(random.Random(1).choices(WORDS, k=150_000)).encode()[:1 << 20]


def entries(count):
	return b"".join([many.entry("dir d"), many.empty_files("d/f", count), many.END])


def content(size):
	"""Files of 1 MiB, no two the same."""
	parts = []
	for number in range(size >> 20):
		head = tar_recipe.build(f"end 0\nfile f{number} field.sizes={1 << 20}\n")
		parts += [head, b"%08d" % number + TEXT[8:]]
	return b"".join(parts) + many.END


def packed(tar):
	return oci_layout.gzipped(tar, 6)


def add_plain(image, tar):
	with tempfile.NamedTemporaryFile(dir=image.folder, delete=False) as file:
		file.write(tar)
	image.add_layer_file(file.name)


def add_gzip(image, tar):
	image.add_layer(tar, blob=packed(tar))


def self_costs(path):
	"""{object: instructions} of a file of callgrind's. A line after "calls=" is what the called function
	took, which is counted there; names are given once and then by their number."""
	costs, names, current, called = {}, {}, None, False
	with open(path, encoding="utf-8", errors="replace") as file:
		for line in file:
			if line.startswith("ob="):
				number, _, name = line[3:].strip().partition(" ")
				current = names.setdefault(number, name)
			elif line.startswith("cob="):
				number, _, name = line[4:].strip().partition(" ")
				names.setdefault(number, name)
			elif line.startswith("calls="):
				called = True
			elif line[0] in "0123456789+-*":
				if not called:
					costs[current] = costs.get(current, 0) + int(line.split()[1])
				called = False
	return costs


def add_stored(image, tar):
	"""Two layers with the same names."""
	add_plain(image, tar)
	add_plain(image, tar + many.END)


def own_instructions(command, add, tar):
	with tempfile.TemporaryDirectory() as folder:
		image, store = oci_layout.Image(os.path.join(folder, "image")), os.path.join(folder, "store")
		add(image, tar)
		image.commit("it")
		out = os.path.join(folder, "callgrind")
		line = [command, "pull", "-q", "--store", store, f"oci:{image.folder}:it"]
		if add is add_stored:
			subprocess.run(line, check=True, capture_output=True)
			shutil.rmtree(os.path.join(store, "images"))
		done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *line],
			capture_output=True, text=True, env={**os.environ, "GLIBC_TUNABLES": TUNABLES})
		if done.returncode != 0:
			sys.exit(done.stderr)
		costs = self_costs(out)
		counted = int(re.search(r"Collected : (\d+)", done.stderr)[1])
		assert sum(costs.values()) == counted, f"{sum(costs.values())} of {counted} instructions were understood"
		return sum(cost for name, cost in costs.items() if not LEFT_OUT.search(name))


CASES = [
	("an entry, plain", add_plain, entries, FEW_ENTRIES, MANY_ENTRIES, AN_ENTRY),
	("an entry of two stored layers", add_stored, entries, FEW_ENTRIES, MANY_ENTRIES, A_STORED_ENTRY),
	("a byte, plain", add_plain, content, FEW_BYTES, MANY_BYTES, A_BYTE),
	("a byte, gzip", add_gzip, content, FEW_BYTES, MANY_BYTES, A_BYTE),
]


def main():
	if not shutil.which("valgrind"):
		print("*** SKIPPED: valgrind is not installed ***")
		return 1 if os.environ.get("MKROOTFS_TEST_STRICT") else 77
	failed = 0
	for name, add, make, few, more, most in CASES:
		cost = (own_instructions(sys.argv[1], add, make(more)) - own_instructions(sys.argv[1], add, make(few))) / (more - few)
		failed += cost > most
		print(f"{'ok' if cost <= most else 'FAIL':4}  {name}: {cost:.2f} instructions, at most {most}", flush=True)
	print(f"{len(CASES) - failed} passed, {failed} failed, 0 skipped")
	return 1 if failed else 0


if __name__ == "__main__":
	sys.exit(main())
