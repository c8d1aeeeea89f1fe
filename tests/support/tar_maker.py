# SPDX-License-Identifier: Apache-2.0
"""An archive made by a program, and beside it what must become of it.

	maker = tar_maker.Maker()
	maker.dir("d", uid=5)
	maker.file("d/f", b"content", mtime="-1.5", xattrs={"user.k": b"v"})
	maker.link("d/g", "d/f")
	maker.tar()             the archive's bytes
	maker.listing()         {path: Node}, as tree.listing gives it

Paths are text or bytes. The root is listed in each archive, so that nothing is implied.
"""

import decimal
import hashlib
import os

from support import tar_recipe, tree


class Maker:
	def __init__(self, **root):
		self.archive = tar_recipe.Archive()
		self.nodes = {}
		self.names = {}  # path -> all names of its file, where there are several
		self.add("directory", b"", b"5", root)

	def add(self, kind, path, flag, attributes, options=None, **fields):
		"""attributes: mode, uid, gid, mtime (seconds, also as text with a fraction), xattrs"""
		path = os.fsencode(path)
		node = tree.Node(kind, attributes.get("mode", 0o755 if kind == "directory" else 0o644), attributes.get("uid", 0), attributes.get("gid", 0),
			nanoseconds(attributes.get("mtime", 0)), int(kind != "directory"), xattrs=attributes.get("xattrs", {}), **fields)
		name = path + b"/" if kind == "directory" else path
		self.archive.entry(flag, name or b"./", {**(options or {}), **words(node, attributes.get("mtime", 0))})
		self.nodes[path] = node

	def dir(self, path, **attributes):
		self.add("directory", path, b"5", attributes)

	def file(self, path, data=b"", **attributes):
		self.add("file", path, b"0", attributes, {b"data": data} if data else None, size=len(data), sha256=hashlib.sha256(data).hexdigest())

	def symlink(self, path, target, **attributes):
		target = os.fsencode(target)
		self.add("symlink", path, b"2", {"mode": 0o777, **attributes}, {b"link": target}, target=target)

	def fifo(self, path, **attributes):
		self.add("fifo", path, b"6", attributes)

	def device(self, kind, path, major, minor, **attributes):
		"""kind is char or block"""
		options = {b"major": b"%d" % major, b"minor": b"%d" % minor}
		self.add(kind, path, b"3" if kind == "char" else b"4", attributes, options, device=(major, minor))

	def link(self, path, target):
		"""Its header says the same as that of the file, whose first name target is."""
		path, target = os.fsencode(path), os.fsencode(target)
		node = self.nodes[target]
		self.archive.entry(b"1", path, {b"link": target, **words(node, format(decimal.Decimal(node.mtime) / 10**9, "f")), b"records": []})
		self.nodes[path] = node
		self.names.setdefault(target, [target]).append(path)

	def tar(self):
		return b"".join(self.archive.chunks())

	def listing(self):
		for target, names in self.names.items():
			self.nodes[target].names, self.nodes[target].links = tuple(sorted(names)), len(names)
		return self.nodes


def nanoseconds(seconds):
	return int(decimal.Decimal(seconds) * 10**9) if isinstance(seconds, str) else seconds * 10**9


def words(node, mtime):
	"""A node's attributes as options of a recipe's entry."""
	options = {b"mode": b"%o" % node.mode, b"uid": b"%d" % node.uid, b"gid": b"%d" % node.gid, b"mtime": str(mtime).encode()}
	if node.xattrs:
		options[b"records"] = [(b"SCHILY.xattr." + os.fsencode(name), value) for name, value in node.xattrs.items()]
	return options
