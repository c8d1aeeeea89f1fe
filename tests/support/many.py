# SPDX-License-Identifier: Apache-2.0
"""Archives of very many entries, or of very large files, made in little time and memory.

	many.empty_files("d/name-", 1000)        bytes of 1,000 entries d/name-000000 ... of a v7 archive
	many.gzipped_file("big", size, {offset: b"mark"})      a blob whose archive is nowhere in whole
"""

import gzip

from support import tar_recipe

BLOCK = 512
END = bytes(2 * BLOCK)
DIGITS = 6
PIECE = 50 << 20  # bytes of zeros in one gzip member; no mark may lie across its end


def entry(recipe):
	return tar_recipe.build("end 0\nformat v7\n" + recipe)


def empty_files(prefix, count, first=0, flag=b"0"):
	"""Only the number in the name and the checksum differ: the rest is made once."""
	header = bytearray(entry(f"entry {flag.decode()} {prefix}{'0' * DIGITS}"))
	at = len(prefix)
	header[148:156] = b" " * 8
	base = sum(header) - DIGITS * ord("0")
	before, middle, behind = bytes(header[:at]), bytes(header[at + DIGITS:148]), bytes(header[156:])
	parts = []
	for number in range(first, first + count):
		digits = b"%0*d" % (DIGITS, number)
		parts.append(b"".join((before, digits, middle, b"%06o\0 " % (base + sum(digits)), behind)))
	return b"".join(parts)


def file_pieces(name, size, marks):
	"""The archive of one file of zeros with these marks, as (bytes or None for PIECE zeros)."""
	yield tar_recipe.build(f"end 0\nfile {name} field.sizes={size}\n")
	for start in range(0, size, PIECE):
		inside = [offset for offset in marks if start <= offset < start + PIECE]
		if not inside and start + PIECE <= size:
			yield None
			continue
		data = bytearray(min(PIECE, size - start))
		for offset in inside:
			data[offset - start:offset - start + len(marks[offset])] = marks[offset]
		assert len(data) <= PIECE, f"a mark across the end of the piece at {start}"
		yield bytes(data)
	yield bytes(-size % BLOCK) + END


def gzipped_file(name, size, marks):
	"""Gzip members, most of them the same: small, though the archive has gigabytes."""
	zeros = gzip.compress(bytes(PIECE), 1, mtime=0)
	return b"".join(zeros if piece is None else gzip.compress(piece, 1, mtime=0) for piece in file_pieces(name, size, marks))
