# SPDX-License-Identifier: Apache-2.0
"""Stacks of layers through the command, onto the kernel: for tests of what a recipe says.

	pulled = layer_images.pull(self, tars)          any archives: pulled and mounted
	pulled.disk, pulled.images[0]                   listings of the disk, of the lowest layer's image
	layer_images.check(self, stack)                 all that a stack of layers.py says
"""

import dataclasses
import os
import resource

from support import command, layers, mounts, oci_layout, suite, tree

LIMIT = 60  # seconds, after which a pull counts as hanging
METADATA = ("mode", "uid", "gid", "mtime", "xattrs")
WARNING = "mkrootfs: warning: "


@dataclasses.dataclass
class Pulled:
	result: dict  # what --json printed
	warnings: list
	raw: str  # the disk as one file
	paths: list  # files of the layer images, lowest first
	folders: list  # where these are mounted
	images: list  # their listings
	disk: dict  # the disk's


def layout(test, tars, pack=oci_layout.gzipped):
	"""An OCI layout with an image "it" of these layers."""
	image = oci_layout.Image(os.path.join(suite.temporary(test, "layout"), "image"))
	for tar in tars:
		image.add_layer(tar, blob=pack(tar))
	image.commit("it")
	return image


def new_store(test):
	return command.Store(os.path.join(suite.temporary(test, "store"), "store"))


def attempt(test, image, store, **options):
	"""Pulls with a umask that must not matter."""
	return store.attempt_pull(f"oci:{image.folder}:it", "--json", timeout=LIMIT, umask=0o077, **options)


def pull(test, tars, pack=oci_layout.gzipped, store=None):
	image = layout(test, tars, pack)
	store = store or new_store(test)
	done = attempt(test, image, store)
	test.assertEqual(done.returncode, 0, done.stderr)
	test.assertEqual(store.temporary_files(), [])
	return mounted(test, done)


def mounted(test, done):
	"""What a successful pull has made, as the kernel shows it; fsck.erofs has no complaints."""
	result = command.json.loads(done.stdout)
	warnings = [line.removeprefix(WARNING) for line in done.stderr.splitlines() if line.startswith(WARNING)]
	raw = joined_disk(test, result["disk"])
	paths = [layer["path"] for layer in result["layers"]]
	for path in dict.fromkeys([raw, *paths]):
		fsck(path)
	folders = [mounts.erofs(test, path) for path in paths]
	images = [tree.listing(folder) for folder in folders]
	return Pulled(result, warnings, raw, paths, folders, images, tree.listing(mounts.erofs(test, raw)))


def fsck(path):
	"""fsck.erofs calls itself for each level of folders: at 600 and more its stack is full."""
	command.run(["fsck.erofs", path], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (256 << 20, resource.RLIM_INFINITY)))


def joined_disk(test, vmdk):
	"""The disk as one file: the parts that the descriptor names, one after the other."""
	raw = os.path.join(suite.temporary(test, "raw"), "disk.raw")
	with open(vmdk) as descriptor, open(raw, "wb") as out:
		for line in descriptor:
			if not line.startswith("RW "):
				continue
			sectors, quoted = line.split(" FLAT ")
			name = quoted.split('"')[1]
			data = read_file(os.path.join(os.path.dirname(vmdk), name))
			test.assertEqual(len(data), 512 * int(sectors.removeprefix("RW ")), name)
			out.write(data)
	return raw


def read_file(path):
	with open(path, "rb") as file:
		return file.read()


def check(test, stack):
	"""Returns the Pulled, or None of a stack that must be refused."""
	if stack.refused:
		return check_refusal(test, stack)
	pulled = pull(test, stack.tars)
	assert_warnings(test, pulled.warnings, stack.warnings)
	for number, listing in stack.images.items():
		assert_shows(test, pulled.images[number - 1], listing, f"the image of layer {number}")
	assert_layer_images(test, pulled)
	assert_shows(test, pulled.disk, stack.disk, "the disk")
	assert_stacked(test, pulled)
	return pulled


def assert_shows(test, listing, expected, what):
	"""Unlike tree.assert_same, also of an empty folder, since the recipe says so."""
	test.assertEqual(tree.compare(listing, expected, what, "the recipe"), [])


def assert_warnings(test, warnings, texts):
	left = list(warnings)
	for text in texts:
		found = [line for line in left if text in line]
		test.assertTrue(found, f"no warning '{text}' in {warnings}")
		left.remove(found[0])
	test.assertEqual(left, [], "warnings that the recipe does not say")


def assert_layer_images(test, pulled):
	"""What holds of all images: no name of the tar's bookkeeping, no mark on the merged disk."""
	for listing in (pulled.disk, *pulled.images):
		for path in listing:
			test.assertFalse(os.path.basename(path).startswith(b".wh."), tree.show(path))
	for path, node in pulled.disk.items():
		test.assertFalse(node.kind == "char" and node.device == (0, 0), tree.show(path))
		for name in node.xattrs:
			test.assertNotRegex(name, r"^(trusted\.overlay|user\.overlay|trusted\.mkrootfs)\.", tree.show(path))


def assert_stacked(test, pulled, also_known=lambda path, field: False):
	"""The disk is what the kernel's overlay shows of the layer images, but for what no layer image
	can know: see Stacked. also_known(path, field) explains more."""
	stacked = Stacked()
	for listing in pulled.images:
		stacked.add(listing)
	folders = pulled.folders[stacked.bottom:]
	if len(folders) < 2:
		return
	root = os.fsencode(mounts.overlay(test, folders))
	# It may list a whiteout that only one layer has, and then refuse to look it up.
	shown = tree.listing(root, skip=lambda path: not os.path.lexists(os.path.join(root, path)))
	known = stacked.explains(pulled.disk)
	tree.assert_same(test, pulled.disk, shown, "the disk", "the overlay",
		lambda path, field, ours, theirs: known(path, field, ours, theirs) or also_known(path, field))


class Stacked:
	"""Where the disk may differ from the kernel's overlay of the layer images: directories that no
	layer listed, or not since it appeared, show the attributes of a lower directory; files that
	another layer linked are one file with that layer's owner, mode and time; and the overlay counts
	links that are hidden. It also pays no heed to an opaque root: then it begins there."""

	def __init__(self):
		self.bottom = 0  # number of the layer with the topmost opaque root
		self.count = 0
		self.implied = set()
		self.links = set()

	def add(self, listing):
		if layers.OPAQUE in listing[b""].xattrs:
			self.bottom = self.count
		self.count += 1
		for path, node in listing.items():
			self.implied.discard(path)
			self.links.discard(path)
			if layers.IMPLIED in node.xattrs:
				self.implied.add(path)
			if layers.HARDLINK in node.xattrs:
				self.links.add(path)

	def explains(self, disk):
		linked = {name for path in self.links if path in disk for name in disk[path].names}

		def known(path, field, ours, theirs):
			if path in self.links and field != "exists":
				return True
			if field in METADATA:
				return path in self.implied or path in linked
			return field == "links" or (field == "names" and path in linked)

		return known


def check_refusal(test, stack):
	image, store = layout(test, stack.tars), new_store(test)
	done = attempt(test, image, store)
	assert_refused(test, done, stack.code, stack.says)
	number = len(stack.tars) - 1  # of the layer with the fault
	test.assertIn(image.layers[number]["digest"][:19], done.stderr)
	assert_nothing_left(test, store, image.diff_ids[:number] if stack.refused == "layer" else image.diff_ids)


def assert_refused(test, done, code, says=()):
	test.assertRegex(done.stderr, r"\A(mkrootfs: warning: [^\n]*\n|[^\n]*[.\n])*mkrootfs: [^\n]+\n\Z")
	test.assertEqual(done.returncode, code, done.stderr)
	test.assertEqual(done.stdout, "")
	line = done.stderr.splitlines()[-1]
	test.assertLessEqual(line.count("tar entry '"), 1, line)
	for text in says:
		test.assertIn(text, line)


def assert_nothing_left(test, store, sound):
	"""No temporary file, no image; of layers only sound ones: these diff IDs may be there."""
	test.assertEqual(store.temporary_files(), [])
	for folder, allowed in (("images", ()), ("references", ()), ("layers", [f"{digest.partition(':')[2]}.erofs" for digest in sound])):
		path = os.path.join(store.folder, folder)
		names = os.listdir(path) if os.path.isdir(path) else []
		test.assertEqual(set(names) - set(allowed), set(), folder)
