# SPDX-License-Identifier: Apache-2.0
"""Two ways to unpack an image into a folder, neither of them ours: the expected trees.

	root = unpack.umoci(self, layout, "latest")
	root = unpack.gnu_tar(self, layout, "latest")

gnu_tar() follows the OCI image-spec's words on layers directly: for each layer, lowest first, the
whiteouts of its tar are applied to the tree, then GNU tar extracts the rest over it. Python's tarfile
lists the names. What tar itself does not do is done here: what is in the way of an entry is removed
first; parents without entries are made 0755 root:root of time 0, or keep what they had; the owner,
mode and time in a hard link's own header become the file's, as containerd does, where tar and umoci
keep those of the link's target.
"""

import decimal
import os
import posixpath
import shutil
import subprocess
import tarfile

from support import command, images, suite

MARK = b".wh."
OPAQUE = b".wh..wh..opq"


def umoci(test, layout, tag):
	folder = suite.temporary(test, "umoci")
	command.run(["umoci", "unpack", "--image", f"{layout}:{tag}", f"{folder}/bundle"])
	return f"{folder}/bundle/rootfs"


def gnu_tar(test, layout, tag):
	root = suite.temporary(test, "tar")
	work = suite.temporary(test, "layer")
	os.chmod(root, 0o755)
	os.utime(root, ns=(0, 0))
	for layer in images.manifest(layout, tag)["layers"]:
		plain = os.path.join(work, "layer.tar")
		decompress(images.blob(layout, layer["digest"]), plain)
		apply_layer(os.fsencode(root), plain)
	return root


def decompress(blob, plain):
	with open(blob, "rb") as stream:
		magic = stream.read(4)
	tool = {b"\x1f\x8b": "gzip", b"\x28\xb5": "zstd"}.get(magic[:2])
	if tool is None:
		shutil.copyfile(blob, plain)
		return
	with open(blob, "rb") as stream, open(plain, "wb") as out:
		subprocess.run([tool, "-dc"], stdin=stream, stdout=out, check=True)


def read_entries(plain):
	"""[(name as bytes, is a directory)] in tar order, names normalised, the root as b""."""
	with tarfile.open(plain, encoding="utf-8", errors="surrogateescape") as tar:
		return [(normal(member.name), member.isdir()) for member in tar]


def normal(name):
	return posixpath.normpath(b"/" + os.fsencode(name)).lstrip(b"/")


def apply_layer(root, plain):
	entries = read_entries(plain)
	marks = [name for name, _ in entries if posixpath.basename(name).startswith(MARK)]
	others = [(name, is_dir) for name, is_dir in entries if not posixpath.basename(name).startswith(MARK)]
	times = implied_times(root, [name for name, _ in entries])
	for mark in marks:
		apply_mark(root, mark)
	for name, is_dir in others:
		make_parents(root, posixpath.dirname(name), times)
		clear_the_way(root, name, is_dir, times)
	command.run(["tar", "-C", root, "-x", "-p", "--xattrs", "--xattrs-include=*", "--numeric-owner",
		"--same-owner", "--delay-directory-restore", "--exclude=.wh.*", "-f", plain])
	apply_links(root, plain)
	listed = {name for name, is_dir in others if is_dir}
	for folder, time in times.items():
		if folder not in listed:
			os.utime(os.path.join(root, folder), ns=(time, time))


def apply_mark(root, mark):
	"""Removes what a whiteout hides. The layer's own entries are not there yet."""
	parent, name = posixpath.split(mark)
	folder = os.path.join(root, parent)
	if not is_folder(root, parent):
		return
	if name == OPAQUE:
		for child in os.listdir(folder):
			remove(os.path.join(folder, child))
	elif not name.startswith(MARK + MARK):
		remove(os.path.join(folder, name[len(MARK):]))


def apply_links(root, plain):
	for name, member in linked_names(plain):
		path = os.path.join(root, name)
		os.chown(path, member.uid, member.gid, follow_symlinks=False)
		if not os.path.islink(path):
			os.chmod(path, member.mode & 0o7777)
		time = decimal.Decimal(member.pax_headers.get("mtime", member.mtime))
		os.utime(path, ns=(0, int(time * 10**9)), follow_symlinks=False)


def linked_names(plain):
	"""[(name, tar member)] of the hard links of a layer."""
	with tarfile.open(plain, encoding="utf-8", errors="surrogateescape") as tar:
		return [(normal(member.name), member) for member in tar
			if member.islnk() and not posixpath.basename(normal(member.name)).startswith(MARK)]


def is_folder(root, path):
	"""Whether a path is a directory with no symlink on the way to it."""
	full = root
	for part in path.split(b"/") if path else []:
		full = os.path.join(full, part)
		if os.path.islink(full) or not os.path.isdir(full):
			return False
	return True


def remove(path):
	if os.path.isdir(path) and not os.path.islink(path):
		shutil.rmtree(path)
	elif os.path.lexists(path):
		os.unlink(path)


def make_parents(root, path, times):
	if is_folder(root, path):
		return
	make_parents(root, posixpath.dirname(path), times)
	full = os.path.join(root, path)
	remove(full)
	os.mkdir(full)
	os.chmod(full, 0o755)
	times[path] = 0


def clear_the_way(root, name, is_dir, times):
	"""A directory entry keeps a directory with its children; anything else replaces what was there.
	Later entries of a name that comes twice replace the earlier one in tar itself."""
	if not (is_dir and is_folder(root, name)):
		remove(os.path.join(root, name))
		times.pop(name, None)


def implied_times(root, names):
	"""The times of the folders into which the layer writes: those that it does not list keep them."""
	found = {}
	for name in names:
		while name:
			name = posixpath.dirname(name)
			if name not in found and is_folder(root, name):
				found[name] = os.lstat(os.path.join(root, name)).st_mtime_ns
	return found
