# SPDX-License-Identifier: Apache-2.0
"""The tables of a boot: medians, how many times slower each share is than our disks, and means."""

import json
import statistics

import rows as row_module
from bench import machine, stats, svg, table

GOALS = {"root": 47, "all": 20}
JUDGED = (("disk-tmpfs", "disk-ext4"), ("9p", "virtiofs-none"))
DBENCH = "dbench, 8 clients"
DRAWN = ("9p", "virtiofs-none", "virtiofs-auto", "disk-tmpfs", "disk-ext4")


def lines_of(results, measured):
	"""(row, state, {place: Spread of ms}) in the order of the rows."""
	for row in measured:
		for state in row.states:
			times = results.times.get((row.name, state), {})
			yield row, state, {place: stats.Spread(values) for place, values in times.items()}


def label(row, state):
	return row.title if state == "once" else f"{row.title}, {state}"


def show(results, places, measured, given):
	names = [place.name for place in places]
	shares, ours = [place.name for place in places if not place.ours], [place.name for place in places if place.ours]
	lines = [line for line in lines_of(results, measured) if line[2]]
	print("\n### Medians in the guest, ms [quartiles, or all of less than five]\n")
	table.show(["", *names], [[label(row, state), *[table.spread(found.get(name)) for name in names]] for row, state, found in lines])
	show_fio(results, names)
	for mine in ours:
		show_ratios(mine, shares, lines, rates_of(results))
	print()
	for note in results.notes:
		print(f"- {note}")
	if given.json:
		write_json(given.json, results, names, given)
	if given.svg and lines:
		draw(given.svg, lines, [name for name in names if name in DRAWN])


def rates_of(results):
	"""{title: {place: median MB/s}} of fio's profiles and dbench, where more is better."""
	found = {profile.title: {name: statistics.median(one.mb_s for one in runs) for name, runs in results.fio[profile.name].items()}
		for profile in row_module.PROFILES if profile.name in results.fio}
	if results.dbench:
		found[DBENCH] = {name: statistics.median(values) for name, values in results.dbench.items()}
	return found


def quotients(lines, mine, share, touches=row_module.ALL):
	return {label(row, state): spreads[share].median / spreads[mine].median for row, state, spreads in lines
		if row.touches in touches and share in spreads and mine in spreads}


def rate_quotients(rates, mine, share):
	return {title: found[mine] / found[share] for title, found in rates.items() if found.get(mine) and found.get(share)}


def show_ratios(mine, shares, lines, rates):
	if not shares:
		return
	every = {share: {**quotients(lines, mine, share), **rate_quotients(rates, mine, share)} for share in shares}
	print(f"\n### How many times slower than {mine}\n")
	titles = [label(row, state) for row, state, _ in lines] + list(rates)
	table.show(["", *shares], [[title, *[table.number(every[share].get(title)) for share in shares]] for title in titles])
	print()
	for share in shares:
		goals = GOALS if mine in JUDGED[0] and share in JUDGED[1] else {}
		show_mean(f"rows that only read the image's files, over {share}", quotients(lines, mine, share, (row_module.IMAGE,)))
		show_mean(f"rows that touch the root filesystem, over {share}", quotients(lines, mine, share, (row_module.IMAGE, row_module.ROOT)), goals.get("root"))
		show_mean(f"fio and dbench, over {share}", rate_quotients(rates, mine, share))
		show_mean(f"all rows, over {share}", every[share], goals.get("all"))
	lost = [f"{title} ({share}: {table.number(value)})" for share in shares for title, value in every[share].items() if value < 1]
	print(f"- rows slower than a share: {', '.join(lost) or 'none'}")


def show_mean(what, found, goal=None):
	if found:
		mean, spread = stats.geometric_mean(found.values()), stats.geometric_spread(list(found.values()))
		verdict = f"; goal {goal}: {'met' if mean >= goal else 'MISSED'}" if goal else ""
		print(f"- {what}: geometric mean {table.number(mean)} of {len(found)}, times or divided by {table.number(spread)}{verdict}")


def show_fio(results, names):
	profiles = [profile for profile in row_module.PROFILES if profile.name in results.fio]
	if profiles:
		print("\n### fio: MB/s; for clients also p50 and p99 in ms\n")
		table.show(["", *names], [[profile.title, *[fio_cell(profile, results.fio[profile.name].get(name)) for name in names]] for profile in profiles]
			+ [[DBENCH, *[table.spread(stats.Spread(results.dbench[name])) if name in results.dbench else "-" for name in names]]] * bool(results.dbench))
	show_null(results)


def fio_cell(profile, found):
	if not found:
		return "-"
	cell = table.spread(stats.Spread([one.mb_s for one in found]))
	if profile.name.startswith("clients"):
		cell += f"; {table.number(statistics.median(one.p50 for one in found))}, {table.number(statistics.median(one.p99 for one in found))}"
	return cell


def show_null(results):
	values = [one.iops for found in results.fio.get("null_blk", {}).values() for one in found]
	if len(values) > 1:
		mean, deviation = statistics.fmean(values), statistics.stdev(values)
		print(f"\n{row_module.NULL.title}: {len(values)} rounds, mean {mean:.0f} IOPS, deviation {deviation:.0f}, coefficient of variation {deviation / mean * 100:.2f}%")


def write_json(path, results, names, given):
	found = {"machine": machine.describe(), "places": names, "rounds": given.rounds,
		"rows": {f"{row} {state}": times for (row, state), times in results.times.items()},
		"fio": {profile: {place: [vars(one) for one in found] for place, found in by_place.items()} for profile, by_place in results.fio.items()},
		"dbench": results.dbench, "notes": results.notes}
	with open(path, "w", encoding="utf-8") as file:
		json.dump(found, file, indent="\t", sort_keys=True)
		file.write("\n")


def draw(path, lines, names):
	titles = [label(row, state) for row, state, _ in lines]
	series = {name: [found[name].median if name in found else None for _, _, found in lines] for name in names}
	svg.write(path, [svg.Dots("The same work in one guest, from a share and from a disk (left is better)", "milliseconds, logarithmic", titles, series)])
