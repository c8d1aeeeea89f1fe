# SPDX-License-Identifier: Apache-2.0
"""Tables that are read on a terminal and are Markdown as well, and numbers for them.

	table.lines(["what", "CPU s"], [["ours", "0.71"]])      the first column to the left, the others to the right
"""


def lines(head, rows):
	widths = [max(len(str(row[column])) for row in [head, *rows]) for column in range(len(head))]

	def line(cells):
		padded = [str(cell).rjust(width) if column else str(cell).ljust(width) for column, (cell, width) in enumerate(zip(cells, widths))]
		return "| " + " | ".join(padded) + " |"

	rule = "|" + "|".join(("-" * (width + 1) + ":") if column else "-" * (width + 2) for column, width in enumerate(widths)) + "|"
	return [line(head), rule, *map(line, rows)]


def show(head, rows):
	print("\n".join(lines(head, rows)), flush=True)


def number(value):
	"""Three digits that count, without exponents."""
	if value is None:
		return "-"
	if value == 0:
		return "0"
	size = abs(value)
	digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 1 else 3 if size >= 0.1 else 4
	return f"{value:.{digits}f}"


def spread(value, factor=1.0):
	"""A median and where most lie: 1.04 [1.02..1.07]."""
	if value is None:
		return "-"
	if len(value.values) == 1:
		return number(value.median * factor)
	return f"{number(value.median * factor)} [{number(value.low * factor)}..{number(value.high * factor)}]"


def mebibytes(value):
	return number(value / (1 << 20))


def megabytes(value):
	return number(value / 1e6)
