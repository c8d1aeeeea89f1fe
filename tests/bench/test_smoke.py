#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The benchmarks still run: each case once with inputs of almost nothing. Judges no time."""

import json
import os
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import suite  # noqa: E402

from bench import cases, stats  # noqa: E402

RUN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run")
NEEDS = ["docker-registry", "skopeo", "umoci", "mkfs.erofs", "mke2fs", "taskset", "zstd", "gzip", "tar"]


class Smoke(unittest.TestCase):
	def test_every_case_runs(self):
		folder = suite.temporary(self, "smoke")
		numbers, plot = os.path.join(folder, "numbers.json"), os.path.join(folder, "plot.svg")
		environment = {**os.environ, "MKROOTFS_TEST_CACHE": os.path.join(folder, "cache")}
		done = subprocess.run([sys.executable, "-B", RUN, "--smoke", "--json", numbers, "--svg", plot], env=environment, capture_output=True, text=True)
		self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
		with open(numbers, encoding="utf-8") as file:
			found = json.load(file)
		self.assertEqual(set(found["cases"]), set(cases.CASES))
		for name, case in found["cases"].items():
			self.assertIsNotNone(case, name)
			self.assertTrue(case["contenders"] or case["notes"], name)
			for contender, results in case["contenders"].items():
				self.assertGreater(results[0]["wall"], 0, contender)
				self.assertGreater(results[0]["memory"], 0, contender)
				self.assertIn(f"| {contender} ", done.stdout)
		self.assertEqual(set(found["growth"]), {"bytes", "layers", "files"})
		self.assertEqual(xml.etree.ElementTree.parse(plot).getroot().tag, "{http://www.w3.org/2000/svg}svg")

	def test_an_unknown_case_is_refused(self):
		done = subprocess.run([sys.executable, "-B", RUN, "nonsense"], capture_output=True, text=True)
		self.assertEqual(done.returncode, 2)
		self.assertIn("no case 'nonsense'", done.stderr)


class Numbers(unittest.TestCase):
	def test_spread(self):
		self.assertEqual((stats.Spread([3, 1, 2]).median, stats.Spread([3, 1, 2]).low, stats.Spread([3, 1, 2]).high), (2, 1, 3))
		self.assertEqual((stats.Spread(range(9)).low, stats.Spread(range(9)).high), (2, 6))

	def test_line(self):
		slope, start, residual = stats.line([1, 2, 3], [5, 7, 9])
		self.assertAlmostEqual(slope, 2)
		self.assertAlmostEqual(start, 3)
		self.assertAlmostEqual(residual, 0)
		self.assertGreater(stats.line([1, 2, 3], [1, 4, 9])[2], 0.03)

	def test_geometric_mean(self):
		self.assertAlmostEqual(stats.geometric_mean([1, 100]), 10)
		self.assertAlmostEqual(stats.geometric_spread([5, 5]), 1)


if __name__ == "__main__":
	suite.main(NEEDS)
