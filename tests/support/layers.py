# SPDX-License-Identifier: Apache-2.0
"""Stacks of layers, and what their images must show: the recipes in fixtures/layers/.

	stack = layers.load("whiteouts")["deleted-and-added-again"]
	stack.tars                  the archives, lowest first
	stack.disk                  the listing, as of tree.py, that the merged disk must show
	stack.images[1]             that of the lowest layer's image, when the recipe tells

The archives are described in the language of tar_recipe.py, each behind a line "== STACK.N": layer N
of a stack. Comments that begin as follows are what must come out:

	#= LINE            an entry of the merged disk
	#N= LINE           an entry of the image of layer N
	#~ TEXT            a warning that holds TEXT
	#! layer CODE      the layer is refused, with this exit code
	#! merge CODE      the layers are sound, their stack is refused
	#! says TEXT       the error line holds TEXT

A LINE is a line of a recipe, with its defaults: an entry shows no other attributes than those said
(mode=0644, or 0755 of a directory, or 0777 of a symlink; owners and time 0; no xattrs), and entries that
are not said are not there. Layer images also need
	implied DIR        a directory that the layer used without listing it
	opaque DIR         one that hides the lower layers'
	whiteout PATH      a character device 0:0
	nothing            a list may not be empty
A list without the root ('dir .') means that the layer, or all layers, did not list it.
"""

import dataclasses
import decimal
import hashlib
import os
import re

from support import tar_recipe, tree

FOLDER = os.path.join(os.path.dirname(__file__), "..", "..", "fixtures", "layers")
IMPLIED = "trusted.mkrootfs.implied"
HARDLINK = "trusted.mkrootfs.hardlink"
OPAQUE = "trusted.overlay.opaque"
NOTE = re.compile(rb"#(\d*)([=~!]) (.*)")
KINDS = {"dir": "directory", "file": "file", "sparse": "file", "symlink": "symlink", "fifo": "fifo",
	"char": "char", "block": "block"}
MODES = {"directory": 0o755, "symlink": 0o777}


@dataclasses.dataclass
class Stack:
	name: str
	tars: list = dataclasses.field(default_factory=list)
	disk: dict = dataclasses.field(default_factory=dict)  # {path: Node}, see tree.listing
	images: dict = dataclasses.field(default_factory=dict)  # {number of a layer: such a listing}
	warnings: list = dataclasses.field(default_factory=list)
	refused: str = ""  # "layer" or "merge"
	code: int = 0
	says: list = dataclasses.field(default_factory=list)


def load(name):
	"""{name: Stack} of fixtures/layers/NAME.recipe."""
	with open(os.path.join(FOLDER, f"{name}.recipe"), "rb") as stream:
		return parse(stream.read())


def parse(text):
	stacks, notes = {}, {}
	for archive, data in tar_recipe.parse(text).items():
		name, _, number = archive.rpartition(".")
		stack = stacks.setdefault(name, Stack(name))
		stack.tars.append(b"".join(data.chunks()))
		assert int(number) == len(stack.tars), f"{archive}: the layers come in order"
	for line in text.split(b"\n"):
		if line.startswith(b"== "):
			current = stacks[line[3:].strip().decode().rpartition(".")[0]]
		elif match := NOTE.fullmatch(line):
			take_note(current, notes, *match.groups())
	for (name, number), lines in notes.items():
		if number:
			stacks[name].images[int(number)] = expected(lines, of_layer=True)
		else:
			stacks[name].disk = expected(lines)
	for stack in stacks.values():
		assert bool(stack.disk) != bool(stack.refused), f"{stack.name}: it says not what comes out"
	return stacks


def take_note(stack, notes, number, kind, text):
	if kind == b"=":
		notes.setdefault((stack.name, number), []).append(text)
		return
	if kind == b"~":
		stack.warnings.append(text.decode())
		return
	word, _, rest = text.decode().partition(" ")
	if word == "says":
		stack.says.append(rest)
	else:
		stack.refused, stack.code = word, int(rest)


def expected(lines, of_layer=False):
	"""The listing that lines describe."""
	nodes = {b"": tree.Node("directory", 0o755, 0, 0, 0, 0)}
	if of_layer:
		nodes[b""].xattrs[IMPLIED] = b"y"
	groups = {}
	for line in lines:
		if line == b"nothing":
			continue
		verb, path, *words = tar_recipe.split_words(line)
		path = b"" if path == b"." else path
		if verb == b"hardlink":
			target = words[1]
			groups.setdefault(target, [target]).append(path)
			nodes[path] = nodes[target]
		else:
			nodes[path] = node_of(verb.decode(), path, words)
	for target, names in groups.items():
		nodes[target].names, nodes[target].links = tuple(sorted(names)), len(names)
	return nodes


def node_of(verb, path, words):
	"""The node of one line; its words behind the path: first those that are no options."""
	marks = {}
	if verb in ("implied", "opaque"):
		marks = {IMPLIED if verb == "implied" else OPAQUE: b"y"}
		verb = "dir"
	elif verb == "whiteout":
		verb, words = "char", [b"0", b"0", b"mode=0000", *words]
	kind = KINDS[verb]
	node = tree.Node(kind, MODES.get(kind, 0o644), 0, 0, 0, int(kind != "directory"), xattrs=marks)
	if kind in ("char", "block"):
		node.device, words = (int(words[0]), int(words[1])), words[2:]
	elif kind == "symlink":
		node.target, words = words[1], words[2:]
	segments = [word for word in words if re.match(rb"\d+[KMG]?:", word)]
	options = tar_recipe.Archive.options_of([word for word in words if word not in segments])
	set_attributes(node, options)
	if kind == "file":
		set_content(node, path, segments, options)
	assert not options, f"{path}: unknown words {options}"
	return node


def set_attributes(node, options):
	node.mode = int(options.pop(b"mode", b"%o" % node.mode), 8)
	node.uid = int(options.pop(b"uid", b"0"))
	node.gid = int(options.pop(b"gid", b"0"))
	node.mtime = int(decimal.Decimal(options.pop(b"mtime", b"0").decode()) * 10**9)
	for key, value in options.pop(b"records"):
		node.xattrs[os.fsdecode(key.removeprefix(b"SCHILY.xattr."))] = value


def set_content(node, path, segments, options):
	if segments:
		size = tar_recipe.number(options.pop(b"size"))
		content = bytearray(size)
		for segment in segments:
			offset, _, data = segment.partition(b":")
			start = tar_recipe.number(offset)
			content[start:start + len(data)] = data
		chunks = [content]
	else:
		content = tar_recipe.Archive.content_of(path, options, b"")
		chunks = tar_recipe.piece_chunks(content)
	digest = hashlib.sha256()
	for chunk in chunks:
		digest.update(chunk)
	node.size, node.sha256 = len(content), digest.hexdigest()
