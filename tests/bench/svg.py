# SPDX-License-Identifier: Apache-2.0
"""Plots as SVG, with no library: they show on light and dark pages.

	svg.write("out.svg", [svg.Lines(title, x_name, y_name, xs, {"ours": ys}), svg.Dots(title, unit, rows, {"ours": values})])
"""

import html
import math

WIDTH, LEFT, RIGHT, TOP = 920, 310, 40, 50
COLOURS = ("#2f6fb0", "#d1772d", "#3f9a4c", "#a8518f", "#c0413b", "#7a7a7a")
STYLE = """text { font: 12px sans-serif; fill: #24292f } .title { font-size: 15px; font-weight: bold } .axis { stroke: #8c959f; fill: none }
.grid { stroke: #d0d7de; fill: none } .page { fill: #ffffff }
@media (prefers-color-scheme: dark) { text { fill: #d1d7e0 } .grid { stroke: #3d444d } .page { fill: #0d1117 } }"""


def text(x, y, content, anchor="start", kind=""):
	return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind and f" class={chr(34)}{kind}{chr(34)}"}>{html.escape(str(content))}</text>'


def path_line(x1, y1, x2, y2, kind):
	return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" class="{kind}"/>'


def legend(names, y):
	parts, x = [], LEFT
	for colour, name in zip(COLOURS, names):
		parts += [f'<rect x="{x}" y="{y - 10}" width="11" height="11" fill="{colour}"/>', text(x + 16, y, name)]
		x += 30 + 7 * len(name)
	return parts


def short(value):
	for size, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
		if value >= size:
			return f"{value / size:.3g}{suffix}"
	return f"{value:.3g}"


def ceiling_of(most):
	"""The next number above that four steps divide well."""
	unit = 10.0 ** math.floor(math.log10(most / 4))
	return 4 * next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor * 4 >= most * 0.999)


class Lines:
	"""Straight axes from zero, since the question is whether a line is straight."""

	def __init__(self, title, x_name, y_name, xs, series):
		self.title, self.x_name, self.y_name, self.xs, self.series = title, x_name, y_name, xs, series
		self.height = 300

	def draw(self, top):
		left, right, bottom, ceiling = 80, WIDTH - RIGHT, top + self.height - 50, top + TOP
		most_x, most_y = ceiling_of(max(self.xs)), ceiling_of(max(max(ys) for ys in self.series.values()))
		parts = [text(left, top + 20, f"{self.title}: {self.y_name}", kind="title"), *legend(self.series, top + 38),
			path_line(left, ceiling, left, bottom, "axis"), path_line(left, bottom, right, bottom, "axis"), text(right, bottom + 32, self.x_name, "end")]
		for step in range(5):
			y = bottom - (bottom - ceiling) * step / 4
			parts += [path_line(left, y, right, y, "grid"), text(left - 6, y + 4, short(most_y * step / 4), "end")]
			parts.append(text(left + (right - left) * step / 4, bottom + 16, short(most_x * step / 4), "middle"))
		for colour, ys in zip(COLOURS, self.series.values()):
			points = [(left + (right - left) * x / most_x, bottom - (bottom - ceiling) * y / most_y) for x, y in zip(self.xs, ys)]
			parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" fill="none" stroke="{colour}" stroke-width="2"/>')
			parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
		return parts


class Dots:
	"""A line for each row on a logarithmic axis, with a dot for each series: {name of series: values, None where there is
	none}. Two values of a row that are near each other still show, since a dot is seen through."""
	STEP = 21

	def __init__(self, title, unit, rows, series):
		self.title, self.unit, self.rows, self.series = title, unit, rows, series
		self.height = TOP + 40 + self.STEP * len(rows)

	def range(self):
		values = [value for values in self.series.values() for value in values if value]
		low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
		return low, max(high, low + 1)

	def draw(self, top):
		low, high = self.range()
		scale = (WIDTH - LEFT - RIGHT) / (high - low)
		bottom = top + TOP + self.STEP * len(self.rows)
		parts = [text(20, top + 20, self.title, kind="title"), *legend(self.series, top + 38)]
		for power in range(low, high + 1):
			x = LEFT + (power - low) * scale
			parts += [path_line(x, top + TOP, x, bottom, "grid"), text(x, bottom + 16, short(10.0 ** power), "middle")]
		parts.append(text(WIDTH - RIGHT, bottom + 32, self.unit, "end"))
		for index, row in enumerate(self.rows):
			parts += self.row(row, top + TOP + self.STEP * (index + 0.5), [values[index] for values in self.series.values()], low, scale)
		return parts

	def row(self, name, y, values, low, scale):
		places = [(LEFT + (math.log10(value) - low) * scale, colour) for value, colour in zip(values, COLOURS) if value]
		parts = [text(LEFT - 10, y + 4, name, "end")]
		if places:
			parts.append(path_line(min(x for x, _ in places), y, max(x for x, _ in places), y, "axis"))
		return parts + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{colour}" fill-opacity="0.85"/>' for x, colour in places]


def write(path, charts):
	parts, top = [], 0
	for chart in charts:
		parts += chart.draw(top)
		top += chart.height + 20
	head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" height="{top}">\n<style>{STYLE}</style>\n<rect width="100%" height="100%" class="page"/>\n'
	with open(path, "w", encoding="utf-8") as file:
		file.write(head + "\n".join(parts) + "\n</svg>\n")
