# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/semantics.md once more, in small: what a layer says, and what a stack shows.

	layer = layer_model.Layer(prefix)  absolute targets of symbolic links begin with prefix
	layer.put("d/f", node)             an entry, in the archive's order; a Node of tree.py
	layer.link("d/g", "d/f", node)     a hard link, and what its own header says
	layer.delete("d/old"), layer.clear("d")      a whiteout, an opaque mark
	layer.finish()                     what its image must show
	layer_model.stack(layers)          what the disk must show, {path: Node}

Refused is raised where the command must refuse the layer, or its stack.
"""

import copy
import hashlib
import os
import posixpath

from support import layers, tree

MOST_LINKS = 40  # symbolic links followed in one path
ATTRIBUTES = ("uid", "gid", "mtime")
WHITEOUT = (0, 0)  # the device


class Refused(Exception):
	"""stage is "layer" or "merge"."""

	def __init__(self, stage):
		super().__init__(stage)
		self.stage = stage


class Escapes(Exception):
	"""A path that leaves the folder the model is about: it has no opinion."""


class Waiting(tree.Node):
	"""What stands for a hard link whose target its layer does not have, or not yet: target."""


def folder():
	return tree.Node("directory", 0o755, 0, 0, 0, 0)


def waiting(target, header):
	return Waiting("file", header.mode, header.uid, header.gid, header.mtime, 1, target=target, sha256=hashlib.sha256().hexdigest())


def set_attributes(node, header):
	"""Mode, owner and time; symbolic links have no mode of their own."""
	for field in ATTRIBUTES if node.kind == "symlink" else ("mode", *ATTRIBUTES):
		setattr(node, field, getattr(header, field))


def is_whiteout(node):
	return node.kind == "char" and node.device == WHITEOUT


class Walk:
	"""A path on its way through nodes, {path: Node}, with links followed inside the folder. step() is
	the next name below at, or None when none is left."""

	def __init__(self, nodes, prefix, path):
		self.nodes, self.prefix = nodes, prefix
		self.at, self.rest, self.links = "", path.split("/"), 0

	def step(self):
		while self.rest:
			name = self.rest.pop(0)
			if name == ".." and not self.at:
				raise Escapes
			if name == "..":
				self.at = posixpath.dirname(self.at)
			elif name not in ("", "."):
				return posixpath.join(self.at, name)
		return None

	def follow(self, link, stage):
		self.links += 1
		if self.links > MOST_LINKS:
			raise Refused(stage)
		target = os.fsdecode(link.target)
		if target.startswith("/"):
			if not (target + "/").startswith(self.prefix):
				raise Escapes
			self.at, target = "", target[len(self.prefix):]
		self.rest = target.split("/") + self.rest


def find(nodes, prefix, path, stage, follow_last=False):
	"""Where a path leads, or None."""
	walk = Walk(nodes, prefix, path)
	while (there := walk.step()) is not None:
		node = nodes.get(there)
		if node is None:
			return None
		if node.kind == "symlink" and (walk.rest or follow_last):
			walk.follow(node, stage)
			continue
		if walk.rest and node.kind != "directory":
			return None
		walk.at = there
	return walk.at


class Layer:
	def __init__(self, prefix="/"):
		self.prefix = prefix
		self.nodes = {"": folder()}
		self.implied = {""}
		self.fresh = set()  # folders that hide what lower layers have under their name
		self.deleted, self.cleared = set(), set()
		self.waits = []  # names that came as links, to what was not there

	# ---- Entries ----

	def put(self, path, node):
		if not path:
			self.set_root(node)
			return
		path = self.resolve(path)
		if node.kind == "directory":
			self.imply(path)
			self.implied.discard(path)
		else:
			self.remove(path)
		self.nodes[path] = node

	def set_root(self, node):
		if node.kind != "directory":
			raise Refused("layer")
		self.nodes[""] = node
		self.implied.discard("")

	def link(self, path, target, header=None):
		where = self.find(target)
		if where is not None and isinstance(self.nodes[where], Waiting):
			self.settle(where)
		node = self.shared(target)
		if node is None:
			node = waiting(target, header)
		elif header is not None:
			set_attributes(node, header)
		path = self.resolve(path)
		self.remove(path)
		self.nodes[path] = node
		if isinstance(node, Waiting):
			self.waits.append(path)

	def delete(self, path):
		self.deleted.add(path)

	def clear(self, path):
		self.cleared.add(path)

	# ---- Places ----

	def find(self, path):
		return find(self.nodes, self.prefix, path, "layer")

	def shared(self, target):
		"""The file that a link to target shares, or None when the layer has none."""
		where = self.find(target)
		if where is None or where in self.implied:
			return None
		if self.is_folder(where):
			raise Refused("layer")
		return self.nodes[where]

	def settle(self, path):
		"""Gives a waiting name the file that it waits for, when it has come."""
		node, steps = self.nodes[path], 0
		while isinstance(node, Waiting):
			if steps > len(self.waits):
				raise Refused("layer")
			self.nodes[path].target = node.target
			node, steps = self.shared(node.target), steps + 1
		if node is not None:
			self.nodes[path] = node

	def resolve(self, path):
		"""Where an entry of this name comes to stand; makes the folders on the way."""
		above, name = posixpath.split(path)
		walk = Walk(self.nodes, self.prefix, above)
		while (there := walk.step()) is not None:
			if there in self.nodes and self.nodes[there].kind == "symlink":
				walk.follow(self.nodes[there], "layer")
			else:
				self.imply(there)
				walk.at = there
		return posixpath.join(walk.at, name)

	def imply(self, path):
		there = self.nodes.get(path)
		if there is not None and there.kind == "directory":
			return
		self.remove(path)
		self.nodes[path] = folder()
		if there is not None and is_whiteout(there):
			self.fresh.add(path)
		else:
			self.implied.add(path)

	def remove(self, path):
		for gone in [p for p in self.nodes if p == path or p.startswith(path + "/")] if self.is_folder(path) else [path]:
			self.nodes.pop(gone, None)
			self.implied.discard(gone)
			self.fresh.discard(gone)

	def is_folder(self, path):
		return path in self.nodes and self.nodes[path].kind == "directory"

	def in_the_way(self, path):
		"""Whether the layer has something that is no folder above this path, or deletes it as a whole."""
		above = posixpath.dirname(path)
		if not above:
			return False
		if above in self.nodes and not self.is_folder(above):
			return True
		return (above in self.deleted and above not in self.nodes) or self.in_the_way(above)

	# ---- The end ----

	def finish(self):
		for path in reversed(self.waits):
			if isinstance(self.nodes.get(path), Waiting):
				self.settle(path)
		filled = self.filled()
		for path in sorted(self.deleted):
			if not self.is_folder(path):
				continue
			if path in filled:
				self.fresh.add(path)
				self.implied.discard(path)
			else:
				self.remove(path)
		entries = set(self.nodes)
		for path in self.cleared:
			if not self.in_the_way(posixpath.join(path, "x")) and (path in entries or path not in self.deleted):
				self.imply_all(path)
				self.fresh.add(path)
		for path in self.deleted - entries:
			if not self.in_the_way(path):
				self.imply_all(posixpath.dirname(path))
				self.nodes[path] = tree.Node("char", 0, 0, 0, 0, 1, WHITEOUT)

	def filled(self):
		"""What the layer brings, and the folders above it: not what it deletes, in whatever form."""
		found = set()
		for path, node in self.nodes.items():
			if path not in self.implied and not is_whiteout(node):
				while path:
					found.add(path)
					path = posixpath.dirname(path)
		return found

	def imply_all(self, path):
		if path:
			self.imply_all(posixpath.dirname(path))
			self.imply(path)

	def listing(self):
		"""What the layer's image shows."""
		shown, copies = {}, {}
		for path, node in self.nodes.items():
			node = copies.setdefault(id(node), copy.deepcopy(node))
			node.xattrs.update({layers.IMPLIED: b"y"} if path in self.implied else {})
			node.xattrs.update({layers.OPAQUE: b"y"} if path in self.fresh else {})
			if isinstance(node, Waiting):
				node.xattrs[layers.HARDLINK] = os.fsencode(self.prefix[1:] + node.target)
			shown[path] = node
		return named(shown)


def stack(stacked):
	nodes = {"": folder()}
	for layer in stacked:
		linked = linked_files(nodes, layer)  # and what was copied of this layer, by id as well
		below = dict(nodes)
		for path in sorted(layer.nodes):
			apply(nodes, below, layer, path, linked)
	return named(nodes)


def linked_files(nodes, layer):
	"""{id of a name that still waits: the lower layers' file}. Each takes what its link's header says."""
	linked = {}
	for path in sorted(layer.nodes, key=in_order):
		node = layer.nodes[path]
		if not isinstance(node, Waiting):
			continue
		where = find(nodes, layer.prefix, node.target, "merge")
		if where is None or nodes[where].kind == "directory":
			raise Refused("merge")
		set_attributes(nodes[where], node)
		linked[id(node)] = nodes[where]
	return linked


def in_order(path):
	"""Names by their bytes, a folder before what is in it."""
	return os.fsencode(path).split(b"/")


def apply(nodes, below, layer, path, linked):
	node = layer.nodes[path]
	if node.kind == "directory":
		if path in layer.fresh or path not in nodes or nodes[path].kind != "directory":
			remove(nodes, path)
		nodes[path] = attributes(below, layer, path)
		return
	remove(nodes, path)
	if not is_whiteout(node):
		nodes[path] = linked.setdefault(id(node), copy.deepcopy(node))


def attributes(below, layer, path):
	"""A folder that was not listed has those of the lower layers, also of the one behind a link."""
	above = posixpath.dirname(path)
	while above and above not in layer.fresh:
		above = posixpath.dirname(above)
	if path not in layer.implied or path not in below or above in layer.fresh:
		return copy.deepcopy(layer.nodes[path])
	old = below[path]
	if old.kind == "symlink":
		try:
			where = find(below, layer.prefix, path, "merge", follow_last=True)
		except Refused:  # around in a circle: it has none to give
			where = None
		old = below[where] if where is not None else old
	return copy.deepcopy(old) if old.kind == "directory" else copy.deepcopy(layer.nodes[path])


def remove(nodes, path):
	if path in nodes and nodes[path].kind == "directory":
		for gone in [p for p in nodes if p.startswith(path + "/")]:
			del nodes[gone]
	nodes.pop(path, None)


def named(nodes):
	"""As tree.listing has it: bytes, and with all names of each file."""
	names = {}
	for path, node in nodes.items():
		names.setdefault(id(node), []).append(os.fsencode(path))
	listing = {}
	for path, node in nodes.items():
		node = listing[os.fsencode(path)] = copy.copy(node)
		if isinstance(node, Waiting):
			node.target = b""
		if node.kind != "directory":
			same = names[id(nodes[path])]
			node.links = len(same)
			node.names = tuple(sorted(same)) if len(same) > 1 else ()
	return listing
