#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Tar archives, byte by byte, from a readable recipe. Python 3.8 or later, standard library only.

    tar_recipe.py layer.recipe -o layer.tar [--gzip | --zstd]    one archive; "-" is stdin or stdout
    tar_recipe.py cases.recipe -o folder                         a recipe of several: folder/NAME.tar
    tar_recipe.py cases.recipe --name NAME -o one.tar            one of several

    import tar_recipe
    data = tar_recipe.build('dir usr\nfile usr/x data="hi"\n')   bytes of one archive
    for name, archive in tar_recipe.parse(text).items(): archive.write(stream)

A library tar writer refuses to write most of what a reader must survive, and fits its output to the
input; here every byte follows from the recipe, and a recipe can say anything.


THE RECIPE

One line an entry. Words are separated by blanks; '#' at the start of a word opens a comment. A word
may hold "quoted parts" with blanks in them. Everywhere, quoted or not, these escapes count:

    \n \t \r \0 \\ \" \#      the usual bytes
    \xNN                      any byte
    \{TEXT*N}                 TEXT repeated N times (N may end in K, M or G)
    \{n}  \{n:06}             the counter of a 'repeat' line, the second zero-padded

A recipe is bytes: names in UTF-8, or in nothing at all, come out as they stand.
Numbers are decimal, or octal for mode=; sizes may end in K, M, G, T (powers of 1024).

    format pax|ustar|gnu|v7   form of the entries that follow; the first is pax
    dir PATH                  directory; a slash is put behind PATH unless slash=no
    file PATH                 regular file, empty unless data= or size= is given
    hardlink PATH -> TARGET
    symlink PATH -> TARGET
    char PATH MAJOR MINOR     device nodes
    block PATH MAJOR MINOR
    fifo PATH
    sparse PATH OFFSET:DATA.. file with holes; size= real size, form= gnu|0.0|0.1|1.0 (default 1.0);
                              comb=N*STEP:DATA is DATA at 0, STEP, .. N times
    whiteout PATH             OCI whiteout of PATH: the empty file DIR/.wh.NAME
    opaque DIR                the empty file DIR/.wh..wh..opq ('opaque .' for the root)
    entry T PATH              any type flag T (one character, or \xNN)
    global KEY=VALUE..        pax global header with these records; body= sets all of it
    extended KEY=VALUE..      pax extended header with these records; body= as above
    repeat N LINE             LINE N times, \{n} counting from 0
    raw TEXT                  the bytes of TEXT
    hex DIGITS..              the bytes of these hex digits
    zeros N                   N zero bytes
    pad                       zero bytes up to the next multiple of 512
    end N                     N zero blocks at the end of the archive instead of 2
    cut N                     in the end keep the first N bytes; cut -N drops the last N
    == NAME                   begins another archive, with the defaults of a new recipe

Options of an entry, after its words:

    mode=0644 uid=0 gid=0 uname= gname=
    mtime=SECONDS             may be negative or have a fraction; default 0
    data="..."                content
    size=N                    length of the content; without data= it is filled by
    fill=zero|lines|random    zeros (default); 16-byte lines that tell their offset; noise by PATH
    tar="RECIPE"              the content is an archive of its own, without end blocks (a lure for
                              readers that lose their way); lines are separated by \n
    link=TARGET               any entry's link name
    major=N minor=N
    format=F                  form of this entry alone
    xattr.NAME=VALUE          record SCHILY.xattr.NAME (pax)
    pax.KEY=VALUE             any record of the entry's own 'x' header, in the order given
    paxbody="..."             the whole body of the 'x' header, instead of records
    longname=TEXT longlink=TEXT   a GNU 'L' or 'K' record with these bytes and a NUL
    field.NAME=BYTES          overwrites a header field, before the checksum is made: name mode uid
                              gid size mtime type link magic version uname gname major minor
                              prefix, filled up by NULs; or bytes at any OFFSET; chksum after it
    field.sizes=N             the size field says N, whatever the content has
    checksum=signed|bad       sum of signed bytes; a wrong sum
    padding=no                no zeros up to the block boundary behind the content

What a form cannot hold is an error, except that pax writes an 'x' header for it (long or non-ASCII
names, big or negative or fractional numbers) and gnu writes 'L', 'K' and base-256 numbers.
"""

import argparse
import gzip
import hashlib
import os
import subprocess
import sys

BLOCK = 512
CHUNK = 1 << 20
TYPES = {"file": b"0", "hardlink": b"1", "symlink": b"2", "char": b"3", "block": b"4", "dir": b"5",
         "fifo": b"6"}
FIELDS = {"name": (0, 100), "mode": (100, 8), "uid": (108, 8), "gid": (116, 8), "size": (124, 12),
          "mtime": (136, 12), "chksum": (148, 8), "type": (156, 1), "link": (157, 100),
          "magic": (257, 6), "version": (263, 2), "uname": (265, 32), "gname": (297, 32),
          "major": (329, 8), "minor": (337, 8), "prefix": (345, 155)}
MAGIC = {"v7": b"", "ustar": b"ustar\x0000", "pax": b"ustar\x0000", "gnu": b"ustar  \0"}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


class RecipeError(Exception):
    """A recipe that makes no sense; the message names the line."""


# ---- Content: pieces of bytes, or of a rule that yields any range of them ----

class Fill:
    """size bytes by a rule, made when they are written."""

    def __init__(self, rule, size, seed=b""):
        if rule not in ("zero", "lines", "random"):
            raise RecipeError("unknown fill '%s'" % rule)
        self.rule, self.size, self.seed = rule, size, seed

    def __len__(self):
        return self.size

    def chunk(self, offset, size):
        """Bytes [offset, offset + size) of the rule; offset is a multiple of CHUNK."""
        if self.rule == "zero":
            return bytes(size)
        if self.rule == "random":
            return hashlib.shake_128(b"%s %d" % (self.seed, offset)).digest(size)
        lines = b"".join(b"%015x\n" % at for at in range(offset, offset + size, 16))
        return lines[:size]

    def chunks(self):
        for offset in range(0, self.size, CHUNK):
            yield self.chunk(offset, min(CHUNK, self.size - offset))


def piece_chunks(piece):
    return piece.chunks() if isinstance(piece, Fill) else iter((piece,))


# ---- Words of a line ----

SIMPLE = {ord("n"): b"\n", ord("t"): b"\t", ord("r"): b"\r", ord("0"): b"\0", ord("\\"): b"\\",
          ord('"'): b'"', ord("#"): b"#"}


def number(text):
    """'12', '0x1f', '10M', '-1' -> int"""
    text = text.decode() if isinstance(text, bytes) else text
    unit = UNITS.get(text[-1:], 1)
    try:
        return int(text[:-1] if unit > 1 else text, 0) * unit
    except ValueError:
        raise RecipeError("'%s' is no number" % text)


def braces(body, counter):
    """What stands between \\{ and } -> bytes"""
    if body == b"n" or body.startswith(b"n:0"):
        if counter is None:
            raise RecipeError("\\{n} outside of a repeat line")
        return b"%0*d" % (int(body[3:] or 1), counter)
    text, star, count = body.rpartition(b"*")
    if not star:
        raise RecipeError("\\{...} is neither TEXT*N nor n")
    return split_words(b'"' + text + b'"', counter)[0] * number(count)


def escape_at(line, at, counter):
    """The bytes that the escape at line[at] stands for, and where the line goes on."""
    kind = line[at + 1] if at + 1 < len(line) else None
    if kind in SIMPLE:
        return SIMPLE[kind], at + 2
    if kind == ord("x"):
        return bytes.fromhex(line[at + 2:at + 4].decode()), at + 4
    if kind == ord("{"):
        end = line.index(b"}", at)
        return braces(line[at + 2:end], counter), end + 1
    raise RecipeError("unknown escape")


def split_words(line, counter=None):
    words, word, at, quoted = [], None, 0, False
    while at < len(line):
        byte = line[at:at + 1]
        if byte == b"\\":
            text, at = escape_at(line, at, counter)
            word = (word or b"") + text
            continue
        at += 1
        if byte == b'"':
            quoted = not quoted
            word = word or b""
        elif not quoted and byte in b" \t\r":
            if word is not None:
                words.append(word)
            word = None
        elif not quoted and word is None and byte == b"#":
            break
        else:
            word = (word or b"") + byte
    if quoted:
        raise RecipeError("a quote is not closed")
    return words + ([word] if word is not None else [])


# ---- Encodings ----

def base256(value, width):
    return (value & ((1 << (8 * width)) - 1) | 1 << (8 * width - 1)).to_bytes(width, "big")


def octal(value, width):
    """The field, or None when the number does not fit."""
    if value < 0 or value >= 8 ** (width - 1):
        return None
    return b"%0*o\0" % (width - 1, value)


def pax_record(key, value):
    body = b" " + key + b"=" + value + b"\n"
    size = len(body) + 1
    while len(b"%d" % size) + len(body) != size:
        size = len(b"%d" % size) + len(body)
    return b"%d" % size + body


def split_prefix(path):
    """(prefix, name) as ustar stores a long path, or None."""
    if len(path) <= 100:
        return b"", path
    for at in range(max(len(path) - 101, 1), min(156, len(path) - 1)):
        if path[at:at + 1] == b"/":
            return path[:at], path[at + 1:]
    return None


def decimal_time(text):
    """'1.5' -> (1, True): whole seconds below it, and whether only a record can hold it."""
    text = text.decode() if isinstance(text, bytes) else str(text)
    whole, dot, fraction = text.partition(".")
    seconds = int(whole)
    if whole.startswith("-") and fraction.strip("0"):
        seconds -= 1
    return seconds, bool(dot)


class Header:
    """One 512-byte header in the making, and the records that its numbers asked for."""

    def __init__(self, form):
        self.form = form
        self.block = bytearray(BLOCK)
        self.records = []
        magic = MAGIC[form]
        self.block[257:257 + len(magic)] = magic

    def put(self, name, data):
        at, width = FIELDS[name] if name in FIELDS else (int(name), len(data))
        if len(data) > width or at + width > BLOCK:
            raise RecipeError("'%s' does not fit the field %s" % (data.decode("latin-1"), name))
        self.block[at:at + width] = data.ljust(width, b"\0")

    def put_number(self, name, value, key=None):
        width = FIELDS[name][1]
        field = octal(value, width)
        if field is None and self.form == "gnu":
            field = base256(value, width)
        if field is None and self.form == "pax" and key:
            self.records.append((key, b"%d" % value))
            field = octal(0, width)
        if field is None:
            raise RecipeError("%s %d does not fit the form %s" % (name, value, self.form))
        self.put(name, field)

    def seal(self, checksum):
        self.block[148:156] = b" " * 8
        total = sum(self.block)
        if checksum == b"signed":
            total -= 256 * sum(1 for byte in self.block if byte >= 128)
        if checksum == b"bad":
            total += 1
        self.block[148:156] = b"%06o\0 " % total
        return bytes(self.block)


# ---- An archive ----

class Archive:
    """The pieces of one archive, in order."""

    def __init__(self):
        self.form = "pax"
        self.pieces = []
        self.end_blocks = 2
        self.keep = None

    # -- adding --

    def add(self, piece):
        self.pieces.append(piece)

    def add_padded(self, piece):
        self.add(piece)
        self.add(bytes(-len(piece) % BLOCK))

    def add_extension(self, flag, name, body, form="ustar"):
        header = Header(form)
        header.put("name", name)
        header.put("type", flag)
        for field, value in (("mode", 0o644), ("uid", 0), ("gid", 0), ("mtime", 0)):
            header.put_number(field, value)
        header.put_number("size", len(body))
        self.add(header.seal(None))
        self.add_padded(body)

    def add_records_header(self, flag, name, records):
        body = dict(records).get(b"body")
        if body is None:
            body = b"".join(pax_record(key, value) for key, value in records)
        self.add_extension(flag, name, body)

    def entry(self, flag, path, options=None, content=b"", content_records=()):
        """Appends a member. options: the recipe's by name, all bytes; b"records": [(key, value)]."""
        options = dict(options or {})
        form = options.pop(b"format", self.form.encode()).decode()
        header = Header(form)
        content = self.content_of(path, options, content)
        self.put_names(header, path, options)
        self.put_numbers(header, options, content)
        header.put("type", flag)
        self.add_records(header, path, options, content_records)
        self.put_fields(header, options)
        chksum = options.pop(b"field.chksum", None)
        block = bytearray(header.seal(options.pop(b"checksum", None)))
        if chksum is not None:
            block[148:148 + len(chksum)] = chksum
        self.add(bytes(block))
        self.add(content)
        if options.pop(b"padding", b"") != b"no":
            self.add(bytes(-len(content) % BLOCK))
        if options:
            raise RecipeError("unknown option '%s'" % b" ".join(options).decode("latin-1"))

    @staticmethod
    def content_of(path, options, content):
        data, size = options.pop(b"data", None), options.pop(b"size", None)
        inner = options.pop(b"tar", None)
        if inner is not None:
            data = build(b"end 0\n" + inner)
        fill = options.pop(b"fill", b"zero").decode()
        if data is not None:
            content = data
        if size is None or isinstance(content, Fill):
            return content
        if len(content) == 0:
            return Fill(fill, number(size), path)
        return content[:number(size)].ljust(number(size), b"\0")

    def put_names(self, header, path, options):
        link = options.pop(b"link", b"")
        longname, longlink = options.pop(b"longname", None), options.pop(b"longlink", None)
        if header.form == "gnu":
            longlink = link if longlink is None and len(link) > 100 else longlink
            longname = path if longname is None and len(path) > 100 else longname
        if longlink is not None:
            self.add_extension(b"K", b"././@LongLink", longlink + b"\0", "gnu")
        if longname is not None:
            self.add_extension(b"L", b"././@LongLink", longname + b"\0", "gnu")
        if header.form == "pax":
            for key, text in ((b"path", path), (b"linkpath", link)):
                if len(text) > 100 or not text.isascii():
                    header.records.append((key, text))
        if header.form in ("pax", "gnu"):
            header.put("name", path[:100])
            header.put("link", link[:100])
        else:
            parts = split_prefix(path) if header.form == "ustar" else (b"", path)
            if parts is None:
                raise RecipeError("the path does not fit prefix and name")
            header.put("prefix", parts[0])
            header.put("name", parts[1])
            header.put("link", link)

    @staticmethod
    def put_numbers(header, options, content):
        header.put_number("mode", int(options.pop(b"mode", b"0644"), 8))
        header.put_number("uid", number(options.pop(b"uid", b"0")), b"uid")
        header.put_number("gid", number(options.pop(b"gid", b"0")), b"gid")
        said = options.pop(b"field.sizes", None)
        header.put_number("size", number(said) if said else len(content), b"size")
        Archive.put_time(header, options.pop(b"mtime", b"0"))
        if header.form != "v7":
            header.put("uname", options.pop(b"uname", b""))
            header.put("gname", options.pop(b"gname", b""))
        major, minor = options.pop(b"major", None), options.pop(b"minor", None)
        if major is not None:
            header.put_number("major", number(major))
        if minor is not None:
            header.put_number("minor", number(minor))

    @staticmethod
    def put_time(header, text):
        seconds, fractional = decimal_time(text)
        if not fractional:
            header.put_number("mtime", seconds, b"mtime")
        elif header.form != "pax":
            raise RecipeError("only pax has fractions of a second")
        else:
            header.records.append((b"mtime", text if isinstance(text, bytes) else text.encode()))
            header.put("mtime", octal(max(seconds, 0), 12) or octal(0, 12))

    def add_records(self, header, path, options, content_records):
        records = header.records + list(content_records) + options.pop(b"records", [])
        body = options.pop(b"paxbody", None)
        if body is None:
            body = b"".join(pax_record(key, value) for key, value in records)
        if body:
            name = b"PaxHeaders/" + path.rstrip(b"/").rpartition(b"/")[2]
            self.add_extension(b"x", name[:100], body)

    @staticmethod
    def put_fields(header, options):
        for option in list(options):
            if option.startswith(b"field.") and option != b"field.chksum":
                header.put(option[6:].decode(), options.pop(option))

    # -- sparse files --

    def sparse(self, path, segments, options):
        """segments: [(offset, bytes)]; nothing is checked."""
        form = options.pop(b"form", b"1.0").decode()
        size = number(options.pop(b"size", b"0"))
        spans = [(offset, len(data)) for offset, data in segments]
        data = b"".join(data for _, data in segments)
        real = b"%d" % size
        if form == "gnu":
            return self.sparse_gnu(path, spans, data, size, options)
        records = {
            "0.0": lambda: [(b"GNU.sparse.size", real), (b"GNU.sparse.numblocks", b"%d" % len(spans))]
            + [pair for at, n in spans for pair in ((b"GNU.sparse.offset", b"%d" % at),
                                                    (b"GNU.sparse.numbytes", b"%d" % n))],
            "0.1": lambda: [(b"GNU.sparse.size", real), (b"GNU.sparse.numblocks", b"%d" % len(spans)),
                            (b"GNU.sparse.name", path),
                            (b"GNU.sparse.map", b",".join(b"%d,%d" % span for span in spans))],
            "1.0": lambda: [(b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"),
                            (b"GNU.sparse.name", path), (b"GNU.sparse.realsize", real)],
        }.get(form)
        if not records:
            raise RecipeError("unknown sparse form '%s'" % form)
        if form == "1.0":
            text = b"%d\n" % len(spans) + b"".join(b"%d\n%d\n" % span for span in spans)
            data = text + bytes(-len(text) % BLOCK) + data
        stored = path
        if form != "0.0":
            folder, slash, name = path.rpartition(b"/")
            stored = folder + slash + b"GNUSparseFile.0/" + name
        self.entry(b"0", stored, options, data, records())

    def sparse_gnu(self, path, spans, data, size, options):
        field = lambda value: octal(value, 12) or base256(value, 12)
        pairs = [field(at) + field(n) for at, n in spans]
        head, rest = b"".join(pairs[:4]), pairs[4:]
        options.setdefault(b"field.386", head.ljust(96, b"\0") + (b"\1" if rest else b"\0") + field(size))
        blocks = b""
        while rest:
            block, rest = b"".join(rest[:21]), rest[21:]
            blocks += block.ljust(504, b"\0") + (b"\1" if rest else b"\0") + bytes(7)
        options[b"format"] = b"gnu"
        options.setdefault(b"field.sizes", b"%d" % len(data))
        options[b"padding"] = b"no"
        self.entry(b"S", path, options, blocks + data + bytes(-len(data) % BLOCK))

    # -- lines --

    def line(self, text, counter=None):
        words = split_words(text, counter)
        if not words:
            return
        verb = words[0].decode()
        action = getattr(self, "do_" + verb, None)
        if action:
            action(words[1:])
        elif verb in TYPES:
            self.do_member(verb, words[1:])
        else:
            raise RecipeError("unknown word '%s'" % verb)

    @staticmethod
    def pairs_of(words):
        for word in words:
            key, equals, value = word.partition(b"=")
            if not equals:
                raise RecipeError("'%s' is no option" % word.decode("latin-1"))
            yield key, value

    @staticmethod
    def options_of(words):
        """Options by name; records apart under b"records", since a key may come twice in a header."""
        options = {b"records": []}
        for key, value in Archive.pairs_of(words):
            if key.startswith(b"pax."):
                options[b"records"].append((key[4:], value))
            elif key.startswith(b"xattr."):
                options[b"records"].append((b"SCHILY.xattr." + key[6:], value))
            else:
                options[key] = value
        return options

    def do_member(self, verb, words):
        path, rest, extra = words[0], words[1:], {}
        if verb in ("hardlink", "symlink"):
            if rest[:1] != [b"->"]:
                raise RecipeError("-> is missing")
            extra, rest = {b"link": rest[1]}, rest[2:]
        elif verb in ("char", "block"):
            extra, rest = {b"major": rest[0], b"minor": rest[1]}, rest[2:]
        options = {**extra, **self.options_of(rest)}
        if verb == "dir":
            if options.pop(b"slash", b"") != b"no" and not path.endswith(b"/"):
                path += b"/"
        options.setdefault(b"mode", {"dir": b"0755", "symlink": b"0777"}.get(verb, b"0644"))
        self.entry(TYPES[verb], path, options)

    def do_entry(self, words):
        self.entry(words[0], words[1], self.options_of(words[2:]))

    def do_sparse(self, words):
        segments, options = [], []
        for word in words[1:]:
            offset, colon, data = word.partition(b":")
            if word.startswith(b"comb="):
                count, _, step = offset[5:].partition(b"*")
                segments += [(at * number(step), data) for at in range(number(count))]
            elif colon and offset[:1].isdigit():
                segments.append((number(offset), data))
            else:
                options.append(word)
        self.sparse(words[0], segments, self.options_of(options))

    def do_whiteout(self, words):
        folder, slash, name = words[0].rpartition(b"/")
        self.do_member("file", [folder + slash + b".wh." + name] + words[1:])

    def do_opaque(self, words):
        folder = b"" if words[0] == b"." else words[0].rstrip(b"/") + b"/"
        self.do_member("file", [folder + b".wh..wh..opq"] + words[1:])

    def do_format(self, words):
        self.form = words[0].decode()
        if self.form not in MAGIC:
            raise RecipeError("unknown format '%s'" % self.form)

    def do_global(self, words):
        self.add_records_header(b"g", b"pax_global_header", list(self.pairs_of(words)))

    def do_extended(self, words):
        self.add_records_header(b"x", b"PaxHeaders/extended", list(self.pairs_of(words)))

    def do_raw(self, words):
        self.add(b" ".join(words))

    def do_hex(self, words):
        self.add(bytes.fromhex(b"".join(words).decode()))

    def do_zeros(self, words):
        self.add(Fill("zero", number(words[0])))

    def do_pad(self, words):
        self.add(bytes(-sum(map(len, self.pieces)) % BLOCK))

    def do_end(self, words):
        self.end_blocks = number(words[0])

    def do_cut(self, words):
        self.keep = number(words[0])

    # -- output --

    def size(self):
        total = sum(map(len, self.pieces)) + BLOCK * self.end_blocks
        if self.keep is None:
            return total
        return min(total, self.keep) if self.keep >= 0 else max(total + self.keep, 0)

    def chunks(self):
        left = self.size()
        for piece in self.pieces + [Fill("zero", BLOCK * self.end_blocks)]:
            for chunk in piece_chunks(piece):
                chunk = chunk[:left]
                left -= len(chunk)
                if chunk:
                    yield chunk

    def write(self, stream):
        for chunk in self.chunks():
            stream.write(chunk)


# ---- Recipes ----

def repeated(line):
    """'repeat 3 file x' -> (b'file x', range(3)); any other line once."""
    words = line.split(None, 2)
    if len(words) == 3 and words[0] == b"repeat":
        return words[2], range(number(words[1]))
    return line, (None,)


def parse(text):
    """The archives of a recipe by name; one without a '==' line has the name ''."""
    text = text.encode() if isinstance(text, str) else text
    archives = {"": Archive()}
    current = archives[""]
    for at, line in enumerate(text.split(b"\n"), 1):
        try:
            if line.startswith(b"== "):
                current = archives.setdefault(line[3:].strip().decode(), Archive())
                continue
            body, counters = repeated(line)
            for counter in counters:
                current.line(body, counter)
        except (RecipeError, ValueError, IndexError) as problem:
            raise RecipeError("line %d: %s: %s" % (at, problem, line.decode("latin-1")))
    if len(archives) > 1 and not archives[""].pieces:
        del archives[""]
    return archives


def build(text, name=None):
    """The bytes of a recipe's only archive, or of the one called name."""
    archives = parse(text)
    archive = archives[name] if name is not None else list(archives.values())[0]
    return b"".join(archive.chunks())


def save(archive, path, compression):
    stream = sys.stdout.buffer if path == "-" else open(path, "wb")
    if compression == "gzip":
        with gzip.GzipFile("", "wb", 6, stream, 0) as packed:
            archive.write(packed)
    elif compression == "zstd":
        with subprocess.Popen(["zstd", "-q", "-3", "-c"], stdin=subprocess.PIPE, stdout=stream) as tool:
            archive.write(tool.stdin)
            tool.stdin.close()
            if tool.wait() != 0:
                raise RecipeError("zstd failed")
    else:
        archive.write(stream)
    stream.flush()
    if path != "-":
        stream.close()


def load(recipe, name):
    """The archives of a recipe file by name, or only the one called name."""
    with (sys.stdin.buffer if recipe == "-" else open(recipe, "rb")) as stream:
        text = stream.read()
    try:
        archives = parse(text)
    except RecipeError as problem:
        raise RecipeError("%s: %s" % (recipe, problem))
    if name is None:
        return archives
    if name not in archives:
        raise RecipeError("%s: no archive '%s'" % (recipe, name))
    return {"": archives[name]}


def target(output, name, recipe, compression):
    """Where an archive goes: output itself, or a file of its own name in the folder output."""
    if not name and not os.path.isdir(output):
        return output
    os.makedirs(output, exist_ok=True)
    stem = name or os.path.splitext(os.path.basename(recipe))[0]
    return os.path.join(output, stem + {None: ".tar", "gzip": ".tar.gz", "zstd": ".tar.zst"}[compression])


def main():
    options = argparse.ArgumentParser(description="Make tar archives from a recipe.")
    options.add_argument("recipe", nargs="+")
    options.add_argument("-o", "--output", required=True, help="a tar, or a folder for several")
    options.add_argument("--name", help="take this one of several archives")
    options.add_argument("--gzip", dest="compression", action="store_const", const="gzip")
    options.add_argument("--zstd", dest="compression", action="store_const", const="zstd")
    given = options.parse_args()
    for recipe in given.recipe:
        for name, archive in load(recipe, given.name).items():
            save(archive, target(given.output, name, recipe, given.compression), given.compression)


if __name__ == "__main__":
    try:
        main()
    except (RecipeError, OSError) as failure:
        sys.exit("tar_recipe.py: %s" % failure)
