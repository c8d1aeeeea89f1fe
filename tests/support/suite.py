# SPDX-License-Identifier: Apache-2.0
"""The frame of an integration test script.

	import unittest
	from support import suite

	class Some(unittest.TestCase): ...

	if __name__ == "__main__":
		suite.main(needs=["qemu-img", "umoci"])

main() runs the script's test cases in mount and PID namespaces of their own and in a temporary
folder: whatever a test mounts or starts is gone when the script ends, however it ends. It prints a
line per test and "N passed, N failed, N skipped" at the end.

Exit codes: 0, 1 when a test failed, 77 when a tool is missing (1 when MKROOTFS_TEST_STRICT is set:
where everything was installed, nothing may be skipped).
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SKIPPED = 77
INNER = "MKROOTFS_TEST_INNER"


class Result(unittest.TestResult):
	"""One line per test, and the traceback of those that failed."""

	def __init__(self):
		super().__init__()
		self.passed = 0
		self.started = 0.0

	def startTest(self, test):
		super().startTest(test)
		self.started = time.monotonic()

	def line(self, word, test, text=""):
		seconds = f" ({time.monotonic() - self.started:.1f} s)" if self.started else ""
		print(f"{word:4}  {test.id().removeprefix('__main__.')}{seconds}", flush=True)
		if text:
			print(text, flush=True)

	def addSuccess(self, test):
		self.passed += 1
		self.line("ok", test)

	def addFailure(self, test, err):
		super().addFailure(test, err)
		self.line("FAIL", test, self.failures[-1][1])

	def addError(self, test, err):
		super().addError(test, err)
		self.line("FAIL", test, self.errors[-1][1])

	def addSkip(self, test, reason):
		super().addSkip(test, reason)
		self.line("SKIP", test, f"      {reason}")

	def addSubTest(self, test, subtest, err):
		super().addSubTest(test, subtest, err)
		if err is not None:
			failures = self.failures if issubclass(err[0], test.failureException) else self.errors
			self.line("FAIL", subtest, failures[-1][1])


def strict():
	return os.environ.get("MKROOTFS_TEST_STRICT", "") not in ("", "0")


def missing(needs):
	"""The first thing that these tests cannot run without, or None. A need is a program, or
	"kernel:NAME" for a filesystem of the host's kernel."""
	if sys.platform != "linux":
		return "Linux"
	if os.geteuid() != 0:
		return "root"
	if not os.access(command_path(), os.X_OK):
		return f"the command {command_path()} (set MKROOTFS_COMMAND)"
	for need in ["unshare", "mount", "losetup", *needs]:
		kind, _, name = need.rpartition(":")
		if kind == "kernel" and not kernel_mounts(name):
			return f"a kernel that mounts {name}"
		if not kind and shutil.which(name) is None:
			return f"the program {name}"
	if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True).returncode != 0:
		return "the right to make namespaces"
	return None


def kernel_mounts(name):
	def known():
		with open("/proc/filesystems") as file:
			return name in file.read().split()
	if not known() and shutil.which("modprobe"):
		subprocess.run(["modprobe", name], capture_output=True)
	return known()


def command_path():
	"""The mkrootfs to test: MKROOTFS_COMMAND, or the newest one below build/."""
	if "MKROOTFS_COMMAND" in os.environ:
		return os.environ["MKROOTFS_COMMAND"]
	build = os.path.join(os.path.dirname(__file__), "..", "..", "build")
	found = [os.path.join(build, name, "cli", "mkrootfs") for name in os.listdir(build)] if os.path.isdir(build) else []
	found = [path for path in found if os.path.exists(path)]
	return os.path.abspath(max(found, key=os.path.getmtime)) if found else "build/release/cli/mkrootfs"


def main(needs=()):
	os.environ["PATH"] += ":/usr/local/sbin:/usr/sbin:/sbin"
	# Mirrors that this machine may have are not asked.
	os.environ["CONTAINERS_REGISTRIES_CONF"] = "/dev/null"
	what = missing(needs)
	if what is not None:
		print(f"\n*** {os.path.basename(sys.argv[0])} CANNOT RUN: it needs {what} ***\n", flush=True)
		sys.exit(1 if strict() else SKIPPED)
	if os.environ.get(INNER):
		sys.exit(run_tests())
	sys.exit(run_apart())


def run_apart():
	"""Runs this script again in namespaces and a temporary folder of its own; removes the folder."""
	folder = tempfile.mkdtemp(prefix="mkrootfs-test-")
	environment = {**os.environ, INNER: "1", "TMPDIR": folder, "MKROOTFS_COMMAND": command_path(), "LC_ALL": "C.UTF-8"}
	command = ["unshare", "--mount", "--propagation", "private", "--pid", "--mount-proc", "--fork",
		"--kill-child", sys.executable, *sys.argv]
	for number in (signal.SIGTERM, signal.SIGHUP):
		signal.signal(number, lambda *_: sys.exit(1))
	child = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
	try:
		return child.wait()
	finally:
		child.kill()
		child.wait()
		shutil.rmtree(folder, ignore_errors=True)


def run_tests():
	script = unittest.defaultTestLoader
	if len(sys.argv) > 1:
		tests = script.loadTestsFromNames(sys.argv[1:], sys.modules["__main__"])
	else:
		tests = script.loadTestsFromModule(sys.modules["__main__"])
	result = Result()
	tests.run(result)
	failed = len(result.failures) + len(result.errors)
	print(f"{result.passed} passed, {failed} failed, {len(result.skipped)} skipped", flush=True)
	if failed or (result.skipped and strict()):
		return 1
	if result.passed == 0:
		return SKIPPED if result.skipped else 1
	return 0


def cleanup(test, function, *arguments, **options):
	"""Calls the function when the test case (or, for a class, its last test) is over."""
	register = test.addClassCleanup if isinstance(test, type) else test.addCleanup
	register(function, *arguments, **options)


class Scope(contextlib.ExitStack):
	"""Something shorter than a test case to clean up after: with suite.Scope() as scope: ..."""

	def addCleanup(self, function, *arguments, **options):
		self.callback(function, *arguments, **options)


def temporary(test, name="tmp"):
	"""A new folder that goes when the test case, class or Scope is over."""
	folder = tempfile.mkdtemp(prefix=f"{name}-")
	cleanup(test, shutil.rmtree, folder, ignore_errors=True)
	return folder
