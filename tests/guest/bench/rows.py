# SPDX-License-Identifier: Apache-2.0
"""What is measured in the guest, as a script for its shell, and what the script prints.

	ROW <row> <place> <round> <cold|warm|once> <milliseconds> <entries found> <bytes read>
	FIO <profile> <place> <round> <a terse line of fio's>
	DBENCH <place> <round> <line>
"""

import re

HELPERS = """
drop() { busybox sync; echo 3 > /proc/sys/vm/drop_caches; }
row() {
	row=$1 place=$2 round=$3 state=$4
	shift 4
	time=$("$@" 2>&1) && echo "ROW $row $place $round $state $time" || echo "NOTE $row $place, round $round, $state: did not end well ($?): $time"
}
twice() {
	drop
	row "$1" "$2" "$3" cold $4
	row "$1" "$2" "$3" warm $4
}
import() { workload run "$1" /usr/bin/python3 -B -c 'import json, ssl, asyncio, http.client, sqlite3, decimal, unittest, email, ctypes, xml.etree.ElementTree'; }
"""


# What a row touches: nothing but reads of the image's own files, new files on the root as well, or only /tmp.
ALL = IMAGE, ROOT, TMP = "image", "root", "tmp"


class Row:
	def __init__(self, name, title, line, touches=IMAGE, states=("cold", "warm")):
		"""line: words for the shell, where {root} is where the place {place} is, and {round} the round."""
		self.name, self.title, self.line, self.touches, self.states = name, title, line, touches, states


def reading(library, tree, large):
	return [Row("scan", "metadata scan of the Python library", f"workload scan {{root}}{library}"),
		Row("read", "read all of it", f"workload read {{root}}{library}"),
		Row("traverse", "deep tree traverse", f"workload scan {{root}}{tree}"),
		Row("random", "random read, 500 x 4 KiB", f"workload random {{root}}{large} 500"),
		Row("concurrent", "concurrent read, 4 threads", f"workload concurrent {{root}}{library}"),
		Row("negative", "2,000 names that are not there", f"workload negative {{root}}{library} 2000")]


IMPORT = Row("import", "python imports ten modules", "import {root}")


def writing(folder, where, count, mebibytes):
	"""The same on the root and on /tmp: where is ROOT or TMP."""
	return [Row(f"create-{where}", f"create {count} files on {folder}", f"workload create {{root}}{folder}/{{place}} {count}", where, ("once",)),
		Row(f"rename-{where}", f"rename them on {folder}", f"workload rename {{root}}{folder}/{{place}} {count}", where, ("once",)),
		Row(f"delete-{where}", f"delete them on {folder}", f"workload delete {{root}}{folder}/{{place}} {count}", where, ("once",)),
		Row(f"write-{where}", f"write {mebibytes} MiB and fsync on {folder}", f"workload write {{root}}{folder}/{{place}} {mebibytes}", where, ("once",))]


def turned(places, number):
	return places[number % len(places):] + places[:number % len(places)]


COPY_UP = Row("copy-up", "open a file of 16 MiB for writing", "workload copy-up {root}/srv/large-{round}", ROOT, ("once",))


def script(rows, places, rounds):
	"""Row by row, each on every place, before the next round. Each round begins with another place: the first
	to use a part of the kernel pays for its translation by the emulator."""
	lines = [HELPERS]
	for number in range(rounds):
		lines.append(f"echo 'round {number + 1} of {rounds}'")
		for row in rows:
			for place in turned(places, number):
				line = row.line.format(root=f"/c/{place}", place=place, round=number)
				if row.states == ("once",):
					lines.append(f"drop; row {row.name} {place} {number} once {line}")
				else:
					lines.append(f"twice {row.name} {place} {number} '{line}'")
	return "\n".join(lines) + "\n"


class Profile:
	def __init__(self, name, title, options, write=False):
		self.name, self.title, self.options, self.write = name, title, options, write


LIMIT = 90  # seconds beside those that a profile is meant to take: for its start, and to lay out its files
FIO_SIZE = 8  # MiB of each job's file: eight are laid out for each place, for a minute on 9p where they were 16
EIGHT = f"--numjobs=8 --iodepth=32 --filename_format=/bench/PLACE/fio.$jobnum --size={FIO_SIZE}M"
ONE = f"--filename=/bench/PLACE/fio.0 --size={FIO_SIZE}M"
PROFILES = [
	Profile("seq-read", "128k sequential read, 8 jobs, depth 32", f"--rw=read --bs=128k {EIGHT}"),
	Profile("seq-write", "128k sequential write, 8 jobs, depth 32", f"--rw=write --bs=128k {EIGHT}", True),
	Profile("rand-read", "4k random read, 8 jobs, depth 32", f"--rw=randread --bs=4k {EIGHT}"),
	Profile("rand-write", "4k random write, 8 jobs, depth 32", f"--rw=randwrite --bs=4k {EIGHT}", True),
	Profile("mixed", "4k random 75/25, depth 64", f"--rw=randrw --rwmixread=75 --bs=4k --iodepth=64 {ONE}"),
	Profile("image", "4k random read of a file of the image, 8 jobs, depth 32", "--rw=randread --bs=4k --numjobs=8 --iodepth=32 --readonly --filename=/srv/large-9"),
	*[Profile(f"clients-{count}", f"64k random read, {count} clients", f"--rw=randread --bs=64k --iodepth=1 --numjobs={count} {ONE}") for count in (1, 8, 64)],
]
NULL = Profile("null_blk", "4k random read of null_blk, io_uring, depth 128",
	"--rw=randread --bs=4k --iodepth=128 --filename=/dev/nullb0 --size=1G")


def fio_line(profile, place, round_, seconds, engine):
	options = f"--minimal --name={profile.name} --ioengine={engine} --direct=1 --thread --group_reporting --time_based --runtime={seconds} --fallocate=none"
	return (f"text=$(busybox timeout -s KILL {LIMIT + seconds} busybox chroot /c/{place} /usr/bin/fio {options} {profile.options.replace('PLACE', place)} 2>&1) || echo \"NOTE fio {profile.name} {place}, round {round_}: did not end well ($?): $(echo \"$text\" | busybox head -c 200)\"\n"
		f"echo \"FIO {profile.name} {place} {round_} $(echo \"$text\" | busybox grep '^3;' | busybox tail -n 1)\"\n")


def fio_script(places, rounds, seconds, wanted):
	lines = []
	for number in range(rounds):
		lines.append(f"echo 'fio round {number + 1} of {rounds}'")
		for profile in [profile for profile in PROFILES if wanted is None or profile.name in wanted]:
			lines += ["drop\n" + fio_line(profile, place, number, seconds, "libaio").replace("$jobnum", "\\$jobnum") for place in turned(places, number)]
		for place in turned(places, number) if wanted is None or "dbench" in wanted else ():
			lines.append(f"busybox rm -f /c/{place}/bench/{place}/fio.*")
			lines.append(f"echo \"DBENCH {place} {number} $(busybox timeout -s KILL {LIMIT + seconds} busybox chroot /c/{place} /usr/bin/dbench -D /bench/{place} -t {max(seconds, 2)} 8 2>&1 | busybox grep Throughput)\"; busybox killall -q -9 dbench || true")
	return "\n".join(lines) + "\n"


def null_script(place, rounds, seconds):
	return "".join(fio_line(NULL, place, number, seconds, "io_uring") for number in range(rounds))


class Terse:
	"""A line of fio's terse format, version 3. Bandwidth in MB/s, latencies in ms."""

	def __init__(self, text):
		fields = text.split(";")
		self.read_iops, self.write_iops = float(fields[7]), float(fields[48])
		self.mb_s = (float(fields[6]) + float(fields[47])) * 1024 / 1e6
		self.iops = self.read_iops + self.write_iops
		found = {part: float(value) / 1000 for part, value in re.findall(r"([\d.]+)%=(\d+)", ";".join(fields[:47]))}
		self.p50, self.p99 = found.get("50.000000"), found.get("99.000000")


class Results:
	"""All that one boot printed."""

	def __init__(self):
		self.times, self.fio, self.dbench, self.work, self.notes = {}, {}, {}, {}, []

	def take(self, line):
		"""Returns whether the line told something."""
		word, *rest = line.split(" ")
		if word == "ROW" and len(rest) == 7:
			row, place, _, state, value, *work = rest
			if self.work.setdefault(row, work) != work:
				self.notes.append(f"NOTE {row} in {place} found {work}, not {self.work[row]}")
			self.times.setdefault((row, state), {}).setdefault(place, []).append(float(value))
		elif word == "FIO" and len(rest) >= 4 and rest[3]:
			self.fio.setdefault(rest[0], {}).setdefault(rest[1], []).append(Terse(" ".join(rest[3:])))
		elif word == "DBENCH" and "Throughput" in line:
			self.dbench.setdefault(rest[0], []).append(float(re.search(r"Throughput ([\d.]+)", line)[1]))
		elif word in ("NOTE", "FIO", "DBENCH"):
			self.notes.append(line)
		else:
			return False
		return True
