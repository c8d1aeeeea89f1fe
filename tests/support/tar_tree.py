#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tars of a small real tree, made by the tar programs at hand, and what a reader must make of them.

    tar_tree.py FOLDER        writes FOLDER/NAME.tar and FOLDER/NAME.listing for every tool and format

The listing comes from the tree itself, by lstat and getxattr, never from a tar. One line an entry:

    TYPE PATH [-> TARGET] [MAJOR:MINOR] mode=OCTAL [uid=] [gid=] [mtime=SECONDS[+NANOSECONDS]]
        [size=BYTES sha256=16 HEX DIGITS] [xattr.NAME="value"]..

with the escapes of fixtures/tar/README.md. What the user or the filesystem does not allow (device nodes,
owners, attributes, ACLs) is left out of the tree.
"""

import hashlib
import os
import shutil
import stat
import subprocess
import sys

# What a format cannot hold is left out of its tar: long names, times before 1970, and so on.
V7, USTAR, GNU, PAX = range(4)


class Item:
    def __init__(self, path, needs=V7):
        self.path = path    # bytes, relative to the tree
        self.needs = needs  # the least format that can hold it


class Tree:
    """The files, in the order in which they go into a tar."""

    def __init__(self, root):
        self.root = root
        self.items = []
        os.mkdir(root)

    def at(self, path):
        return os.path.join(os.fsencode(self.root), path)

    def add(self, path, needs=V7, mtime=1500000000 * 10**9):
        os.utime(self.at(path), ns=(0, mtime), follow_symlinks=False)
        self.items.append(Item(path, needs))

    def directory(self, path, mode=0o755, **more):
        os.mkdir(self.at(path))
        os.chmod(self.at(path), mode)
        self.add(path, **more)

    def file(self, path, data=b"", mode=0o644, uid=0, attributes=(), **more):
        with open(self.at(path), "wb") as stream:
            stream.write(data)
        if uid:
            os.chown(self.at(path), uid, uid)
        os.chmod(self.at(path), mode)
        for name, value in attributes:
            os.setxattr(self.at(path), name, value)
        self.add(path, **more)

    def sparse(self, path, size, pieces, **more):
        with open(self.at(path), "wb") as stream:
            stream.truncate(size)
            for offset, data in pieces:
                stream.seek(offset)
                stream.write(data)
        self.add(path, **more)

    def link(self, path, target):
        os.link(self.at(target), self.at(path), follow_symlinks=False)
        self.items.append(Item(path))

    def symlink(self, path, target, **more):
        os.symlink(target, self.at(path))
        self.add(path, **more)

    def node(self, path, kind, major, minor):
        os.mknod(self.at(path), kind | 0o640, os.makedev(major, minor))
        self.add(path, USTAR)

    def acl(self, path, *words):
        subprocess.run(["setfacl", *words, self.at(path)], check=True)


def attempt(what, function):
    try:
        function()
    except (OSError, subprocess.CalledProcessError) as problem:
        print("left out: %s: %s" % (what, problem), file=sys.stderr)


def populate(tree):
    tree.directory(b"d")
    tree.directory(b"t", mode=0o1777)
    tree.file(b"d/empty")
    tree.file(b"d/text", b"hello\n", mode=0o755)
    tree.file(b"d/block", b"x" * 512)
    tree.file(b"d/more", bytes(range(256)) * 300)
    tree.link(b"d/linked", b"d/text")
    tree.symlink(b"d/symlink", b"../d/text")
    tree.link(b"d/symlinked", b"d/symlink")
    tree.symlink(b"dangling", b"nowhere/" + b"t" * 80)
    tree.file(b"d/caf\xc3\xa9")
    tree.file(b"d/e\xcc\x81")
    tree.file(b"d/\xff\xfe latin")
    tree.file(b"d/new\nline\\\"")
    tree.file(b"d/" + b"h" * 98)
    tree.directory(b"d/" + b"p" * 90, needs=USTAR)
    tree.file(b"d/" + b"p" * 90 + b"/" + b"n" * 90, b"long", needs=USTAR)
    tree.file(b"d/" + b"l" * 200, b"longer", needs=GNU)
    tree.symlink(b"d/far", b"f" * 300, needs=GNU)
    tree.file(b"before", mtime=-2 * 10**9, needs=GNU)
    tree.file(b"late", mtime=9 * 10**9 * 10**9, needs=GNU)
    tree.file(b"nano", mtime=1500000000123456789, needs=PAX)
    os.mkfifo(tree.at(b"fifo"))
    tree.add(b"fifo", USTAR)
    tree.sparse(b"holes", 1 << 20, [(0, b"a" * 4096), (1 << 19, b"b" * 8192)])
    tree.sparse(b"hole", 1 << 18, [])
    tree.sparse(b"comb", 64 << 13, [(i << 13, b"c" * 4096) for i in range(64)])
    tree.sparse(b"end", (1 << 18) + 5, [(1 << 18, b"tail\n")])
    attempt("owners", lambda: tree.file(b"owned", uid=1000, mode=0o4755))
    attempt("large owners", lambda: tree.file(b"large", uid=3059377464, needs=GNU))
    attempt("devices", lambda: tree.node(b"null", stat.S_IFCHR, 1, 3))
    attempt("devices", lambda: tree.node(b"disk", stat.S_IFBLK, 259, 1048575))
    attempt("attributes", lambda: tree.file(
        b"attributes", b"v", attributes=[("user.text", b"value"), ("user.raw", b"\0\n=\xff\n")]))
    attempt("capabilities", lambda: tree.file(
        b"ping", mode=0o755,
        attributes=[("security.capability", bytes.fromhex("01000002002000000000000000000000" + "00000000"))]))

    def with_acls():
        tree.directory(b"acls")
        tree.acl(b"acls", "-m", "u:1234567:rwx,g:7:r", "-d", "-m", "u:8:rw")
        tree.add(b"acls")
        tree.items.pop()
    attempt("ACLs", with_acls)


# ---- The listing ----

def escape(data):
    simple = {0: "\\0", 10: "\\n", 92: "\\\\"}
    out, at = "", 0
    while at < len(data):
        run = len(data) - at - len(data[at:].lstrip(data[at:at + 1]))
        one = simple.get(data[at]) or ("\\x%02x" % data[at] if data[at] <= 32 or data[at] >= 127
                                       or data[at] == 34 else chr(data[at]))
        out += "\\{%s*%d}" % (one, run) if run >= 16 else one
        at += run if run >= 16 else 1
    return out


def time_of(info, exact):
    seconds, nanoseconds = divmod(info.st_mtime_ns, 10**9)
    nanoseconds = nanoseconds if exact else 0
    if not seconds and not nanoseconds:
        return ""
    return " mtime=%d" % seconds + ("+%d" % nanoseconds if nanoseconds else "")


def content_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        data = stream.read()
    digest.update(data)
    return " size=%d sha256=%s" % (len(data), digest.hexdigest()[:16])


def attributes_of(path):
    try:
        names = sorted(os.fsencode(name) for name in os.listxattr(path, follow_symlinks=False))
    except OSError:
        return ""
    return "".join(' xattr.%s="%s"' % (escape(name), escape(os.getxattr(path, name, follow_symlinks=False)))
                   for name in names)


KINDS = {stat.S_IFREG: "file", stat.S_IFDIR: "directory", stat.S_IFLNK: "symlink",
         stat.S_IFCHR: "character", stat.S_IFBLK: "block", stat.S_IFIFO: "fifo"}


def line_of(tree, item, seen, exact, attributes, links_have_attributes):
    path = tree.at(item.path)
    info = os.lstat(path)
    kind = KINDS[stat.S_IFMT(info.st_mode)]
    name = item.path + (b"/" if kind == "directory" else b"")
    first = seen.setdefault(info.st_ino, item.path)
    target, rest = "", ""
    if first != item.path:
        kind, target = "hardlink", " -> " + escape(first)
    elif kind == "symlink":
        target = " -> " + escape(os.readlink(path))
    elif kind in ("character", "block"):
        target = " %d:%d" % (os.major(info.st_rdev), os.minor(info.st_rdev))
    elif kind == "file":
        rest = content_of(path)
    if attributes and (kind != "hardlink" or links_have_attributes):
        rest += attributes_of(path)
    owner = "".join(" %s=%d" % pair for pair in (("uid", info.st_uid), ("gid", info.st_gid)) if pair[1])
    mode = stat.S_IMODE(info.st_mode)
    return "%s %s%s mode=%04o%s%s%s\n" % (kind, escape(name), target, mode, owner,
                                          time_of(info, exact), rest)


# ---- The tars ----

TOOLS = [
    # name, least format, attributes are kept, what the tool cannot do in that format, command
    ("gnu-v7", V7, False, (), ["tar", "--format=v7"]),
    ("gnu-ustar", USTAR, False, (), ["tar", "--format=ustar"]),
    ("gnu-oldgnu", GNU, False, (), ["tar", "--format=oldgnu", "--sparse"]),
    ("gnu-gnu", GNU, False, (), ["tar", "--format=gnu"]),
    ("gnu-pax", PAX, True, (), ["tar", "--format=pax", "--xattrs", "--xattrs-include=*", "--acls"]),
    ("gnu-pax-0.0", PAX, False, (), ["tar", "--format=pax", "--sparse", "--sparse-version=0.0"]),
    ("gnu-pax-0.1", PAX, False, (), ["tar", "--format=pax", "--sparse", "--sparse-version=0.1"]),
    ("gnu-pax-1.0", PAX, True, (), ["tar", "--format=pax", "--sparse", "--sparse-version=1.0",
                                    "--xattrs", "--xattrs-include=*", "--acls"]),
    ("gnu-hole-raw", PAX, False, (), ["tar", "--format=pax", "--sparse", "--hole-detection=raw"]),
    ("bsd-ustar", USTAR, False, (b"disk", b"acls"), ["bsdtar", "--format=ustar"]),
    ("bsd-gnutar", GNU, False, (b"disk", b"acls", b"before", b"late"), ["bsdtar", "--format=gnutar"]),
    ("bsd-pax", PAX, True, (), ["bsdtar", "--format=pax", "--xattrs", "--acls"]),
    ("busybox", USTAR, False, (), ["busybox", "tar"]),
]


def names_of(items, name, flag):
    """The arguments that name the files in order. busybox knows no NULs and no end of options."""
    with open(name + ".names", "wb") as stream:
        stream.write(b"".join(item.path + b"\0" for item in items))
    return ["--null", "--no-recursion" if flag == "tar" else "-n", "-T", name + ".names"]


def make(tree, folder, name, form, keeps_attributes, cannot, command):
    target = os.path.join(folder, name)
    items = [item for item in tree.items if item.needs <= form and item.path not in cannot]
    if command[0] == "busybox":
        # It descends by itself and has no long links in its own form of ustar.
        items = [item for item in items if b"/" not in item.path and os.path.isfile(tree.at(item.path))
                 and not os.path.islink(tree.at(item.path))]
        arguments = [item.path for item in items]
    else:
        arguments = names_of(items, target, command[0])
    subprocess.run([*command, "-cf", target + ".tar", "-C", tree.root, *arguments], check=True,
                   env={**os.environ, "LC_ALL": "C.UTF-8"}, stderr=subprocess.DEVNULL)
    seen = {}
    with open(target + ".listing", "w") as stream:
        for item in items:
            stream.write(line_of(tree, item, seen, form == PAX, keeps_attributes, command[0] == "bsdtar"))


def main():
    folder = sys.argv[1]
    os.umask(0o022)
    tree = Tree(os.path.join(folder, "tree"))
    populate(tree)
    for tool in TOOLS:
        if not shutil.which(tool[4][0]):
            print("left out: %s: no %s here" % (tool[0], tool[4][0]), file=sys.stderr)
            continue
        make(tree, folder, *tool)


if __name__ == "__main__":
    main()
