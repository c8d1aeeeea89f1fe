# SPDX-License-Identifier: Apache-2.0
"""What the commands ls, stat and cat say of an image, as tree.py lists a mounted one.

	nodes = our_tree.listing("./disk.vmdk")          compare with tree.listing(folder)
	data = our_tree.read("./disk.vmdk", [b"etc/passwd"])
"""

import base64
import hashlib
import json
import os
import subprocess

from support import command, suite, tree

BATCH = 200  # files of one cat


def run(*arguments):
	"""The bytes that our command prints; it must succeed and complain of nothing."""
	done = subprocess.run([suite.command_path(), *arguments], capture_output=True, timeout=command.TIMEOUT)
	if done.returncode != 0 or done.stderr:
		raise command.Failed(f"{arguments[:3]}: exit code {done.returncode}\n{os.fsdecode(done.stderr)}")
	return done.stdout


def place(image, path):
	return os.fsencode(image) + b":/" + path


def objects(image, path=b""):
	"""{path: object} of all below, as ls tells them, and of the path itself, as stat does."""
	found = json.loads(run("ls", "-R", "--json", place(image, path)))
	found.append(json.loads(run("stat", "--json", place(image, path))))
	return {bytes_of(one, "path").strip(b"/"): one for one in found}


def bytes_of(one, key):
	"""A text of the object, or its bytes where they are no text."""
	packed = one.get(f"{key}_base64")
	return one[key].encode() if packed is None else base64.b64decode(packed)


def listing(image, **options):
	nodes, groups = {}, {}
	found = objects(image, **options)
	for path, one in found.items():
		nodes[path] = node_of(one)
		if one["type"] != "directory":
			groups.setdefault(one["inode"], []).append(path)
	for paths in groups.values():
		for path in paths if len(paths) > 1 else ():
			nodes[path].names = tuple(sorted(paths))
	files = [path for path, one in found.items() if one["type"] == "file"]
	for path, data in read(image, files, {path: nodes[path].size for path in files}):
		nodes[path].sha256 = hashlib.sha256(data).hexdigest()
	return nodes


def node_of(one):
	node = tree.Node(one["type"], int(one["mode"], 8), one["uid"], one["gid"], one["mtime"] * 10**9 + one["mtime_nsec"],
		0 if one["type"] == "directory" else one["links"])
	if one["type"] in ("char", "block"):
		node.device = (one["major"], one["minor"])
	if one["type"] == "symlink":
		node.target = bytes_of(one, "target")
	if one["type"] == "file":
		node.size = one["size"]
	for xattr in one["xattrs"]:
		value = xattr["text"].encode() if "text" in xattr else base64.b64decode(xattr["base64"])
		node.xattrs[os.fsdecode(bytes_of(xattr, "name"))] = value
	return node


def read(image, paths, sizes):
	"""Yields path and data of each, as cat prints them one behind the other."""
	for start in range(0, len(paths), BATCH):
		batch = paths[start:start + BATCH]
		data = run("cat", *(place(image, path) for path in batch))
		assert len(data) == sum(sizes[path] for path in batch), f"cat prints {len(data)} bytes of {batch[0]}..."
		end = 0
		for path in batch:
			begin, end = end, end + sizes[path]
			yield path, data[begin:end]
