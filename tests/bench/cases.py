# SPDX-License-Identifier: Apache-2.0
"""The cases, by name: each is a function that takes the inputs and a scope for what must be stopped
at its end, and returns a compare.Case. They raise inputs.Missing when an input cannot be made."""

import os

from support import suite

from bench import measure, peers
from bench.compare import Case, shell
from bench.inputs import layout_folder, remove

MIB = 1 << 20


def ours(*arguments):
	return [suite.command_path(), *arguments]


def pull(store, layout, *options):
	return ours("pull", "-q", "--store", store, *options, f"oci:{layout_folder(layout)}:it")


def under(folder, name):
	return os.path.join(folder, name)


def add_floor(case, kind, blob):
	program = measure.program("floor")
	command = (lambda folder: [program, kind, blob, under(folder, "out")]) if program else None
	case.add("floor", command, note="its build lacks ISA-L, libzstd or libcrypto" if command is None else "decode, hash, write; nothing else")
	if program:
		case.fact("floor by stage, CPU ms", floor_stages)


def floor_stages(case):
	stages = [result.output.splitlines() for result in case.get("floor").results]
	names = [line.split()[0] for line in stages[0][:5]]
	medians = [sorted(float(lines[index].split()[1]) for lines in stages)[len(stages) // 2] * 1000 for index in range(5)]
	return ", ".join(f"{name} {value:.0f}" for name, value in zip(names, medians))


def add_mkfs_erofs(case, tar, tree, kind="tar"):
	"""From the archive where it can; Debian's 1.5 cannot, and is handed the tree that is unpacked already."""
	path = peers.find("mkfs.erofs")
	if path is None:
		return case.add("mkfs.erofs", None, note="not in PATH")
	version = peers.erofs_version(path)
	name = f"mkfs.erofs {version[0]}.{version[1]}"
	if version >= (1, 7):
		packed = ["--ungzip"] if kind == "gzip" else []
		return case.add(name, lambda folder: [path, "--quiet", "--tar=f", *packed, "--sort=none", "-E^inline_data", under(folder, "out"), tar])
	return case.add(name, lambda folder: [path, "--quiet", "-E^inline_data", under(folder, "out"), tree],
		note="reads the tree unpacked already; neither unpacks nor hashes")


def add_tar(case, blob, kind):
	command = {"gzip": ["--gzip"], "zstd": ["--zstd"], "tar": []}[kind]
	path = peers.find("tar")
	case.add("tar -x", lambda folder: [path, *command, "--xattrs", "--numeric-owner", "-xpf", blob, "-C", folder], note="hashes nothing")


def add_umoci(case, layout):
	path = peers.find("umoci")
	command = (lambda folder: [path, "unpack", "--image", f"{layout_folder(layout)}:it", under(folder, "bundle")]) if path else None
	case.add("umoci unpack", command, note="not in PATH" if command is None else "")


def layer(inputs, kind):
	layout, blob = inputs.layout(kind), inputs.layer(kind)
	case = Case(f"layer-{kind}", f"one {kind} layer of {os.path.getsize(inputs.layer('tar')) / 1e6:.0f} MB, {os.path.getsize(blob) / 1e6:.0f} MB packed, to a verified image")
	case.add("mkrootfs", lambda folder: pull(under(folder, "store"), layout))
	add_floor(case, kind, blob)
	add_one_core(case, layout)
	add_mkfs_erofs(case, blob, inputs.tree(), kind)
	add_tar(case, blob, kind)
	if kind == "zstd":
		case.add("umoci unpack", None, note="Debian's 0.4 knows no zstd")
	else:
		add_umoci(case, layout)
	return case


def add_one_core(case, layout):
	case.add("mkrootfs, one core", lambda folder: ["taskset", "-c", str(min(os.sched_getaffinity(0))), *pull(under(folder, "store"), layout)])


def layer_gzip(inputs, scope):
	case = layer(inputs, "gzip")
	case.goal("CPU over the floor", "cpu", "floor", 1.15)
	case.goal("wall over inflating alone", "wall", "inflate alone", 1.35)
	add_inflate(case, inputs.layer("gzip"))
	return case


def add_inflate(case, blob):
	"""What one thread takes that does nothing but inflate."""
	program = measure.program("floor")
	if program:
		case.add("inflate alone", lambda folder: [program, "inflate", blob, "/dev/null"])


def layer_zstd(inputs, scope):
	case = layer(inputs, "zstd")
	case.goal("wall over its own on one core", "wall", "mkrootfs, one core", 0.7)
	return case


def layer_tar(inputs, scope):
	case = layer(inputs, "tar")
	case.goal("CPU over hashing alone", "cpu", "sha256 alone", 1.3)
	program = measure.program("floor")
	if program:
		case.add("sha256 alone", lambda folder: [program, "hash", inputs.layer("tar"), "/dev/null"])
	return case


def small_files(inputs, scope):
	case = Case("small-files", f"{inputs.sizes.small} files of up to 4 KB in one plain layer")
	layout, tar = inputs.small_layout(), inputs.small()
	case.add("mkrootfs", lambda folder: pull(under(folder, "store"), layout))
	add_floor(case, "tar", tar)
	add_mkfs_erofs(case, tar, inputs.small_tree())
	add_tar(case, tar, "tar")
	add_umoci(case, layout)
	goal_mkfs(case)
	goal_memory(case, inputs.sizes.small)
	return case


def empty_files(inputs, scope):
	case = Case("empty-files", f"{inputs.sizes.empty} empty files in one plain layer")
	layout, tar = inputs.empty_layout(), inputs.empty()
	case.add("mkrootfs", lambda folder: pull(under(folder, "store"), layout))
	add_floor(case, "tar", tar)
	add_mkfs_erofs(case, tar, inputs.empty_tree())
	add_tar(case, tar, "tar")
	goal_mkfs(case)
	goal_memory(case, inputs.sizes.empty)
	return case


def goal_mkfs(case):
	for name in [one.name for one in case.contenders if one.name.startswith("mkfs.erofs")]:
		case.goal(f"CPU over {name}", "cpu", name, 0.3)


def goal_memory(case, inodes, layers=1):
	case.goal("memory: 24 MiB, 8 for each further layer in flight, 100 bytes an inode", "memory", None, 24 * MIB + 8 * MIB * (layers - 1) + 100 * inodes)


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


def add_mkfs_ext4(case, name, options):
	path = peers.find("mkfs.ext4")
	command = (lambda folder: shell('truncate -s 10G upper; exec "$1" -q -F -E "$2" upper', path, options)) if path else None
	case.add(name, command, note="not in PATH" if command is None else "")


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
	for name, arguments in (("version", ["version"]), ("upper", ["upper", "-q", "-f", "upper"]), ("ls", ["ls", "--store", store, "it:/"]),
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

	add_registry_pull(case, "mkrootfs", lambda where: ours("pull", "-q", "--store", where, registry), store, again)
	path = peers.find("msb")
	add_registry_pull(case, "msb pull", path and (lambda where: ["env", f"MSB_HOME={where}", path, "pull", "-q", "--insecure", registry]), store, again)
	if not again:
		add_skopeo(case, registry)
	return case


def add_registry_pull(case, name, command, store, again):
	if command is None:
		return case.add(name, None, note=f"{name.split()[0]} is not in PATH")

	def make_ready(folder):
		where = store(name, folder)
		if again and not os.listdir(where):
			measure.run(command(where))

	return case.add(name, lambda folder: command(store(name, folder)), before=make_ready)


def add_skopeo(case, registry):
	skopeo, umoci = peers.find("skopeo"), peers.find("umoci")
	if skopeo is None:
		return case.add("skopeo copy", None, note="not in PATH")
	copy = '"$1" copy --quiet --insecure-policy --src-tls-verify=false "docker://$2" oci:image:it'
	case.add("skopeo copy", lambda folder: shell(f"exec {copy}", skopeo, registry), note="fetches and hashes, unpacks nothing")
	if umoci:
		case.add("skopeo, umoci", lambda folder: shell(f'{copy}; exec "$3" unpack --image image:it bundle', skopeo, registry, umoci))


def pull_image(inputs, scope):
	case = pull_cases(inputs, scope, "pull", "a whole image from a registry on this machine", again=False)
	for text, what, most in (("wall", "wall", 0.5), ("CPU", "cpu", 0.5), ("memory", "memory", 0.25)):
		case.goal(f"{text} over msb's", what, "msb pull", most)
	return case


def re_pull(inputs, scope):
	case = pull_cases(inputs, scope, "re-pull", "the same image once more: nothing is new", again=True)
	case.goal("wall over msb's", "wall", "msb pull", 0.1)
	return case


CASES = {
	"layer-gzip": layer_gzip, "layer-zstd": layer_zstd, "layer-tar": layer_tar, "small-files": small_files, "empty-files": empty_files,
	"merge": merge, "pull": pull_image, "re-pull": re_pull, "upper": upper, "rootfs": rootfs, "export": export, "verify": verify, "start-up": start_up,
}
