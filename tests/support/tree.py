# SPDX-License-Identifier: Apache-2.0
"""What a folder of the host's kernel shows, and how two such folders differ.

	left, right = tree.listing(folder), tree.listing(other)
	differences = tree.compare(left, right, "the image", "umoci")

A listing is {path as bytes, b"" for the root: Node}. Everything that a lookup can tell is in it:
type, mode, owner, times to the nanosecond, device numbers, link targets, all extended attributes,
contents (as SHA-256), and which names are one file.
"""

import dataclasses
import hashlib
import os
import stat

KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo",
	stat.S_IFCHR: "char", stat.S_IFBLK: "block", stat.S_IFSOCK: "socket"}


@dataclasses.dataclass
class Node:
	kind: str
	mode: int  # the twelve permission bits
	uid: int
	gid: int
	mtime: int  # ns
	links: int  # 0 for directories, where each filesystem counts in its own way
	device: tuple = ()  # major, minor
	target: bytes = b""
	size: int = 0
	sha256: str = ""
	xattrs: dict = dataclasses.field(default_factory=dict)
	names: tuple = ()  # all names of the same file, when there are several


def listing(root, skip=lambda path: False):
	"""Lists a folder and all below it. skip(path) leaves names out, with all below them."""
	nodes, groups = {}, {}
	pending = [b""]
	root = os.fsencode(root)
	while pending:
		path = pending.pop()
		full = os.path.join(root, path) if path else root
		status = os.lstat(full)
		nodes[path] = read_node(full, status)
		if stat.S_ISDIR(status.st_mode):
			children = [os.path.join(path, name) for name in os.listdir(full)]
			pending += [child for child in children if not skip(child)]
		else:
			groups.setdefault((status.st_dev, status.st_ino), []).append(path)
	for paths in groups.values():
		names = tuple(sorted(paths))
		for path in paths if len(paths) > 1 else ():
			nodes[path].names = names
	return nodes


def read_node(full, status):
	kind = KINDS[stat.S_IFMT(status.st_mode)]
	node = Node(kind, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, status.st_mtime_ns,
		0 if kind == "directory" else status.st_nlink)
	for name in os.listxattr(full, follow_symlinks=False):
		node.xattrs[name] = os.getxattr(full, name, follow_symlinks=False)
	if kind in ("char", "block"):
		node.device = (os.major(status.st_rdev), os.minor(status.st_rdev))
	if kind == "symlink":
		node.target = os.readlink(full)
	if kind == "file":
		node.size = status.st_size
		with open(full, "rb") as file:
			node.sha256 = hashlib.file_digest(file, "sha256").hexdigest()
	return node


def compare(left, right, left_name="left", right_name="right", known=lambda path, field, a, b: False):
	"""The differences as readable lines. known(path, field, left value, right value) tells of each
	whether the test has an explanation for it; a name that one side lacks is the field "exists"."""
	lines = []
	for path in sorted(left.keys() | right.keys()):
		if path not in left or path not in right:
			one, other = (right_name, left_name) if path not in left else (left_name, right_name)
			if not known(path, "exists", path in left, path in right):
				lines.append(f"{show(path)}: in {one} only, {other} has no such name")
			continue
		for field in dataclasses.fields(Node):
			a, b = getattr(left[path], field.name), getattr(right[path], field.name)
			if a != b and not known(path, field.name, a, b):
				lines.append(f"{show(path)}: {field.name} is {present(field.name, a)} in {left_name}, "
					f"{present(field.name, b)} in {right_name}")
	return lines


def show(path):
	return "/" + path.decode("utf-8", "backslashreplace")


def present(field, value):
	if field == "mode":
		return f"{value:04o}"
	if field == "mtime":
		return f"{value // 10**9}.{value % 10**9:09}"
	if field == "names":
		return "{" + ", ".join(map(show, value)) + "}" if value else "a name of its own"
	return repr(value)


def assert_same(test, left, right, left_name, right_name, known=lambda path, field, a, b: False):
	"""Fails with the first differences; also when there was nothing to compare."""
	test.assertGreater(len(left), 1, f"{left_name} is empty")
	lines = compare(left, right, left_name, right_name, known)
	if lines:
		more = f"\n... and {len(lines) - 40} more" if len(lines) > 40 else ""
		test.fail(f"{len(lines)} differences:\n" + "\n".join(lines[:40]) + more)
