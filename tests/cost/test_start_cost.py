#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What commands cost that have almost nothing to do: at most so many instructions in all, the dynamic linker's
among them. A library more that is mapped at start, or a buffer that is cleared for nothing, shows here.

usage: test_start_cost.py COMMAND
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import many, oci_layout  # noqa: E402

LAYERS = 8
# Without it, large copies are one "rep movsb", of which valgrind counts each byte as an instruction.
TUNABLES = "glibc.cpu.x86_rep_movsb_threshold=1073741824:glibc.cpu.x86_rep_stosb_threshold=1073741824"

# Arguments, with the folder of the test in the place of {}, and most thousands of instructions: a quarter more than
# they were when this was written.
CASES = [
	("version", 240),
	("upper -q -f {}/upper.ext4", 400),
	("inspect --store {}/store it", 2600),
	("ls --store {}/store it:/", 2300),
	("ls -l {}/disk.vmdk:/", 430),
	("verify --store {}/store", 2900),
]


def make_store(command, folder):
	image = oci_layout.Image(os.path.join(folder, "image"))
	for number in range(LAYERS):
		image.add_layer(many.entry(f"dir d{number}") + many.empty_files(f"d{number}/f", 10) + many.END)
	image.commit("it")
	store = os.path.join(folder, "store")
	subprocess.run([command, "pull", "-q", "--store", store, "--name", "it", f"oci:{image.folder}:it"], check=True, stdout=subprocess.DEVNULL)
	(images,) = os.listdir(os.path.join(store, "images"))
	for name in os.listdir(os.path.join(store, "images", images)):
		os.link(os.path.join(store, "images", images, name), os.path.join(folder, name))


def instructions(command, arguments):
	done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", command, *arguments],
		capture_output=True, text=True, env={**os.environ, "GLIBC_TUNABLES": TUNABLES})
	if done.returncode != 0:
		sys.exit(done.stderr)
	return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
	if not shutil.which("valgrind"):
		print("*** SKIPPED: valgrind is not installed ***")
		return 1 if os.environ.get("MKROOTFS_TEST_STRICT") else 77
	failed = 0
	with tempfile.TemporaryDirectory() as folder:
		make_store(sys.argv[1], folder)
		for arguments, most in CASES:
			cost = instructions(sys.argv[1], arguments.format(folder).split()) / 1000
			failed += cost > most
			print(f"{'ok' if cost <= most else 'FAIL':4}  {arguments.format('...')}: {cost:.0f} thousand instructions, at most {most}", flush=True)
	print(f"{len(CASES) - failed} passed, {failed} failed, 0 skipped")
	return 1 if failed else 0


if __name__ == "__main__":
	sys.exit(main())
