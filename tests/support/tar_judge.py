#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What others make of a tar, in the listing of tar_tree.py.

    tar_judge.py tarfile TAR          Python's own reader
    tar_judge.py gnu|bsd TAR FOLDER   the tree that GNU tar or bsdtar unpacks into the new FOLDER, in the
                                      archive's order
"""

import hashlib
import os
import subprocess
import sys
import tarfile

import tar_tree
from tar_tree import escape

KINDS = {tarfile.REGTYPE: "file", tarfile.LNKTYPE: "hardlink", tarfile.SYMTYPE: "symlink",
         tarfile.CHRTYPE: "character", tarfile.BLKTYPE: "block", tarfile.DIRTYPE: "directory",
         tarfile.FIFOTYPE: "fifo", tarfile.GNUTYPE_SPARSE: "file"}

COMMANDS = {
    "gnu": ["tar", "--xattrs", "--xattrs-include=*", "--numeric-owner", "-xpf"],
    "bsd": ["bsdtar", "--numeric-owner", "--xattrs", "--acls", "-xpf"],
}


def raw(text):
    return text.encode("utf-8", "surrogateescape")


def members(path):
    with tarfile.open(path, encoding="utf-8", errors="surrogateescape") as archive:
        yield from ((archive, member) for member in archive)


def time_of(member):
    """Exact: the record's text, not tarfile's float."""
    whole, _, fraction = member.pax_headers.get("mtime", str(member.mtime)).partition(".")
    nanoseconds = int((whole.startswith("-") and "-" or "") + (fraction + "0" * 9)[:9])
    seconds, nanoseconds = divmod(int(whole) * 10**9 + nanoseconds, 10**9)
    if not seconds and not nanoseconds:
        return ""
    return " mtime=%d" % seconds + ("+%d" % nanoseconds if nanoseconds else "")


def xattrs_of(member):
    prefix = "SCHILY.xattr."
    found = {raw(key[len(prefix):]).replace(b"%3D", b"=").replace(b"%25", b"%"): raw(value)
             for key, value in member.pax_headers.items() if key.startswith(prefix)}
    return "".join(' xattr.%s="%s"' % (escape(name), escape(found[name])) for name in sorted(found))


def line_of(archive, member):
    kind = KINDS[member.type]
    line = "%s %s" % (kind, escape(raw(member.name) + (b"/" if kind == "directory" else b"")))
    if kind in ("symlink", "hardlink"):
        line += " -> " + escape(raw(member.linkname))
    if kind in ("character", "block"):
        line += " %d:%d" % (member.devmajor, member.devminor)
    line += " mode=%04o" % member.mode
    line += "".join(" %s=%d" % pair for pair in (("uid", member.uid), ("gid", member.gid)) if pair[1])
    line += time_of(member)
    if kind == "file":
        data = archive.extractfile(member).read()
        line += " size=%d sha256=%s" % (member.size, hashlib.sha256(data).hexdigest()[:16])
    return line + xattrs_of(member) + "\n"


def list_tarfile(path):
    for archive, member in members(path):
        sys.stdout.write(line_of(archive, member))


def list_unpacked(tool, path, folder):
    os.mkdir(folder)
    subprocess.run([*COMMANDS[tool], path, "-C", folder], check=True, stdout=sys.stderr,
                   env={**os.environ, "LC_ALL": "C.UTF-8"})
    tree = tar_tree.Tree.__new__(tar_tree.Tree)
    tree.root = folder
    seen = {}
    for _, member in members(path):
        item = tar_tree.Item(raw(member.name))
        sys.stdout.write(tar_tree.line_of(tree, item, seen, True, True, False))


if __name__ == "__main__":
    if sys.argv[1] == "tarfile":
        list_tarfile(sys.argv[2])
    else:
        list_unpacked(*sys.argv[1:4])
