# SPDX-License-Identifier: Apache-2.0
"""One layer to a verified image: by compression, by the number of its files."""

import os

from bench import measure
from bench.compare import Case
from bench.contenders import add_floor, add_inflate, add_mkfs_erofs, add_one_core, add_tar, add_umoci, pull, under

MIB = 1 << 20


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


def layer_gzip(inputs, scope):
	case = layer(inputs, "gzip")
	case.goal("CPU over the floor", "cpu", "floor", 1.15)
	case.goal("wall over inflating alone", "wall", "inflate alone", 1.35)
	add_inflate(case, inputs.layer("gzip"))
	return case


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
