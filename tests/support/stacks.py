# SPDX-License-Identifier: Apache-2.0
"""Stacks of layers as lists of entries: made at random, told as a recipe, judged by the model, shrunk.

	layers_ = stacks.make(random.Random(7))         [[Entry, ...], ...], lowest layer first
	text = stacks.recipe("name", layers_)           as fixtures/layers/ has it, with what must come out
	verdict = stacks.judge(layers_)                 what the model says of it
	least = stacks.shrink(layers_, fails)           as small as it gets while fails(least) holds
"""

import copy
import dataclasses
import hashlib
import os

from support import layer_model, layers, tree

NAMES = ("a", "b", "c", "!", "+b", "-", "a!", "a.", ".a", "..a", "...", "A", "a b", "~", "\x01", "\x7f", "é", "\udcff", "\udc80a", "a" * 60, "#", '"', "\\", "[*]")
KINDS = {"file": "file", "dir": "directory", "symlink": "symlink", "fifo": "fifo", "char": "char"}
TIMES = (0, 5, -1, 1_500_000_000_000_000_000, 5_000_000_001, -1_500_000_000)  # ns
WEIGHTS = {"file": 6, "dir": 6, "symlink": 3, "fifo": 1, "char": 1, "hardlink": 7, "whiteout": 5, "opaque": 3, "raw": 1, "child": 4}
MOST_LAYERS, MOST_ENTRIES = 4, 7


@dataclasses.dataclass
class Entry:
	verb: str  # of a recipe: file dir symlink fifo char hardlink whiteout opaque
	path: str
	target: str = ""  # of links; a symbolic link's begins with "/" when it is absolute
	device: tuple = ()
	mode: int = 0o644
	uid: int = 0
	mtime: int = 0  # ns
	data: str = ""
	xattrs: dict = dataclasses.field(default_factory=dict)  # of text


# ---- The model ----

@dataclasses.dataclass
class Verdict:
	refused: str = ""  # "layer" or "merge"
	layer: int = 0  # the one with the fault, from 0
	images: list = dataclasses.field(default_factory=list)  # listings of the layers' images
	disk: dict = dataclasses.field(default_factory=dict)


def node_of(entry, prefix):
	kind = KINDS.get(entry.verb, "file")
	node = tree.Node(kind, entry.mode, entry.uid, 0, entry.mtime, int(kind != "directory"), entry.device)
	if kind == "symlink":
		node.target = os.fsencode(absolute(entry.target, prefix))
	if kind == "file":
		node.size, node.sha256 = len(entry.data), hashlib.sha256(entry.data.encode()).hexdigest()
	node.xattrs = {name: value.encode() for name, value in entry.xattrs.items()}
	return node


def absolute(target, prefix):
	return prefix + target[1:] if target.startswith("/") else target


def apply(model, entry, prefix):
	if entry.verb == "whiteout":
		model.delete(entry.path)
	elif entry.verb == "opaque":
		model.clear(entry.path)
	elif entry.verb == "hardlink":
		model.link(entry.path, entry.target, node_of(entry, prefix))
	else:
		model.put(entry.path, node_of(entry, prefix))


def judge(stack, folder="", model=layer_model.Layer):
	"""What must become of a stack in a folder, whose name ends in a slash. Raises Escapes."""
	verdict, done = Verdict(), []
	prefix = "/" + folder
	try:
		for number, entries in enumerate(stack):
			verdict.layer = number
			layer = model(prefix)
			if folder:
				layer.put("", layer_model.folder())
			for entry in entries:
				apply(layer, entry, prefix)
			layer.finish()
			done.append(layer)
		for number in range(len(done)):
			verdict.layer = number
			verdict.disk = layer_model.stack(done[:number + 1])
	except layer_model.Refused as refusal:
		verdict.refused = refusal.stage
		return verdict
	verdict.images = [layer.listing() for layer in done]
	return verdict


# ---- Recipes ----

def quoted(text):
	"""A word of a recipe."""
	out = []
	for byte in os.fsencode(text):
		plain = 32 < byte < 127 and byte not in b'"\\#'
		out.append(chr(byte) if plain else f"\\x{byte:02x}")
	return "".join(out)


def words_of(mode, uid, mtime, xattrs):
	words = [f"mode={mode:04o}"]
	words += [f"uid={uid}"] if uid else []
	if mtime:
		sign, (seconds, rest) = "-" if mtime < 0 else "", divmod(abs(mtime), 10**9)
		words.append(f"mtime={sign}{seconds}" + (f".{rest:09}" if rest else ""))
	return words + [f"xattr.{name}={quoted(value)}" for name, value in sorted(xattrs.items())]


def line_of(entry, folder=""):
	words = [entry.verb, quoted(folder + entry.path)]
	if entry.verb in ("hardlink", "symlink"):
		target = folder + entry.target if entry.verb == "hardlink" else absolute(entry.target, "/" + folder)
		words += ["->", quoted(target)]
	words += [str(number) for number in entry.device]
	if entry.verb in ("whiteout", "opaque"):
		return " ".join(words)
	words += words_of(entry.mode, entry.uid, entry.mtime, entry.xattrs)
	return " ".join(words + ([f"data={quoted(entry.data)}"] if entry.data else []))


def expected_line(path, node, content):
	"""The line behind "#=" for a node; content is {sha256: text}."""
	verb = "dir" if node.kind == "directory" else node.kind
	words = [verb, quoted(os.fsdecode(path)) or "."]
	if verb == "symlink":
		words += ["->", quoted(os.fsdecode(node.target))]
	words += [str(number) for number in node.device]
	xattrs = {name: value.decode() for name, value in node.xattrs.items()}
	words += words_of(node.mode, node.uid, node.mtime, xattrs)
	return " ".join(words + ([f"data={quoted(content[node.sha256])}"] if node.size else []))


def expected_lines(listing, stack):
	content = {hashlib.sha256(entry.data.encode()).hexdigest(): entry.data for entries in stack for entry in entries}
	lines = []
	for path, node in sorted(listing.items()):
		first = node.names[0] if node.names else path
		if path != first:
			lines.append(f"#= hardlink {quoted(os.fsdecode(path))} -> {quoted(os.fsdecode(first))}")
		elif path or (node.mode, node.uid, node.mtime, node.xattrs) != (0o755, 0, 0, {}):
			lines.append("#= " + expected_line(path, node, content))
	return lines or ["#= nothing"]


def archives(name, stack, folder=""):
	"""The layers alone, as the text of a recipe."""
	lines = []
	for number, entries in enumerate(stack, 1):
		lines += [f"== {name}.{number}", *([f"dir {folder}"] if folder else []), *(line_of(entry, folder) for entry in entries)]
	return lines


def recipe(name, stack):
	"""A text to paste into a file of fixtures/layers/."""
	verdict = judge(stack)
	if verdict.refused:
		lines = archives(name, stack[:verdict.layer + 1]) + [f"#! {verdict.refused} 6"]
	else:
		lines = archives(name, stack) + expected_lines(verdict.disk, stack)
	return "\n".join(lines) + "\n"


# ---- At random ----

class Maker:
	def __init__(self, choice):
		self.choice = choice
		names = choice.sample(NAMES, choice.randint(2, 4))
		self.places = [*names, *(f"{x}/{y}" for x in names for y in names), *(f"{x}/{y}/{z}" for x in names[:2] for y in names[:2] for z in names)]
		self.count = 0

	def place(self):
		return self.choice.choice(self.places)

	def entry(self, verb, **more):
		self.count += 1
		entry = Entry(verb, self.place(), uid=self.count, mode=self.choice.choice((0o644, 0o755, 0o4711)), mtime=self.choice.choice(TIMES), **more)
		if verb == "symlink":
			entry.mode = 0o777
		if verb != "hardlink" and self.choice.random() < 0.3:
			entry.xattrs = {f"trusted.{self.choice.choice('kl')}": str(self.choice.randint(0, 2))}
		return entry

	def step(self):
		verb = self.choice.choices(list(WEIGHTS), WEIGHTS.values())[0]
		if verb in ("whiteout", "opaque"):
			return Entry(verb, self.place())
		if verb == "child":
			entry = self.entry("file", data=str(self.count))
			entry.path += "/x"
			return entry
		if verb == "raw":
			return self.entry("char", device=layer_model.WHITEOUT)
		if verb == "symlink":
			return self.entry(verb, target=self.choice.choice(("", "/", "/", "../", "./")) + self.place())
		details = {"char": {"device": (1, 3)}, "hardlink": {"target": self.place()}, "file": {"data": self.choice.choice(("", str(self.count)))}}
		return self.entry(verb, **details.get(verb, {}))

	def layer(self):
		return [self.step() for _ in range(self.choice.randint(0, MOST_ENTRIES))]


def make(choice, folder=""):
	"""(stack, verdict): one that stays in its folder. Links lead to what is there, mostly: else one
	entry after the other goes until nothing is to be refused, or, now and then, it may stay so."""
	while True:
		maker = Maker(choice)
		stack = [maker.layer() for _ in range(choice.randint(1, MOST_LAYERS))]
		try:
			verdict = judge(stack, folder)
			while verdict.refused and choice.random() < 0.97:
				links = [(number, at) for number, entries in enumerate(stack) for at, entry in enumerate(entries) if entry.verb in ("hardlink", "symlink")]
				number, at = choice.choice(links)
				del stack[number][at]
				verdict = judge(stack, folder)
		except layer_model.Escapes:
			continue
		return stack, verdict


# ---- Shrinking ----

def simpler_entries(entry):
	"""The same with less."""
	plain = Entry(entry.verb, entry.path, entry.target, entry.device, 0o777 if entry.verb == "symlink" else 0o644)
	for field in ("xattrs", "mtime", "mode", "uid", "data", "device"):
		if getattr(entry, field) != getattr(plain, field):
			yield dataclasses.replace(entry, **{field: getattr(plain, field)})
	if "/" in entry.path:
		yield dataclasses.replace(entry, path=entry.path.partition("/")[2])
	if entry.verb not in ("file", "whiteout", "opaque"):
		yield Entry("file", entry.path, uid=entry.uid)


def renamed(stack, old, new):
	def change(path):
		return "/".join(new if part == old else part for part in path.split("/"))

	return [[dataclasses.replace(entry, path=change(entry.path), target=change(entry.target)) for entry in entries] for entries in stack]


def simpler_stacks(stack):
	"""All that are one step smaller, the boldest steps first."""
	for number in range(len(stack)):
		yield stack[:number] + stack[number + 1:]
	for number in range(len(stack) - 1):
		yield stack[:number] + [stack[number] + stack[number + 1]] + stack[number + 2:]
	for number, entries in enumerate(stack):
		for at in range(len(entries)):
			yield stack[:number] + [entries[:at] + entries[at + 1:]] + stack[number + 1:]
	for number, entries in enumerate(stack):
		for at, entry in enumerate(entries):
			for simpler in simpler_entries(entry):
				yield stack[:number] + [entries[:at] + [simpler] + entries[at + 1:]] + stack[number + 1:]
	used = {part for entries in stack for entry in entries for part in entry.path.split("/") + entry.target.split("/")}
	plain = "defghijklm"
	for old in sorted(used - {"", ".", ".."} - set(plain)):
		yield renamed(stack, old, next(name for name in plain if name not in used))


def shrink(stack, fails):
	"""Takes what is smaller while it still fails, until nothing smaller does."""
	stack = copy.deepcopy(stack)
	smaller = True
	while smaller:
		smaller = False
		for candidate in simpler_stacks(stack):
			if candidate and still(candidate, fails):
				stack, smaller = candidate, True
				break
	return stack


def still(stack, fails):
	try:
		return fails(stack)
	except layer_model.Escapes:
		return False
