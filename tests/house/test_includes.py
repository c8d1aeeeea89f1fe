#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the stack of docs/architecture.md, read off the #include lines.

usage: test_includes.py SOURCE-FOLDER
"""

import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": set(),
    "io": {"base"},
    "tree": {"base"},
    "vmdk": {"base"},
    "oci": {"base", "io"},
    "tar": {"base", "io"},
    "ext4": {"base", "io", "tree"},
    "store": {"base", "io"},
    "erofs": {"base", "io", "tree"},
    "rootfs": {"base", "io", "tree", "vmdk", "oci", "tar", "ext4", "store", "erofs"},
    "facade": {"base", "io", "rootfs"},
}

# Each library of others is the business of one file, or of the few that share one private header.
OWNERS = {
    "curl/": "lib/oci/http_session.h",
    "jansson.h": "lib/base/jval.c",
    "openssl/": "lib/base/digest.c",
    "xxhash.h": "lib/erofs/xxh3_engine.h",
    "zstd": "lib/io/zstd_source.c",
    "zlib.h": "lib/io/inflate_zlib.c",
    "isa-l": "lib/io/inflate_isal.c",
    "igzip": "lib/io/inflate_isal.c",
    "archive": None,
}

# A private header, and the files that may include it.
PRIVATE = {
    "lib/oci/http_session.h": "lib/oci/http*.c",
    "lib/erofs/xxh3_engine.h": "lib/erofs/xxh*.c",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def module_of(path, lib):
    """The folder of lib/ that a file belongs to."""
    parts = path.relative_to(lib).parts
    return parts[0] if len(parts) > 1 else "facade"


def check_quoted(path, name, root):
    """A quoted include must lead to a file of the same or of a lower module."""
    target = (path.parent / name).resolve()
    if not target.is_file():
        return f"includes '{name}', which is not there"
    if path.is_relative_to(root / "cli"):
        inside = target.is_relative_to(root / "cli")
        return None if inside else f"includes '{name}': the command only knows <mkrootfs.h>"
    lib = root / "lib"
    if not target.is_relative_to(lib):
        return f"includes '{name}' from outside lib/"
    users = PRIVATE.get(str(target.relative_to(root)))
    if users and not path.relative_to(root).match(users):
        return f"includes '{name}', which is for {users} alone"
    own, other = module_of(path, lib), module_of(target, lib)
    if own != other and other not in MAY_INCLUDE[own]:
        return f"'{own}' may not include '{other}' ('{name}')"
    return None


def check_system(path, name, root):
    """Libraries of others have one owner each; the command has none."""
    for prefix, owner in OWNERS.items():
        if not name.startswith(prefix):
            continue
        if str(path.relative_to(root)) != owner:
            return f"includes <{name}>, which is the business of {owner}"
    return None


def problems(root):
    """All rules that are broken."""
    for path in sorted([*root.glob("lib/**/*.[ch]"), *root.glob("cli/**/*.[ch]")]):
        for kind, name in INCLUDE.findall(path.read_text()):
            check = check_quoted if kind == '"' else check_system
            problem = check(path, name, root)
            if problem:
                yield f"{path.relative_to(root)}: {problem}"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    modules = {p.name for p in (root / "lib").iterdir() if p.is_dir()}
    found = list(problems(root))
    found += [f"lib/{name}: no rule for this folder" for name in modules - set(MAY_INCLUDE)]
    print("\n".join(found) or "all includes follow the rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
