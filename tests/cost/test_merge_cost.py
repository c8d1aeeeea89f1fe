#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The merge takes time linear in its entries: eight times the entries, at most ten times the work.

usage: test_merge_cost.py MERGE-COST-PROGRAM
"""

import os
import re
import shutil
import subprocess
import sys

KINDS = ("files", "whiteouts", "links", "folders")
FEW, MANY = 2_000, 16_000
MOST = 10  # times the work: sorting adds a logarithm


def instructions(program, kind, count):
    """What callgrind counts for one run."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, kind, str(count)],
        capture_output=True, text=True, check=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def main():
    if not shutil.which("valgrind"):
        print("*** SKIPPED: valgrind is not installed ***")
        return 1 if os.environ.get("MKROOTFS_TEST_STRICT") else 77
    failed = 0
    for kind in KINDS:
        few, many = (instructions(sys.argv[1], kind, count) for count in (FEW, MANY))
        growth = many / few
        failed += growth > MOST
        print(f"{'ok' if growth <= MOST else 'FAIL':4}  {kind}: {MANY // FEW} times the entries, "
              f"{growth:.2f} times the instructions, {many / MANY:.0f} an entry")
    print(f"{len(KINDS) - failed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
