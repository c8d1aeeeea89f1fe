# SPDX-License-Identifier: Apache-2.0
"""The guest that is measured: one QEMU with all disks and shares at once, so that all are measured in
the same minutes on the same kernel.

	vm = Machine(kernel, workload)
	vm.disk("image", path, "vmdk", read_only=True)       found by its serial number in the guest
	vm.share_9p("9p", folder)
	vm.share_virtiofs("virtiofs-none", folder, "none")
	for line in vm.boot(script): ...                     what the guest prints, while it runs
"""

import contextlib
import os
import subprocess
import tempfile
import threading
import time

from support import command, guest

VIRTIOFSD = ("/usr/lib/qemu/virtiofsd", "/usr/libexec/virtiofsd", "/usr/lib/virtiofsd")
MEMORY = "2048M"
# Copies in the guest's kernel are `rep movsb` where the processor says that those are fast (ERMS). Emulated
# they go byte by byte: without the flag the kernel copies words, three times as fast.
CPU = "max,erms=off,fsrm=off"
SILENCE = 600  # seconds after which a guest that prints nothing is given up
DONE, FAILED = "GUEST DONE", "GUEST FAILED"
LINE = "console=ttyS0 quiet loglevel=1 panic=-1 tsc=reliable no_timer_check random.trust_cpu=on"

# /script defines what is mounted and measured; `fail` ends it.
INIT = """#!/bin/busybox sh
export PATH=/bin LC_ALL=C
fail() { echo "GUEST FAILED: $*"; busybox poweroff -f; busybox sleep 60; }
busybox mkdir -p /proc /sys /dev
busybox mount -t proc proc /proc
busybox mount -t sysfs sys /sys
busybox mount -t devtmpfs dev /dev
for module in /modules/*.ko; do busybox insmod $module || fail "insmod $module"; done
busybox sh -e /script || fail "the script"
echo "GUEST DONE"
busybox poweroff -f
"""


def virtiofsd():
	return next((path for path in VIRTIOFSD if os.access(path, os.X_OK)), None)


def escaped(path):
	"""As QEMU wants a comma in a file name."""
	return str(path).replace(",", ",,")


class Machine:
	def __init__(self, kernel, workload, cores=2, resident=True):
		"""resident: all memory is there before the guest starts, so that no row pays for its first use on the host."""
		self.kernel, self.workload, self.cores, self.resident = kernel, workload, cores, resident
		self.arguments, self.daemons = [], []
		self.disks = 0

	def disk(self, name, path, form="raw", read_only=False):
		self.disks += 1
		value = f"file={escaped(path)},format={form},if=none,id={name}" + (",readonly=on" if read_only else "")
		self.arguments += ["-drive", value, "-device", f"virtio-blk-pci,drive={name},serial={name}"]

	def share_9p(self, name, folder):
		self.arguments += ["-fsdev", f"local,id=share-{name},path={escaped(folder)},security_model=none,multidevs=remap",
			"-device", f"virtio-9p-pci,fsdev=share-{name},mount_tag={name}"]

	def share_virtiofs(self, name, folder, cache):
		self.daemons.append((name, folder, cache))

	def boot(self, script, timeout):
		with tempfile.TemporaryDirectory(prefix="guest-") as work, contextlib.ExitStack() as stack:
			initramfs = os.path.join(work, "initramfs")
			self.write_initramfs(initramfs, script)
			shares = self.start_daemons(work, stack)
			with open(os.path.join(work, "errors"), "w+") as errors:
				line = [*self.basic(initramfs), *self.arguments, *shares]
				qemu = subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, errors="replace")
				stack.callback(end, qemu)
				yield from self.lines(qemu, errors, timeout)

	def lines(self, qemu, errors, timeout):
		"""What the guest prints; fails when it does not come to its end, or is silent for too long."""
		last, limit = [], time.monotonic() + timeout
		watchdog = started_timer(min(timeout, SILENCE), qemu)
		try:
			for text in qemu.stdout:
				watchdog.cancel()
				watchdog = started_timer(min(max(limit - time.monotonic(), 0), SILENCE), qemu)
				text = text.strip()
				last = [*last[-40:], text[:120]]
				if FAILED in text:
					break
				if text == DONE:
					return
				yield text
		finally:
			watchdog.cancel()
		errors.seek(0)
		why = "it took too long" if time.monotonic() >= limit else f"silent for {SILENCE} seconds, or ended"
		raise command.Failed(f"the guest did not come to its end ({why}):\n" + "\n".join(last) + "\n" + errors.read()[-2000:])

	def basic(self, initramfs):
		return ["qemu-system-x86_64", "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", CPU, "-smp", str(self.cores), "-m", MEMORY,
			"-object", f"memory-backend-memfd,id=memory,size={MEMORY},share=on,prealloc={'on' if self.resident else 'off'}", "-numa", "node,memdev=memory",
			"-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio", "-kernel", self.kernel.image, "-initrd", initramfs, "-append", LINE]

	def start_daemons(self, work, stack):
		arguments = []
		for name, folder, cache in self.daemons:
			socket = os.path.join(work, name)
			daemon = subprocess.Popen([virtiofsd(), f"--socket-path={socket}", "-o", f"source={folder}", "-o", f"cache={cache}"],
				stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
			stack.callback(end, daemon)
			wait_for(socket, daemon)
			arguments += ["-chardev", f"socket,id={name},path={socket}", "-device", f"vhost-user-fs-pci,chardev={name},tag={name}"]
		return arguments

	def write_initramfs(self, path, script):
		busybox = command.run(["sh", "-c", "command -v busybox"]).strip()
		files = [("bin", 0o40755, b""), ("modules", 0o40755, b""), ("bin/busybox", 0o100755, guest.read(busybox)),
			("bin/workload", 0o100755, guest.read(self.workload)), ("init", 0o100755, INIT.encode()), ("script", 0o100644, script.encode())]
		files += [(f"modules/{os.path.basename(module)}", 0o100644, guest.read(module)) for module in self.kernel.modules]
		with open(path, "wb") as file:
			for number, (name, mode, data) in enumerate(files, 1):
				file.write(guest.cpio_member(number, name, mode, data))
			file.write(guest.cpio_member(0, "TRAILER!!!", 0, b""))


def started_timer(seconds, process):
	timer = threading.Timer(seconds, process.kill)
	timer.daemon = True
	timer.start()
	return timer


def wait_for(path, process):
	limit = time.monotonic() + 60
	while not os.path.exists(path):
		if process.poll() is not None or time.monotonic() > limit:
			raise command.Failed("virtiofsd did not start")
		time.sleep(0.05)


def end(process):
	process.kill()
	process.wait()
