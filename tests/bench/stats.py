# SPDX-License-Identifier: Apache-2.0
"""A few numbers about many.

	stats.Spread([1.0, 1.1, 0.9])     .median, .low, .high: the quartiles, or the extremes of less than five
	stats.geometric_mean(values)      and its deviation as a factor: geometric_spread(values)
	stats.line(xs, ys)                (slope, start, residual): a straight line, and the root of the mean
	                                  square of what is left, as a part of the largest y
"""

import math
import statistics


class Spread:
	def __init__(self, values):
		self.values = list(values)
		self.median = statistics.median(self.values)
		if len(self.values) >= 5:
			self.low, _, self.high = statistics.quantiles(self.values, n=4, method="inclusive")
		else:
			self.low, self.high = min(self.values), max(self.values)

	def scaled(self, factor):
		return Spread([value * factor for value in self.values])

	def json(self):
		return {"median": self.median, "low": self.low, "high": self.high, "values": self.values}


def ratios(upper, lower):
	"""Of runs that stood side by side; where one took no time that could be measured, there is none."""
	pairs = [(one, other) for one, other in zip(upper, lower) if one > 0 and other > 0]
	return Spread([one / other for one, other in pairs]) if pairs else None


def geometric_mean(values):
	return math.exp(statistics.fmean(math.log(value) for value in values))


def geometric_spread(values):
	"""The standard deviation of the logarithms, as a factor."""
	return math.exp(statistics.stdev([math.log(value) for value in values])) if len(values) > 1 else 1.0


def line(xs, ys):
	if len(set(xs)) < 2:
		return 0.0, statistics.fmean(ys), 0.0
	slope, start = statistics.linear_regression(xs, ys)
	left = [(y - (start + slope * x)) ** 2 for x, y in zip(xs, ys)]
	return slope, start, math.sqrt(statistics.fmean(left)) / max(max(ys), 1e-9)
