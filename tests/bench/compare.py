# SPDX-License-Identifier: Apache-2.0
"""A case: commands that do the same work, run in turn, so that what disturbs one disturbs all.

	case = compare.Case("layer-gzip", "a gzip layer to a verified image")
	case.add("mkrootfs", lambda folder: [...])       what to run, with a new folder for what it writes
	case.add("floor", lambda folder: [...], times=3)
	case.goal("CPU", "cpu", "floor", 1.15)           mkrootfs takes at most so many times of it
	case.run(rounds); case.show()
"""

import tempfile

from bench import measure, stats, table
from bench.inputs import remove

OURS = "mkrootfs"


class Contender:
	def __init__(self, name, command, times, before, note):
		self.name, self.command, self.times, self.before, self.note = name, command, times, before, note
		self.results = []

	def values(self, what):
		return [getattr(result, what) for result in self.results]

	def run(self, folder):
		if self.before:
			self.before(folder)
		arguments = self.command(folder)
		measure.settle()
		self.results.append(measure.run(arguments, self.times, cwd=folder))


class Case:
	def __init__(self, name, title):
		self.name, self.title = name, title
		self.contenders, self.goals, self.notes, self.facts = [], [], [], []

	def add(self, name, command, times=1, before=None, note=""):
		"""before(folder) makes ready what is not measured. A command that is None is a peer that is missing."""
		if command is None:
			self.notes.append(f"without {name}: {note}")
		else:
			self.contenders.append(Contender(name, command, times, before, note))

	def goal(self, text, what, other, most, ours=OURS):
		"""ours takes at most `most` times what other takes; without other, at most so much."""
		self.goals.append((text, what, other, most, ours))

	def fact(self, text, function):
		"""A line for the end: function(case) says it, or None."""
		self.facts.append((text, function))

	def get(self, name):
		return next((one for one in self.contenders if one.name == name), None)

	def run(self, rounds):
		for _ in range(rounds):
			for contender in self.contenders:
				folder = tempfile.mkdtemp(prefix="bench-")
				try:
					contender.run(folder)
				finally:
					remove(folder)

	def ratio(self, what, other, ours=OURS):
		mine, theirs = self.get(ours), self.get(other)
		return stats.ratios(mine.values(what), theirs.values(what)) if mine and theirs else None

	def rows(self):
		for contender in self.contenders:
			same = contender.name == OURS
			yield [contender.name,
				table.spread(stats.Spread(contender.values("cpu")), 1000), table.spread(stats.Spread(contender.values("wall")), 1000),
				table.mebibytes(max(contender.values("memory"))), table.megabytes(contender.results[-1].read),
				table.megabytes(max(contender.results[-1].written, contender.results[-1].disk_written)),
				"" if same else table.spread(self.ratio("cpu", contender.name)), "" if same else table.spread(self.ratio("wall", contender.name))]

	def judged(self):
		"""(text, Spread or None, most, whether it is met)"""
		for text, what, other, most, ours in self.goals:
			if other is None:
				mine = self.get(ours)
				value = stats.Spread(mine.values(what)) if mine else None
			else:
				value = self.ratio(what, other, ours)
			yield text, value, most, None if value is None else value.median <= most

	def show(self, judge=True):
		"""judge is false where the inputs are too small to say anything."""
		print(f"\n### {self.name}: {self.title}\n")
		table.show(["", "CPU ms", "wall ms", "MiB", "MB read", "MB written", "our CPU / its", "our wall / its"], list(self.rows()))
		print()
		for text, value, most, met in self.judged():
			verdict = "not measured" if value is None else table.spread(value, scale(most)) + (": met" if met else ": MISSED") * judge
			print(f"- goal: {text}: at most {describe(most)}; {verdict}")
		for text, function in self.facts:
			value = function(self)
			print(f"- {text}: {'not measured' if value is None else value}")
		for note in self.notes + [f"{one.name}: {one.note}" for one in self.contenders if one.note]:
			print(f"- {note}")

	def json(self):
		return {"title": self.title, "notes": self.notes,
			"contenders": {one.name: [result.numbers() for result in one.results] for one in self.contenders},
			"goals": [{"text": text, "most": most, "value": value and value.json(), "met": met} for text, value, most, met in self.judged()]}


def scale(most):
	"""Bytes are shown as MiB."""
	return 1 / (1 << 20) if most > 1 << 16 else 1


def describe(most):
	return f"{most / (1 << 20):.4g} MiB" if most > 1 << 16 else f"{most:g}"


def shell(script, *arguments):
	"""Several commands as one; the arguments are $1 and so on."""
	return ["sh", "-ec", script, "sh", *arguments]
