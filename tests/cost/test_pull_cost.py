#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A whole pull takes time linear in an image's entries: eight times the entries, at most ten times the
work, in instructions.

usage: test_pull_cost.py COMMAND
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import many, oci_layout  # noqa: E402

FEW, MANY = 2_000, 16_000
MOST = 10  # times the work: sorting adds a logarithm


def one_folder(count):
	return [[many.entry("dir d"), many.empty_files("d/f", count)]]


def in_no_order(count):
	starts = list(range(0, count, 10))
	random.Random(1).shuffle(starts)
	return [[many.empty_files("d/f", 10, start) for start in starts]]


def folders(count):
	return [[many.empty_files(f"d{number}/f", 10) for number in range(count // 10)]]


def nested(count):
	return [[many.empty_files("/".join(f"d{digit}" for digit in str(number)) + "/f", 10) for number in range(count // 10)]]


def hard_links(count):
	return [[many.entry("file a data=x\n" + "".join(f"hardlink l{number} -> a\n" for number in range(count)))]]


def links_before_their_target(count):
	return [[many.entry("".join(f"hardlink l{number} -> l{number + 1}\n" for number in range(count)) + f"file l{count}\n")]]


def attributes(count):
	return [[many.entry("format pax\n" + "".join(f"file f{number} xattr.user.k={number} xattr.user.same=v\n" for number in range(count // 4)))]]


def whiteouts(count):
	return [one_folder(count)[0], [many.empty_files("d/.wh.f", count)]]


def links_to_a_lower_layer(count):
	return [[many.entry("file a data=x")], [many.entry("".join(f"hardlink l{number} -> a\n" for number in range(count)))]]


KINDS = (one_folder, in_no_order, folders, nested, hard_links, links_before_their_target, attributes, whiteouts, links_to_a_lower_layer)


def instructions(command, layers):
	"""What callgrind counts for the pull of these layers."""
	with tempfile.TemporaryDirectory() as folder:
		image = oci_layout.Image(os.path.join(folder, "image"))
		for pieces in layers:
			tar = b"".join(pieces) + many.END
			image.add_layer(tar, blob=tar)
		image.commit("it")
		done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, "pull", "-q",
			"--store", os.path.join(folder, "store"), f"oci:{image.folder}:it"], capture_output=True, text=True)
		if done.returncode != 0:
			sys.exit(done.stderr)
		return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
	if not shutil.which("valgrind"):
		print("*** SKIPPED: valgrind is not installed ***")
		return 1 if os.environ.get("MKROOTFS_TEST_STRICT") else 77
	command, failed = sys.argv[1], 0
	nothing = instructions(command, [])
	for kind in KINDS:
		few, most = (instructions(command, kind(count)) - nothing for count in (FEW, MANY))
		growth = most / few
		failed += growth > MOST
		print(f"{'ok' if growth <= MOST else 'FAIL':4}  {kind.__name__}: {MANY // FEW} times the entries, "
			f"{growth:.2f} times the instructions, {most / MANY:.0f} an entry", flush=True)
	print(f"{len(KINDS) - failed} passed, {failed} failed, 0 skipped")
	return 1 if failed else 0


if __name__ == "__main__":
	sys.exit(main())
