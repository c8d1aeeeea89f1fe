# SPDX-License-Identifier: Apache-2.0
"""What a command takes.

	result = measure.run(["mkrootfs", "pull", ...], times=1)
	result.cpu, result.wall                     seconds of one run
	result.memory, result.read, result.written  bytes of one run
	result.output                               what it printed

Programs of this folder are looked for in the build that the measured mkrootfs is of.
"""

import os
import subprocess
import tempfile

from support import command, suite

TIMEOUT = 3600  # seconds
KEPT = ("wall", "user", "system", "cpu", "memory", "read", "written", "disk_read", "disk_written")


class Result:
	def __init__(self, numbers, times, output):
		self.wall, self.user, self.system = (numbers[name] / times for name in ("wall", "user", "system"))
		self.cpu = self.user + self.system
		self.memory = numbers["memory"]
		self.read, self.written = numbers["rchar"] / times, numbers["wchar"] / times
		self.disk_read, self.disk_written = numbers["read_bytes"] / times, numbers["write_bytes"] / times
		self.output = output

	def numbers(self):
		return {name: getattr(self, name) for name in KEPT}


def program(name):
	"""The path of a program of this folder, or None when this build has none."""
	path = os.path.join(os.path.dirname(suite.command_path()), "..", "tests", "bench", name)
	return os.path.normpath(path) if os.access(path, os.X_OK) else None


def run(arguments, times=1, cwd=None, env=None):
	"""Runs a command that must exit with 0, so often."""
	with tempfile.NamedTemporaryFile(prefix="launch-") as report:
		line = [program("launch"), report.name, str(times), *arguments]
		done = command.attempt(line, timeout=TIMEOUT, cwd=cwd, env={**os.environ, **(env or {})})
		if done.returncode != 0:
			text = (done.stdout + done.stderr)[-2000:]
			raise command.Failed(f"{' '.join(map(str, arguments))}: exit code {done.returncode}\n{text}")
		numbers = dict(line.split() for line in report.read().decode().splitlines())
	return Result({name: float(value) for name, value in numbers.items()}, times, done.stdout)


def settle():
	"""What earlier runs left to write is written now, on nobody's account."""
	subprocess.run(["sync"], check=True)
