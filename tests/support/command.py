# SPDX-License-Identifier: Apache-2.0
"""Running programs, ours and others'.

	command.run(["qemu-img", "info", path])                  fails the test unless it exits with 0
	image = command.Store(folder).pull("127.0.0.1:5000/x")   what --json printed
"""

import json
import os
import subprocess
import sys

from support import suite

TIMEOUT = 900  # seconds; the machine may be busy and the build sanitized


class Failed(AssertionError):
	"""A program that had to succeed did not."""


def run(arguments, timeout=TIMEOUT, **options):
	"""Runs a program that must exit with 0; returns its standard output as text."""
	done = attempt(arguments, timeout=timeout, **options)
	if done.returncode != 0:
		raise Failed(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
	return done.stdout


def attempt(arguments, timeout=TIMEOUT, **options):
	"""Runs a program that may fail; returns the CompletedProcess with text output."""
	options.setdefault("stdin", subprocess.DEVNULL)
	return subprocess.run([os.fspath(a) for a in arguments], capture_output=True, text=True,
		errors="surrogateescape", timeout=timeout, **options)


# A process begins with the memory of the one that forked it, which for a test may be much.
MEASURE = """import resource, subprocess, sys
done = subprocess.run(sys.argv[1:])
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime, file=sys.stderr)
sys.exit(done.returncode)"""


def measured(arguments, **options):
	"""run(), and what it took: (standard output, most bytes of memory, seconds of the processor)."""
	done = attempt([sys.executable, "-I", "-c", MEASURE, *arguments], **options)
	if done.returncode != 0:
		raise Failed(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{done.stderr}")
	memory, seconds = done.stderr.splitlines()[-1].split()
	return done.stdout, int(memory), float(seconds)


def mkrootfs(*arguments, **options):
	"""Runs our command; it may fail."""
	return attempt([suite.command_path(), *arguments], **options)


class Store:
	"""Our command with one store."""

	def __init__(self, folder):
		self.folder = folder

	def attempt_pull(self, reference, *options, **more):
		return mkrootfs("pull", "--store", self.folder, *options, reference, **more)

	def pull(self, reference, *options, **more):
		"""Pulls; returns the object that --json prints."""
		done = self.attempt_pull(reference, "--json", *options, **more)
		if done.returncode != 0:
			raise Failed(f"pull {reference}: exit code {done.returncode}\n{done.stderr}")
		return json.loads(done.stdout)

	def ask(self, name, *arguments):
		"""What a command that must succeed prints, as JSON."""
		return json.loads(run([suite.command_path(), name, "--store", self.folder, "--json", *arguments]))

	def temporary_files(self):
		folder = os.path.join(self.folder, "tmp")
		return sorted(os.listdir(folder)) if os.path.isdir(folder) else []

	def files(self):
		"""{relative path: (inode, size, mtime in ns)} of all files of the store."""
		found = {}
		for folder, _, names in os.walk(self.folder):
			for name in names:
				path = os.path.join(folder, name)
				stat = os.lstat(path)
				found[os.path.relpath(path, self.folder)] = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
		return found
