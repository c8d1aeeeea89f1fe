# SPDX-License-Identifier: Apache-2.0
"""Kernels for guests, out of Debian's packages.

	kernel = kernels.get("6.1")
	kernel.image         a bzImage
	kernel.modules       paths of what a guest with our disks needs, in the order to load them

	kernel = kernels.get("6.12-shares", pattern, wanted)      another package, other modules

Nothing is installed: the package is unpacked once into the cache.
"""

import glob
import lzma
import os
import platform
import re
import shutil
import tempfile
import unittest

from support import cache, command

# What to look for, by the version that a test asks for; the newest match is taken.
PACKAGES = {
	"6.1": r"^linux-image-6\.1\.[0-9.]*-[0-9]+-cloud-amd64$",
	"6.12": r"^linux-image-6\.12\.[0-9.]*\+deb12-cloud-amd64$",
}
WANTED = ["virtio_pci", "virtio_blk", "crc32c_generic", "erofs", "ext4", "overlay"]
FORMAT = "1"  # of the cached folder


class Kernel:
	def __init__(self, folder):
		self.folder = folder
		self.image = os.path.join(folder, "vmlinuz")
		self.modules = sorted(glob.glob(os.path.join(folder, "modules", "*.ko")))


def get(version, pattern=None, wanted=WANTED):
	"""The kernel; skips the test on a machine that has none to offer."""
	pattern = pattern or PACKAGES[version]
	if platform.machine() != "x86_64":
		raise unittest.SkipTest("the guests are x86_64, and so the images must be")
	return Kernel(cache.folder(f"kernel-{version}", FORMAT, lambda path: fetch(pattern, wanted, path)))


def fetch(pattern, wanted, path):
	package = newest(pattern)
	with tempfile.TemporaryDirectory(prefix="kernel-") as work:
		command.run(["apt-get", "download", "-q", package], cwd=work)
		deb, = glob.glob(os.path.join(work, "*.deb"))
		command.run(["dpkg", "-x", deb, os.path.join(work, "tree")])
		os.makedirs(os.path.join(path, "modules"))
		image, = glob.glob(os.path.join(work, "tree", "boot", "vmlinuz-*"))
		shutil.copy(image, os.path.join(path, "vmlinuz"))
		folder, = glob.glob(os.path.join(work, "tree", "lib", "modules", "*"))
		copy_modules(folder, wanted, os.path.join(path, "modules"))
	print(f"      unpacked {package}", flush=True)


def newest(pattern):
	names = search(pattern)
	if not names:
		command.run(["apt-get", "update", "-qq"])
		names = search(pattern)
	if not names:
		raise unittest.SkipTest(f"apt knows no kernel like {pattern}")
	return max(names, key=lambda name: [int(number) for number in re.findall(r"\d+", name)])


def search(pattern):
	return [line.split(" ")[0] for line in command.run(["apt-cache", "search", "--names-only", pattern]).split("\n") if line]


def copy_modules(folder, wanted, out):
	"""Copies the wanted modules and what they depend on, numbered in the order to load them."""
	files = {}
	for path in glob.glob(os.path.join(folder, "kernel", "**", "*.ko*"), recursive=True):
		files[os.path.basename(path).split(".ko")[0].replace("-", "_")] = path
	with open(os.path.join(folder, "modules.builtin")) as file:
		builtin = {os.path.basename(line.strip()).removesuffix(".ko").replace("-", "_") for line in file}
	order = []

	def visit(name):
		if name in builtin or name in order:
			return
		data = module_bytes(files[name])
		for dependency in module_dependencies(data):
			visit(dependency)
		order.append(name)
		with open(os.path.join(out, f"{len(order):02}-{name}.ko"), "wb") as file:
			file.write(data)

	for name in wanted:
		visit(name)


def module_bytes(path):
	with (lzma.open(path) if path.endswith(".xz") else open(path, "rb")) as file:
		return file.read()


def module_dependencies(data):
	match = re.search(rb"\0depends=([^\0]*)\0", data)
	return [name.replace("-", "_") for name in match[1].decode().split(",") if name] if match else []
