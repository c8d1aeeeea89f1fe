# SPDX-License-Identifier: Apache-2.0
"""A guest: QEMU without acceleration, a Debian kernel, and an initramfs with a busybox and a script.

	text = guest.boot(kernel, disk="disk.vmdk", upper="upper.ext4", script="...", out="out.raw")

The initramfs mounts the disk at /lower, the upper at /rw and their overlay at /root, and runs the
script there as /script; /dev/vdc takes what it wants to hand back (see read_out). boot() returns what
the guest printed, and fails unless the script and all mounts and unmounts exited with 0.

	text = guest.boot(..., more=["other.raw"], programs=["resize2fs"])

More disks are /dev/vdd and on; programs of the host are in the guest's PATH, with their libraries.

	text = guest.kill(..., when="words that the script prints")

does not wait for the end: QEMU is killed when the guest has printed these words.

	text = guest.boot_root(kernel, "root.ext4", script)

gives a guest one disk and nothing else: its root is that ext4, and its first process is the image's own
/bin/busybox, which runs the script as a shell.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import threading

from support import command

TIMEOUT = 1500  # seconds for one boot; a busy machine emulates slowly
OUT_SIZE = 32 << 20
DONE = "GUEST DONE"

INIT = """#!/bin/busybox sh
export PATH=/bin:/usr/sbin LC_ALL=C
fail() { echo "GUEST FAILED: $*"; busybox poweroff -f; sleep 60; }
busybox mkdir -p /proc /sys /dev /lower /rw /root
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do busybox insmod $module || fail "insmod $module"; done
tries=0
while [ ! -b /dev/vdc ] && [ $tries -lt 600 ]; do tries=$((tries + 1)); busybox sleep 0.1; done
busybox mount -t erofs -o ro /dev/vda /lower || fail "mount the disk"
busybox mount -t ext4 /dev/vdb /rw || fail "mount the upper"
busybox mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work overlay /root || fail "mount the overlay"
busybox sh -e /script || fail "the script"
busybox sync
busybox umount /root || fail "umount the overlay"
busybox umount /rw || fail "umount the upper"
busybox umount /lower || fail "umount the disk"
echo "GUEST DONE"
busybox poweroff -f
"""


# What a distribution's initramfs does: modules, the root, and then never seen again.
ROOT_INIT = """#!/bin/busybox sh
fail() { echo "GUEST FAILED: $*"; busybox poweroff -f; sleep 60; }
busybox mkdir -p /dev /root
busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do busybox insmod $module || fail "insmod $module"; done
tries=0
while [ ! -b /dev/vda ] && [ $tries -lt 600 ]; do tries=$((tries + 1)); busybox sleep 0.1; done
busybox mount -t ext4 /dev/vda /root || fail "mount the root"
busybox umount /dev
exec busybox switch_root /root /bin/busybox sh -ec "$(busybox cat /script)"
"""
ROOT_START = """
trap 'echo "GUEST FAILED: the script"; sync' EXIT
/bin/busybox mkdir -p /proc /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t devtmpfs dev /dev
exec </dev/console >/dev/console 2>&1
"""
ROOT_END = """
trap - EXIT
/bin/busybox mount -o remount,ro /
echo "GUEST DONE"
echo o > /proc/sysrq-trigger
/bin/busybox sleep 60
"""


def boot_root(kernel, root, script):
	with tempfile.TemporaryDirectory(prefix="guest-") as work:
		initramfs = os.path.join(work, "initramfs")
		write_initramfs(initramfs, kernel, ROOT_START + script + ROOT_END, init=ROOT_INIT)
		return run(machine(kernel.image, initramfs) + drive("d0", root, "raw"))


def boot(kernel, disk, upper, script, out, more=(), programs=()):
	with tempfile.TemporaryDirectory(prefix="guest-") as work:
		return run(prepare(work, kernel, disk, upper, script, out, more, programs))


def run(words):
	done = command.attempt(words, timeout=TIMEOUT)
	if DONE not in done.stdout or "GUEST FAILED" in done.stdout or done.returncode != 0:
		raise command.Failed(f"the guest: exit code {done.returncode}\n{done.stdout[-8000:]}{done.stderr[-4000:]}")
	return done.stdout.replace("\r", "")


def kill(kernel, disk, upper, script, out, when):
	with tempfile.TemporaryDirectory(prefix="guest-") as work:
		words = prepare(work, kernel, disk, upper, script, out, (), ())
		with subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, errors="replace") as qemu:
			timer = threading.Timer(TIMEOUT, qemu.kill)
			timer.start()
			text = ""
			for line in qemu.stdout:
				text += line
				if when in line:
					break
			qemu.kill()
			timer.cancel()
	if when not in text:
		raise command.Failed(f"the guest ended early\n{text[-8000:]}")
	return text.replace("\r", "")


def prepare(work, kernel, disk, upper, script, out, more, programs):
	"""Makes what the guest needs; returns the words of QEMU's command line."""
	initramfs = os.path.join(work, "initramfs")
	write_initramfs(initramfs, kernel, script, programs)
	with open(out, "wb") as file:
		file.truncate(OUT_SIZE)
	words = arguments(kernel.image, initramfs, disk, upper, out)
	for number, path in enumerate(more, 3):
		words += drive(f"d{number}", path, "raw")
	return words


def machine(kernel, initramfs):
	return ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1024",
		"-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio", "-kernel", kernel, "-initrd", initramfs,
		"-append", "console=ttyS0 quiet panic=-1 tsc=reliable no_timer_check random.trust_cpu=on"]


def arguments(kernel, initramfs, disk, upper, out):
	return [*machine(kernel, initramfs), *drive("d0", disk, "vmdk", "readonly=on"), *drive("d1", upper, "raw"), *drive("d2", out, "raw")]


def drive(name, path, form, *options):
	"""A comma in a file name is written twice, as QEMU wants it."""
	value = ",".join([f"file={str(path).replace(',', ',,')}", f"format={form}", "if=none", f"id={name}", *options])
	return ["-drive", value, "-device", f"virtio-blk-pci,drive={name}"]


def read_out(out):
	"""What the script wrote to /dev/vdc, up to the first zero byte."""
	with open(out, "rb") as file:
		return file.read().split(b"\0", 1)[0]


def program_files(programs):
	"""Host programs and the libraries they load, as members: folders, then files."""
	paths = set()
	for name in programs:
		path = command.run(["sh", "-c", "command -v \"$1\"", "sh", name]).strip()
		paths |= {path, *re.findall(r"(/\S+) \(0x", command.run(["ldd", path]))}
	folders = {str(parent) for path in paths for parent in pathlib.Path(path).parents} - {"/", "/bin"}
	members = [(folder.lstrip("/"), 0o40755, b"") for folder in sorted(folders)]
	return members + [(path.lstrip("/"), 0o100755, read(path)) for path in sorted(paths)]


def write_initramfs(path, kernel, script, programs=(), init=INIT):
	busybox = command.run(["sh", "-c", "command -v busybox"]).strip()
	files = [("bin", 0o40755, b""), ("modules", 0o40755, b""), ("bin/busybox", 0o100755, read(busybox)),
		("init", 0o100755, init.encode()), ("script", 0o100644, script.encode())]
	files += [(f"modules/{os.path.basename(module)}", 0o100644, read(module)) for module in kernel.modules]
	files += program_files(programs)
	with open(path, "wb") as file:
		for number, (name, mode, data) in enumerate(files, 1):
			file.write(cpio_member(number, name, mode, data))
		file.write(cpio_member(0, "TRAILER!!!", 0, b""))


def cpio_member(number, name, mode, data):
	"""One member of a "newc" archive: thirteen fields of eight hexadecimal digits after the magic."""
	fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
	header = b"070701" + b"".join(b"%08x" % field for field in fields) + name.encode() + b"\0"
	return pad(header) + pad(data)


def pad(data):
	return data + b"\0" * (-len(data) % 4)


def read(path):
	with open(path, "rb") as file:
		return file.read()
