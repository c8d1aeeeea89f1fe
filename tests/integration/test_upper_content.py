#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Content of an upper: what a guest sees of it, when it mounts it over an image."""

import fcntl
import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import termios
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from support import command, mounts, suite  # noqa: E402

NEEDS = ["kernel:overlay", "kernel:ext4", "kernel:erofs", "e2fsck", "qemu-img"]

# The image: name, mode, owner, link or content.
LOWER = [
	("./", 0o751, 3, None), ("etc/", 0o700, 5, None), ("etc/motd", 0o600, 6, b"hello\n"), ("etc/app/", 0o2750, 7, None),
	("bin", 0o777, 0, "usr/bin"), ("usr/", 0o755, 0, None), ("usr/bin/", 0o711, 8, None), ("usr/bin/tool", 0o755, 0, b"tool"),
	("var/", 0o755, 0, None), ("var/run", 0o777, 0, "/run"), ("up", 0o777, 0, "../../usr"), ("loop", 0o777, 0, "loop"),
	("old/", 0o755, 0, None), ("old/a", 0o644, 0, b"a"), ("old/b/", 0o755, 0, None), ("old/b/c", 0o644, 0, b"c"), ("file", 0o644, 0, b"file")]


def add(archive, name, mode, owner, what, mtime=1000000000):
	member = tarfile.TarInfo(name.rstrip("/"))
	member.mode, member.uid, member.gid, member.mtime = mode, owner, owner, mtime
	member.type = tarfile.DIRTYPE if what is None else tarfile.SYMTYPE if isinstance(what, str) else tarfile.REGTYPE
	member.linkname = what if isinstance(what, str) else ""
	member.size = len(what) if isinstance(what, bytes) else 0
	if name == "etc/app/":
		member.pax_headers = {"SCHILY.xattr.user.note": "kept"}
	archive.addfile(member, io.BytesIO(what) if isinstance(what, bytes) else None)


def write_tar(path, entries, mode="w"):
	with tarfile.open(path, mode, format=tarfile.PAX_FORMAT) as archive:
		for entry in entries:
			add(archive, *entry)


def waits_for_more(process):
	"""Until it has taken all that it was sent: FIONREAD tells what is left in the pipe."""
	limit = time.monotonic() + 60
	while time.monotonic() < limit:
		left = fcntl.ioctl(process.stdin, termios.FIONREAD, b"\0" * 4)
		if left == b"\0" * 4:
			return
		time.sleep(0.01)


def read_terminal(leader):
	said = b""
	with open(leader, "rb", buffering=0) as terminal:
		try:
			while piece := terminal.read(65536):
				said += piece
		except OSError:  # the other end is closed
			pass
	return said


class Content(unittest.TestCase):
	@classmethod
	def setUpClass(cls):
		folder = suite.temporary(cls, "lower")
		write_tar(f"{folder}/rootfs.tar", LOWER)
		cls.store = command.Store(suite.temporary(cls, "store"))
		cls.image = cls.store.pull(f"tar:{folder}/rootfs.tar")
		cls.lower = mounts.erofs(cls, mounts.raw_disk(cls, cls.image["disk"]))

	def make(self, *options, image=True):
		path = os.path.join(suite.temporary(self, "upper"), "upper.ext4")
		over = ["--image", self.image["disk"]] if image else []
		command.run([suite.command_path(), "upper", "--size", "64M", *over, *options, path], env={**os.environ, "SOURCE_DATE_EPOCH": "1234567890"})
		command.run(["e2fsck", "-fn", path])
		return path

	def guest(self, *options, image=True):
		"""The overlay that a guest mounts; it is clean after that."""
		path = self.make(*options, image=image)
		self.addCleanup(command.run, ["e2fsck", "-fn", path])
		self.rw = mounts.mount(self, ["-o", "loop", path])
		return mounts.overlay(self, [self.lower], f"{self.rw}/upper", f"{self.rw}/work")

	def refused(self, *options, image=True):
		over = ["--image", self.image["disk"]] if image else []
		folder = suite.temporary(self, "refused")
		done = command.mkrootfs("upper", "--size", "64M", *over, *options, f"{folder}/upper.ext4")
		self.assertNotEqual(done.returncode, 0, options)
		self.assertEqual(os.listdir(folder), [])
		return done.stderr

	def attributes(self, path):
		at = os.lstat(path)
		return stat.S_IMODE(at.st_mode), at.st_uid, at.st_gid, int(at.st_mtime)

	def read(self, path):
		with open(path, "rb") as file:
			return file.read()

	def test_texts_and_folders(self):
		root = self.guest("--write", "/etc/app/new=text = more", "--mkdir", "/srv/a/b", "--symlink", "/srv/link=a/b",
			"--chown", "1:2", "--chmod", "0640", "--write", "/srv/a/mine=", "--mkdir", "/srv/c")
		self.assertEqual(self.read(f"{root}/etc/app/new"), b"text = more")
		self.assertEqual(self.attributes(f"{root}/etc/app/new"), (0o644, 0, 0, 1234567890))
		self.assertEqual(self.attributes(f"{root}/srv/a/b"), (0o755, 0, 0, 1234567890))
		self.assertEqual(os.readlink(f"{root}/srv/link"), "a/b")
		self.assertEqual(self.attributes(f"{root}/srv/a/mine"), (0o640, 1, 2, 1234567890))
		self.assertEqual(self.attributes(f"{root}/srv/c"), (0o640, 1, 2, 1234567890))
		self.assertEqual(self.read(f"{root}/etc/motd"), b"hello\n")

	def test_parents_keep_what_the_image_has(self):
		root = self.guest("--write", "/etc/app/new=x", "--write", "/bin/new=y")
		for name in ("", "etc", "etc/app", "usr", "usr/bin"):
			self.assertEqual(self.attributes(f"{root}/{name}"), self.attributes(f"{self.lower}/{name}"), name)
		self.assertEqual(os.getxattr(f"{root}/etc/app", "user.note"), b"kept")

	def test_without_an_image_parents_are_roots(self):
		root = self.guest("--write", "/etc/app/new=x", image=False)
		self.assertEqual(self.attributes(f"{root}/etc/app"), (0o755, 0, 0, 1234567890))
		self.assertEqual(self.read(f"{root}/etc/motd"), b"hello\n")

	def test_what_was_removed_stays_so(self):
		root = self.guest("--remove", "/old", "--remove", "/old/a", "--remove", "/old/b/c", image=False)
		self.assertFalse(os.path.lexists(f"{root}/old"))
		root = self.guest("--remove", "/old", "--mkdir", "/old/b", "--remove", "/old/b/c", "--remove", "/etc/motd", image=False)
		self.assertEqual(os.listdir(f"{root}/old"), ["b"])
		self.assertEqual(os.listdir(f"{self.rw}/upper/old/b"), [])
		self.assertEqual(os.listdir(f"{root}/etc"), ["app"])

	def test_links_of_the_image_are_followed(self):
		root = self.guest("--write", "/bin/new=1", "--write", "/var/run/new=2", "--write", "/up/bin/other=3", "--remove", "/bin/tool")
		self.assertEqual(os.readlink(f"{root}/bin"), "usr/bin")
		self.assertEqual(self.read(f"{root}/usr/bin/new"), b"1")
		self.assertEqual(os.readlink(f"{root}/var/run"), "/run")
		self.assertEqual(self.read(f"{root}/run/new"), b"2")
		self.assertEqual(sorted(os.listdir(f"{root}/usr/bin")), ["new", "other"])

	def test_what_is_removed_is_gone(self):
		root = self.guest("--remove", "/etc/motd", "--remove", "/old", "--mkdir", "/old/b", "--remove", "/file", "--write", "/file/in=x",
			"--write", "/gone=x", "--remove", "/gone")
		self.assertEqual(os.listdir(f"{root}/etc"), ["app"])
		self.assertEqual(os.listdir(f"{root}/old"), ["b"])
		self.assertEqual(os.listdir(f"{root}/old/b"), [])
		self.assertEqual(self.read(f"{root}/file/in"), b"x")
		self.assertFalse(os.path.lexists(f"{root}/gone"))
		self.assertNotIn("gone", os.listdir(f"{self.rw}/upper"))

	def test_order_counts(self):
		root = self.guest("--write", "/x=1", "--write", "/x=22", "--write", "/y=1", "--remove", "/y", "--symlink", "/y=x", "--write", "/etc/motd=new")
		self.assertEqual(self.read(f"{root}/x"), b"22")
		self.assertEqual(os.readlink(f"{root}/y"), "x")
		self.assertEqual(self.attributes(f"{root}/etc/motd"), (0o600, 6, 6, 1234567890))

	def test_host_files(self):
		host = self.host_folder()
		root = self.guest("--copy-in", f"{host}/app:/srv", "--copy-in", f"{host}/app:/srv2/", "--copy-in", f"{host}/app/.:/etc/app",
			"--copy-in", f"{host}/app/one:/bin/", "--copy-in", f"{host}/app/one:/named", "--chown", "9", "--copy-in", f"{host}/app:/own")
		for folder in ("srv", "srv2/app", "etc/app", "own"):
			got = f"{root}/{folder}"
			self.assertEqual(self.read(f"{got}/one"), b"one" * 5000, folder)
			self.assertEqual(os.stat(f"{got}/one").st_ino, os.stat(f"{got}/sub/two").st_ino)
			self.assertEqual(os.readlink(f"{got}/link"), "one")
			self.assertEqual(self.attributes(f"{got}/sub"), (0o710, *((9, 9) if folder == "own" else (0, 0)), 1500000000))
			self.assertEqual(os.getxattr(f"{got}/one", "user.note"), b"x" * 100)
			self.assertEqual(self.read(f"{got}/holes"), self.read(f"{host}/app/holes"))
			self.assertLess(os.stat(f"{got}/holes").st_blocks, 300, "holes are holes")
		self.assertEqual(self.read(f"{root}/usr/bin/one"), b"one" * 5000)
		self.assertEqual(self.read(f"{root}/named"), b"one" * 5000)
		self.assertEqual(self.attributes(f"{root}/etc/app"), self.attributes(f"{self.lower}/etc/app"))

	def host_folder(self):
		host = suite.temporary(self, "host")
		os.makedirs(f"{host}/app/sub")
		with open(f"{host}/app/one", "wb") as file:
			file.write(b"one" * 5000)
		os.setxattr(f"{host}/app/one", "user.note", b"x" * 100)
		os.link(f"{host}/app/one", f"{host}/app/sub/two")
		os.symlink("one", f"{host}/app/link")
		with open(f"{host}/app/holes", "wb") as file:
			file.write(b"start")
			file.seek(8 << 20)
			file.write(b"middle")
			file.truncate(20 << 20)
		open(f"{host}/app/empty", "w").close()
		os.chmod(f"{host}/app/sub", 0o710)
		os.utime(f"{host}/app/sub", (1500000000, 1500000000))
		return host

	def test_archives(self):
		folder = suite.temporary(self, "tar")
		entries = [("./", 0o700, 9, None), ("bin/", 0o755, 0, None), ("bin/extra", 0o755, 4, b"e" * 10000), ("etc/app/", 0o701, 4, None),
			("old/.wh.a", 0o644, 0, b""), ("etc/.wh.motd", 0o644, 0, b""), ("etc/motd", 0o644, 4, b"mine"), ("usr/bin/tool/", 0o755, 0, None)]
		write_tar(f"{folder}/x.tar", entries)
		command.run(["sh", "-c", "gzip < x.tar > x.tgz; zstd -q x.tar"], cwd=folder)
		for name in ("x.tar", "x.tgz", "x.tar.zst"):
			with self.subTest(name=name):
				root = self.guest("--from", f"{folder}/{name}")
				self.assertEqual(self.read(f"{root}/usr/bin/extra"), b"e" * 10000)
				self.assertEqual(os.readlink(f"{root}/bin"), "usr/bin")
				self.assertEqual(self.attributes(f"{root}/"), self.attributes(f"{self.lower}/"))
				self.assertEqual(self.attributes(f"{root}/etc/app"), (0o701, 4, 4, 1000000000))
				self.assertEqual(os.listdir(f"{root}/old"), ["b"])
				self.assertEqual(self.read(f"{root}/etc/motd"), b"mine")
				self.assertEqual(os.listdir(f"{root}/usr/bin/tool"), [])

	def test_an_archive_from_a_pipe(self):
		folder = suite.temporary(self, "tar")
		write_tar(f"{folder}/x.tar", [("a", 0o644, 0, b"1")])
		with open(f"{folder}/x.tar", "rb") as archive:
			subprocess.run([suite.command_path(), "upper", "-q", "--size", "8M", "--from", "-", f"{folder}/u"], stdin=archive, check=True)
		command.run(["e2fsck", "-fn", f"{folder}/u"])

	def test_the_same_input_gives_the_same_bytes(self):
		host = self.host_folder()
		copy = os.path.join(suite.temporary(self, "host"), "host")
		command.run(["cp", "-a", host, copy])
		options = ["--write", "/a=b", "--mkdir", "/etc/x"]
		one = self.make(*options, "--copy-in", f"{host}/app:/srv", "--uuid", "01234567-89ab-4def-8123-456789abcdef")
		two = self.make(*options, "--copy-in", f"{copy}/app:/srv", "--uuid", "01234567-89ab-4def-8123-456789abcdef")
		command.run(["cmp", one, two])
		command.run(["cmp", self.make(*options), self.make(*options)])

	def test_nobody_elses_program_becomes_roots(self):
		"""As chown does. An owner or a mode that was asked for is the caller's business."""
		host = suite.temporary(self, "host")
		for name, owner, mode in (("user", 1000, 0o6755), ("root", 0, 0o6755)):
			path = os.path.join(host, name)
			open(path, "w").close()
			os.chown(path, owner, owner)
			os.chmod(path, mode)
		image = self.make("--copy-in", f"{host}/user:/plain", "--copy-in", f"{host}/root:/own", "--chown", "1000:1000", "--copy-in",
			f"{host}/user:/kept", "--chmod", "4711", "--copy-in", f"{host}/root:/asked")
		folder = os.path.join(mounts.mount(self, ["-o", "loop,ro", image]), "upper")
		modes = {name: os.stat(os.path.join(folder, name)).st_mode & 0o7777 for name in ("plain", "own", "kept", "asked")}
		self.assertEqual(modes, {"plain": 0o755, "own": 0o6755, "kept": 0o6755, "asked": 0o4711})

	def test_refusals(self):
		host = self.host_folder()
		open(f"{host}/empty", "w").close()
		for options, text in (
				(["--write", "/../x=1"], "above"), (["--write", "/loop/x=1"], "more than 40 symbolic links"), (["--write", "/file/x=1"], "no directory"),
				(["--write", "/etc=1"], "is a directory"), (["--mkdir", "/file"], "no directory"), (["--remove", "/nothing"], "no such file"),
				(["--remove", "/"], "root cannot be removed"), (["--copy-in", f"{host}/none:/x"], "none"), (["--from", f"{host}/app/one"], "tar"), (["--from", f"{host}/empty"], "empty"),
				(["--symlink", "/etc=x"], "is a directory"), (["--write", "x=1"], "is not /PATH=TEXT"), (["--copy-in", "/x"], "is not HOST:/PATH"),
				(["--chmod", "9"], "octal"), (["--chown", "root"], "UID:GID")):
			with self.subTest(options=options):
				self.assertIn(text, self.refused(*options))

	def test_times_that_ext4_cannot_hold_are_named(self):
		folder = suite.temporary(self, "tar")
		write_tar(f"{folder}/x.tar", [("late", 0o644, 0, b"1", 1 << 35), ("now", 0o644, 0, b"1")])
		done = command.mkrootfs("upper", "--size", "8M", "--from", f"{folder}/x.tar", f"{folder}/u")
		self.assertEqual(done.returncode, 0, done.stderr)
		self.assertRegex(done.stderr, "warning: .*2446.* of 1 files, such as '/upper/late'")

	def test_a_signal_ends_it_and_nothing_is_left(self):
		for options in (["--from", "-"], ["--mkdir", "/x", "--from", "-"]):
			folder = suite.temporary(self, "interrupted")
			process = subprocess.Popen([suite.command_path(), "upper", "-q", *options, f"{folder}/u"], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
				preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
			process.stdin.write(b"\0" * 100)
			process.stdin.flush()
			waits_for_more(process)
			process.send_signal(signal.SIGINT)
			_, errors = process.communicate(timeout=60)
			self.assertEqual(process.returncode, 130, errors)
			self.assertEqual(os.listdir(folder), [])

	def test_progress_on_a_terminal(self):
		host = suite.temporary(self, "host")
		with open(f"{host}/large", "wb") as file:
			file.write(os.urandom(40 << 20))
		for options, shown in (((), b"of 40.0 MiB"), (("--quiet",), b"")):
			leader, follower = os.openpty()
			subprocess.run([suite.command_path(), "upper", *options, "--copy-in", f"{host}/large:/large", f"{host}/{len(options)}"],
				stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=follower, check=True, env={**os.environ, "TERM": "xterm"})
			os.close(follower)
			said = read_terminal(leader)
			self.assertIn(shown, said)
			self.assertEqual(bool(said), bool(shown))

	def test_what_does_not_fit_says_how_much_does(self):
		host = suite.temporary(self, "host")
		with open(f"{host}/large", "wb") as file:
			file.write(os.urandom(70 << 20))
		self.assertIn("the least size is 76 MiB", self.refused("--copy-in", f"{host}/large:/large"))


if __name__ == "__main__":
	suite.main(NEEDS)
