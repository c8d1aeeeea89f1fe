# SPDX-License-Identifier: Apache-2.0
"""Whole images, and what is made of them."""

import os

from support import suite

from bench import measure, peers
from bench.compare import Case, shell
from bench.contenders import add_manifest_fetchers, add_mkfs_ext4, add_skopeo, ours, pull, under
from bench.inputs import remove

MIB = 1 << 20


def merge(inputs, scope):
	"""The layers are in the store; the image is not."""
	layout, sizes = inputs.stack(), inputs.sizes
	case = Case("merge", f"{sizes.layers} stored layers of {sizes.entries} entries merged into one image")
	store = scope.folder()
	measure.run(pull(store, layout))

	def forget(_):
		remove(under(store, "images"))
		remove(under(store, "references"))

	case.add("mkrootfs", lambda folder: pull(store, layout), before=forget)
	case.goal("seconds of the clock", "wall", None, 1.5)
	case.goal("memory", "memory", None, 128 * MIB)
	return case


def upper(inputs, scope):
	case = Case("upper", "a writable ext4 of 10 GiB")
	times = inputs.sizes.times
	case.add("mkrootfs", lambda folder: ours("upper", "-q", "-f", "--size", "10G", under(folder, "upper")), times=times)
	case.add("a trivial process", lambda folder: [measure.program("trivial")], times=times)
	add_mkfs_ext4(case, "mkfs.ext4, lazy", "lazy_itable_init=1,lazy_journal_init=1")
	add_mkfs_ext4(case, "mkfs.ext4, whole", "lazy_itable_init=0,lazy_journal_init=0")
	case.goal("wall over a trivial process", "wall", "a trivial process", 1.5)
	return case


def stored(inputs, scope):
	"""A store with the real layer, and the image's name in it."""
	store = scope.folder()
	measure.run(pull(store, inputs.layout("tar"), "--name", "it"))
	return store


def image_folder(store):
	folder, = os.listdir(under(store, "images"))
	return os.path.join(store, "images", folder)


def rootfs(inputs, scope):
	case = Case("rootfs", "a whole ext4 from stored layers, against one of the tree that is unpacked already")
	if not peers.ours_has("build", "--format"):
		case.add("mkrootfs", None, note="this mkrootfs has no 'build --format ext4'")
		return case
	store = stored(inputs, scope)
	case.add("mkrootfs", lambda folder: ours("build", "-q", "--store", store, "--format", "ext4", "--output", under(folder, "root.ext4"), "it"))
	path, tree, size = peers.find("mke2fs"), inputs.tree(), max(os.path.getsize(inputs.layer("tar")) * 3 // 2 >> 20, 16)
	command = (lambda folder: [path, "-q", "-F", "-t", "ext4", "-d", tree, under(folder, "root.ext4"), f"{size}M"]) if path else None
	case.add("mke2fs -d", command, note="not in PATH" if command is None else "")
	case.goal("CPU over mke2fs -d", "cpu", "mke2fs -d", 1)
	case.goal("wall over mke2fs -d", "wall", "mke2fs -d", 1)
	return case


def export(inputs, scope):
	case = Case("export", "an image of the store as a tar")
	store, tree, path = stored(inputs, scope), inputs.tree(), peers.find("tar")
	case.add("mkrootfs", lambda folder: shell('exec "$1" export --store "$2" it > out', suite.command_path(), store))
	case.add("tar -c", lambda folder: [path, "-C", tree, "--xattrs", "--numeric-owner", "-cf", under(folder, "out"), "."])
	case.goal("CPU over tar -c of the tree", "cpu", "tar -c", 1)
	return case


def verify(inputs, scope):
	case = Case("verify", "all of an image read and compared with its seal")
	store = stored(inputs, scope)
	layer_image, = [under(image_folder(store), name) for name in os.listdir(image_folder(store)) if name.endswith(".erofs") and name != "fsmeta.erofs"]
	case.add("mkrootfs", lambda folder: ours("verify", "-q", "--store", store, "it"))
	case.add("cat", lambda folder: shell('exec cat "$1" > /dev/null', layer_image), note="of the layer image")
	case.add("sha256sum", lambda folder: ["sha256sum", layer_image], note="of the layer image")
	path = peers.find("fsck.erofs")
	if path:
		case.add("fsck.erofs", lambda folder: [path, layer_image], note="1.5 reads metadata and directories")
	return case


def start_up(inputs, scope):
	case = Case("start-up", "commands that have almost nothing to do")
	store, times = stored(inputs, scope), inputs.sizes.times
	case.add("a trivial process", lambda folder: [measure.program("trivial")], times=times)
	memory = os.path.join(scope.memory_folder(), "upper")
	for name, arguments in (("version", ["version"]), ("upper", ["upper", "-q", "-f", memory]), ("ls", ["ls", "--store", store, "it:/"]),
			("inspect", ["inspect", "--store", store, "it"])):
		case.add(f"mkrootfs {name}", lambda folder, arguments=arguments: ours(*arguments), times=times)
		case.goal(f"wall of {name} over a trivial process", "wall", "a trivial process", 1.5, ours=f"mkrootfs {name}")
	return case


def pull_cases(inputs, scope, name, title, again):
	"""From a registry on this machine; again: what is there already."""
	case = Case(name, title)
	registry = scope.registry(inputs)
	stores = {}

	def store(who, folder):
		if again and who not in stores:
			stores[who] = scope.folder()
		return stores[who] if again else under(folder, who)

	times = inputs.sizes.times if again else 1
	add_registry_pull(case, "mkrootfs", lambda where: ours("pull", "-q", "--store", where, registry), store, again, times)
	path = peers.find("msb")
	add_registry_pull(case, "msb pull", path and (lambda where: ["env", f"MSB_HOME={where}", path, "pull", "-q", "--insecure", registry]), store, again, times)
	if again:
		add_manifest_fetchers(case, registry, inputs.sizes.times)
	else:
		add_skopeo(case, registry)
	return case


def add_registry_pull(case, name, command, store, again, times):
	if command is None:
		return case.add(name, None, note=f"{name.split()[0]} is not in PATH")

	def make_ready(folder):
		where = store(name, folder)
		if again and not os.listdir(where):
			measure.run(command(where))

	return case.add(name, lambda folder: command(store(name, folder)), times, before=make_ready)


def pull_image(inputs, scope):
	case = pull_cases(inputs, scope, "pull", "a whole image from a registry on this machine", again=False)
	for text, what, most in (("wall", "wall", 0.5), ("CPU", "cpu", 0.5), ("memory", "memory", 0.25)):
		case.goal(f"{text} over msb's", what, "msb pull", most)
	return case


def re_pull(inputs, scope):
	case = pull_cases(inputs, scope, "re-pull", "the same image once more: nothing is new", again=True)
	case.goal("wall over msb's", "wall", "msb pull", 0.1)
	return case
