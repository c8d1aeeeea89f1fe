# SPDX-License-Identifier: Apache-2.0
"""The commands that cases set beside each other; each function adds one to a compare.Case, or a note that
it is missing.

	contenders.add_floor(case, "gzip", blob)
	case.add("mkrootfs", lambda folder: contenders.pull(store, layout))
"""

import os

from support import suite

from bench import measure, peers
from bench.compare import shell
from bench.generate import layout_folder


def ours(*arguments):
	return [suite.command_path(), *arguments]


def pull(store, layout, *options):
	return ours("pull", "-q", "--store", store, *options, f"oci:{layout_folder(layout)}:it")


def under(folder, name):
	return os.path.join(folder, name)


def add_one_core(case, layout):
	case.add("mkrootfs, one core", lambda folder: ["taskset", "-c", str(min(os.sched_getaffinity(0))), *pull(under(folder, "store"), layout)])


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


def add_inflate(case, blob):
	"""What one thread takes that does nothing but inflate."""
	program = measure.program("floor")
	if program:
		case.add("inflate alone", lambda folder: [program, "inflate", blob, "/dev/null"])


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


def add_mkfs_ext4(case, name, options):
	path = peers.find("mkfs.ext4")
	command = (lambda folder: shell('truncate -s 10G upper; exec "$1" -q -F -E "$2" upper', path, options)) if path else None
	case.add(name, command, note="not in PATH" if command is None else "")


def add_skopeo(case, registry):
	skopeo, umoci = peers.find("skopeo"), peers.find("umoci")
	if skopeo is None:
		return case.add("skopeo copy", None, note="not in PATH")
	copy = '"$1" copy --quiet --insecure-policy --src-tls-verify=false "docker://$2" oci:image:it'
	case.add("skopeo copy", lambda folder: shell(f"exec {copy}", skopeo, registry), note="fetches and hashes, unpacks nothing")
	if umoci:
		case.add("skopeo, umoci", lambda folder: shell(f'{copy}; exec "$3" unpack --image image:it bundle', skopeo, registry, umoci))


def add_manifest_fetchers(case, registry, times):
	"""What fetches an image's manifest and does nothing else: none of them can be asked for less."""
	skopeo, curl = peers.find("skopeo"), peers.find("curl")
	host, rest = registry.split("/", 1)
	name, tag = rest.rsplit(":", 1)
	url = f"http://{host}/v2/{name}/manifests/{tag}"
	case.add("skopeo inspect", skopeo and (lambda folder: [skopeo, "inspect", "--raw", "--tls-verify=false", f"docker://{registry}"]), times, note="manifest only" if skopeo else "not in PATH")
	case.add("curl", curl and (lambda folder: [curl, "-s", "-o", "manifest", url]), times, note="manifest only, without asking for TLS" if curl else "not in PATH")
