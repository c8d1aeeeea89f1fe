#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmark in a guest still runs: one boot with a small image, without shares. Judges no time."""

import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))
from support import suite  # noqa: E402

NEEDS = ["qemu-system-x86_64", "busybox", "cc", "apt-get", "dpkg", "umoci", "skopeo", "buildah"]
BOTH, ONCE = ("cold", "warm"), ("once",)
ROWS = {"scan": BOTH, "read": BOTH, "traverse": BOTH, "random": BOTH, "concurrent": BOTH, "negative": BOTH,
	**{f"{name}-{where}": ONCE for name in ("create", "rename", "delete", "write") for where in ("root", "tmp")}}


class Smoke(unittest.TestCase):
	def test_a_guest_measures_each_row_on_each_disk(self):
		folder = suite.temporary(self, "smoke")
		numbers, plot = os.path.join(folder, "numbers.json"), os.path.join(folder, "plot.svg")
		line = [sys.executable, "-B", os.path.join(HERE, "run"), "--smoke", "--timeout", "1500", "--json", numbers, "--svg", plot]
		done = subprocess.run(line, capture_output=True, text=True)
		self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])
		with open(numbers, encoding="utf-8") as file:
			found = json.load(file)
		self.assertEqual(found["notes"], [])
		self.assertLessEqual({"disk-tmpfs", "disk-ext4"}, set(found["places"]))
		self.assertEqual(set(found["rows"]), {f"{row} {state}" for row, states in ROWS.items() for state in states})
		for row, times in found["rows"].items():
			self.assertEqual(set(times), set(found["places"]), row)
			self.assertTrue(all(time > 0 for values in times.values() for time in values), row)
		self.assertEqual(xml.etree.ElementTree.parse(plot).getroot().tag, "{http://www.w3.org/2000/svg}svg")


if __name__ == "__main__":
	suite.main(NEEDS)
