# SPDX-License-Identifier: Apache-2.0
"""The programs to compare with, and where they come from when they are missing.

	peers.find("umoci")        its path, or None; what was asked for and is missing is kept in peers.missing()
	peers.missing()            lines that say what is missing and how to get it
"""

import os
import re
import shutil
import subprocess

from support import suite

PACKAGES = {
	"mkfs.erofs": "erofs-utils", "fsck.erofs": "erofs-utils", "tar": "tar", "umoci": "umoci", "skopeo": "skopeo",
	"mke2fs": "e2fsprogs", "mkfs.ext4": "e2fsprogs", "docker-registry": "docker-registry", "mmdebstrap": "mmdebstrap",
	"pigz": "pigz", "curl": "curl", "zstd": "zstd", "gzip": "gzip", "valgrind": "valgrind", "qemu-system-x86_64": "qemu-system-x86",
	"busybox": "busybox-static", "gcc": "gcc",
}
MSB = "npm install --force @superradcompany/microsandbox-linux-x64-gnu   (then put its bin/ into PATH, or name it in MSB)"
wanted = {}


def find(name):
	path = os.environ.get(name.upper()) if name == "msb" else None
	path = path or shutil.which(name, path=os.environ["PATH"] + ":/usr/local/sbin:/usr/sbin:/sbin")
	wanted[name] = path
	return path


def missing():
	lines = [f"missing: {name}: {MSB if name == 'msb' else 'not in PATH'}" for name, path in wanted.items() if path is None]
	packages = sorted({PACKAGES[name] for name, path in wanted.items() if path is None and name in PACKAGES})
	return lines + ([f"apt-get install --no-install-recommends {' '.join(packages)}"] if packages else [])


def help_text(*arguments):
	done = subprocess.run(arguments, capture_output=True, text=True, stdin=subprocess.DEVNULL)
	return done.stdout + done.stderr


def erofs_version(path):
	"""(1, 5) of "mkfs.erofs 1.5"; newer ones say "mkfs.erofs (erofs-utils) 1.8"."""
	match = re.search(r"mkfs\.erofs\D*(\d+)\.(\d+)", help_text(path, "-V"))
	return (int(match[1]), int(match[2])) if match else (0, 0)


def ours_has(command, option):
	"""Whether this mkrootfs has a command with an option; a benchmark may be older or newer than it."""
	done = subprocess.run([suite.command_path(), command, "--help"], capture_output=True, text=True)
	return done.returncode == 0 and option in done.stdout
