# SPDX-License-Identifier: Apache-2.0
"""One line about the machine, and how busy others keep it."""

import os
import platform
import re


def processor():
	with open("/proc/cpuinfo") as file:
		text = file.read()
	name = re.search(r"model name\s*: (.*)", text)
	flags = re.search(r"flags\s*: (.*)", text)
	known = [flag for flag in ("sha_ni", "avx2", "avx512f") if flags and flag in flags[1].split()]
	return f"{name[1].strip() if name else platform.machine()} ({', '.join(known)})"


def memory():
	return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 30)


def describe():
	cores = len(os.sched_getaffinity(0))
	return f"{cores} cores of {processor()}, {memory():.0f} GiB, Linux {platform.release()}"


def busy():
	"""What is running beside: the load before the benchmark began."""
	one, five, _ = os.getloadavg()
	idle = one < 0.3 and five < 0.5
	return f"load {one:.1f} (5 minutes: {five:.1f})" + ("" if idle else ": NOT IDLE, times of the clock and ratios of them are rough")
