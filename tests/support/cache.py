# SPDX-License-Identifier: Apache-2.0
"""What is slow to make and is kept between runs: in MKROOTFS_TEST_CACHE, or below
XDG_CACHE_HOME or ~/.cache in mkrootfs-tests.

	folder = cache.folder("small", key, make)     make(path) fills the path, which must not exist

A folder appears complete or not at all; two test scripts that want the same one wait for each other.
"""

import fcntl
import os
import shutil


def root():
	if os.environ.get("MKROOTFS_TEST_CACHE"):
		return os.environ["MKROOTFS_TEST_CACHE"]
	home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
	return os.path.join(home, "mkrootfs-tests")


def folder(name, key, make):
	"""The folder of this name and key; made when missing, which removes those of other keys."""
	os.makedirs(root(), exist_ok=True)
	wanted = os.path.join(root(), f"{name}-{key}")
	with open(os.path.join(root(), f"{name}.lock"), "w") as lock:
		fcntl.flock(lock, fcntl.LOCK_EX)
		if not os.path.isdir(wanted):
			remove_others(name)
			unfinished = os.path.join(root(), f"{name}-unfinished")
			make(unfinished)
			os.rename(unfinished, wanted)
	return wanted


def remove_others(name):
	for entry in os.listdir(root()):
		if entry.startswith(f"{name}-"):
			shutil.rmtree(os.path.join(root(), entry))
