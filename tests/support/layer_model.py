# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/semantics.md once more, in small: what a layer says, and what a stack shows.

	layer = layer_model.Layer(prefix)  links have absolute targets that begin with prefix
	layer.put("d/f", node)            an entry, in the archive's order; a Node of tree.py
	layer.link("d/g", "d/f")          a hard link inside the layer
	layer.delete("d/old"), layer.clear("d")      a whiteout, an opaque mark
	layer.finish()                    what its image must show
	layer_model.stack(layers)         what the disk must show, {path: Node}

Only what the tests in use need is here: no links in circles, none to lower layers' files.
"""

import copy
import posixpath

from support import layers, tree


def folder():
	return tree.Node("directory", 0o755, 0, 0, 0, 0)


class Layer:
	def __init__(self, prefix="/"):
		self.prefix = prefix
		self.nodes = {"": folder()}
		self.implied = {""}
		self.fresh = set()  # folders that hide what lower layers have under their name
		self.deleted, self.cleared = set(), set()

	def put(self, path, node):
		path = self.resolve(path)
		old = self.nodes.get(path)
		if not (node.kind == "directory" and old and old.kind == "directory"):
			self.remove(path)
		self.nodes[path] = node
		self.implied.discard(path)

	def link(self, path, target):
		self.put(path, self.nodes[self.resolve(target)])

	def delete(self, path):
		self.deleted.add(path)

	def clear(self, path):
		self.cleared.add(path)

	def resolve(self, path):
		"""Where an entry of this name comes to stand; makes the folders on the way."""
		above, name = posixpath.split(path)
		if not above:
			return path
		above = self.resolve(above)
		there = self.nodes.get(above)
		if there and there.kind == "symlink":
			return self.resolve(posixpath.join(self.behind(there), name))
		self.imply(above)
		return posixpath.join(above, name)

	def behind(self, link):
		return link.target.decode().removeprefix(self.prefix)

	def imply(self, path):
		there = self.nodes.get(path)
		if there is None or there.kind != "directory":
			self.remove(path)
			self.nodes[path] = folder()
			self.implied.add(path)

	def remove(self, path):
		for gone in [p for p in self.nodes if p == path or p.startswith(path + "/")] if self.is_folder(path) else [path]:
			self.nodes.pop(gone, None)
			self.implied.discard(gone)

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

	def finish(self):
		entries = set(self.nodes)
		for path in self.deleted:
			if path in entries and self.is_folder(path):
				self.fresh.add(path)
				self.implied.discard(path)
		for path in self.cleared:
			if not self.in_the_way(path + "/x") and (path in entries or path not in self.deleted):
				self.imply_all(path)
				self.fresh.add(path)
		for path in self.deleted - entries:
			if not self.in_the_way(path):
				self.imply_all(posixpath.dirname(path))
				self.nodes[path] = tree.Node("char", 0, 0, 0, 0, 1, (0, 0))

	def imply_all(self, path):
		if path:
			self.imply_all(posixpath.dirname(path))
			self.imply(path)

	def is_whiteout(self, path):
		return self.nodes[path].kind == "char" and self.nodes[path].device == (0, 0)

	def listing(self):
		"""What the layer's image shows."""
		marked = {}
		for path, node in self.nodes.items():
			if path in self.implied or path in self.fresh:
				node = copy.deepcopy(node)
				node.xattrs.update({layers.IMPLIED: b"y"} if path in self.implied else {})
				node.xattrs.update({layers.OPAQUE: b"y"} if path in self.fresh else {})
			marked[path] = node
		return named(marked)


def stack(stacked):
	nodes = {"": folder()}
	for layer in stacked:
		below = dict(nodes)
		for path in sorted(layer.nodes):
			apply(nodes, below, layer, path)
	return named(nodes)


def apply(nodes, below, layer, path):
	if layer.nodes[path].kind == "directory":
		if path in layer.fresh or path not in nodes or nodes[path].kind != "directory":
			remove(nodes, path)
		nodes[path] = attributes(below, layer, path)
		return
	remove(nodes, path)
	if not layer.is_whiteout(path):
		nodes[path] = layer.nodes[path]


def attributes(below, layer, path):
	"""A folder that was not listed has those of the lower layers, also of the one behind a link."""
	above = posixpath.dirname(path)
	while above and above not in layer.fresh:
		above = posixpath.dirname(above)
	if path not in layer.implied or path not in below or above in layer.fresh:
		return layer.nodes[path]
	old = below[path]
	if old.kind == "symlink":
		old = below.get(layer.behind(old), old)
	return old if old.kind == "directory" else layer.nodes[path]


def remove(nodes, path):
	if path in nodes and nodes[path].kind == "directory":
		for gone in [p for p in nodes if p.startswith(path + "/")]:
			del nodes[gone]
	nodes.pop(path, None)


def named(nodes):
	"""As tree.listing has it: bytes, and with all names of each file."""
	names = {}
	for path, node in nodes.items():
		names.setdefault(id(node), []).append(path.encode())
	listing = {}
	for path, node in nodes.items():
		node = listing[path.encode()] = copy.copy(node)
		if node.kind != "directory":
			same = names[id(nodes[path])]
			node.links = len(same)
			node.names = tuple(sorted(same)) if len(same) > 1 else ()
	return listing
