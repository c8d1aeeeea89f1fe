# SPDX-License-Identifier: Apache-2.0
"""How time and memory of a pull grow: with bytes, with layers, with files. Each row of points is
compared with a straight line."""

import os
import tempfile

from support import many, oci_layout, tar_recipe

from bench import measure, stats, svg, table
from bench.contenders import pull
from bench.generate import Repeated
from bench.inputs import remove

MB = 1_000_000
# Points up to the largest scale; --scale cuts them off.
BYTES = (10 * MB, 50 * MB, 200 * MB, 500 * MB, 1000 * MB, 2000 * MB, 4000 * MB)
LAYERS = (1, 10, 50, 100, 200)
FILES = (1000, 10_000, 100_000, 300_000, 1_000_000)


class Curve:
	def __init__(self, name, unit, points, make):
		self.name, self.unit, self.points, self.make = name, unit, points, make
		self.results = []

	def measure(self, rounds):
		for point in self.points:
			with tempfile.TemporaryDirectory(prefix="growth-") as folder:
				image = oci_layout.Image(os.path.join(folder, "image"))
				self.make(image, point)
				image.commit("it")
				self.results.append([self.once(folder) for _ in range(rounds)])

	def once(self, folder):
		store = os.path.join(folder, "store")
		measure.settle()
		result = measure.run(pull(store, folder))
		remove(store)
		return result

	def medians(self, what):
		return [stats.Spread([getattr(result, what) for result in results]).median for results in self.results]

	def show(self):
		print(f"\n### growth with {self.name}\n")
		cpu, wall, memory = (self.medians(what) for what in ("cpu", "wall", "memory"))
		rows = [[point, table.number(one * 1000), table.number(other * 1000), table.mebibytes(most)] for point, one, other, most in zip(self.points, cpu, wall, memory)]
		table.show([self.unit, "CPU ms", "wall ms", "MiB"], rows)
		print()
		for name, values, factor, unit in (("CPU", cpu, 1e6, "us"), ("wall", wall, 1e6, "us"), ("memory", memory, 1, "bytes")):
			slope, start, residual = stats.line(self.points, values)
			print(f"- {name}: {table.number(slope * factor)} {unit} for each of {self.unit}, from {table.number(start * factor)} {unit}; off the line by {residual * 100:.1f}% of the largest")

	def json(self):
		return {"points": list(self.points), "results": [[result.numbers() for result in results] for results in self.results]}

	def chart(self):
		return svg.Lines(f"A pull and its {self.name}", self.unit, "seconds", list(self.points), {"CPU": self.medians("cpu"), "wall": self.medians("wall")})


def add_bytes(repeated):
	return lambda image, point: repeated.add_to(image, point * MB)


def add_layers(image, count):
	for number in range(count):
		image.add_layer(tar_recipe.build("\n".join(f"file d{number}/f{index} data={number}" for index in range(50))))


def add_files(image, count):
	path = os.path.join(image.folder, "layer.tar")
	with open(path, "wb") as out:
		for folder in range(count // 1000):
			out.write(many.entry(f"dir d{folder:04}") + many.empty_files(f"d{folder:04}/f", 1000))
		out.write(many.END)
	image.add_layer_file(path)


def curves(inputs, scale):
	"""scale is the part of the largest sizes that is still measured."""
	def cut(points):
		return [point for point in points if point <= max(points) * scale] or [min(points)]

	repeated = Repeated(inputs.layer("tar"), 10 * MB)
	return [Curve("bytes", "MB", [point // MB for point in cut(BYTES)], add_bytes(repeated)),
		Curve("layers", "layers", cut(LAYERS), add_layers), Curve("files", "files", cut(FILES), add_files)]
