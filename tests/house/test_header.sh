#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The public header, and each header of the library, compiles alone; the public one in C++ too.
# usage: test_header.sh SOURCE-FOLDER
set -eu
cd "$1"
flags="-fsyntax-only -D_GNU_SOURCE -Iinclude -Wall -Wextra -Werror"
for compiler in cc clang; do
	command -v $compiler >/dev/null || { echo "SKIPPED for $compiler: it is not installed"; continue; }
	printf '#include <mkrootfs.h>\n' | $compiler $flags -std=c99 -pedantic -x c -
	for header in lib/*/*.h; do
		printf '#include "%s"\n' "$header" | $compiler $flags -I. -x c - ||
			{ echo "$header does not compile alone"; exit 1; }
	done
done
if command -v c++ >/dev/null; then
	printf '#include <mkrootfs.h>\nint main() { return mkrootfs_version() == 0; }\n' |
		c++ $flags -std=c++11 -pedantic -x c++ -
else
	echo "SKIPPED for C++: there is no c++"
fi
echo "all headers compile alone"
