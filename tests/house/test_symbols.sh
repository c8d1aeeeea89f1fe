#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The library exports mkrootfs_* and nothing else, and all that its header declares; and its files note
# which libraries they load.
# usage: test_symbols.sh SHARED-LIBRARY STATIC-LIBRARY HEADER
set -eu

names() { awk '$2 ~ /^[A-TV-Zi]$/ { sub(/@.*/, "", $3); print $3 }' | sort -u; }
shared=$(nm -D --defined-only "$1" | names)
static=$(nm -g --defined-only "$2" 2>/dev/null | names)
# ...  A name before an opening parenthesis, in what the preprocessor leaves of the header.
declared=$(cc -E -P "$3" | tr '\n' ' ' | grep -o 'mkrootfs_[a-z0-9_]*(' | tr -d '(' | sort -u)

fail=0
for list in "$shared" "$static"; do
	bad=$(printf '%s\n' "$list" | grep -v -e '^mkrootfs_' -e '^MKROOTFS_0$' -e '^$' || true)
	[ -z "$bad" ] || { echo "exported without the prefix:" $bad; fail=1; }
	for name in $declared; do
		printf '%s\n' "$list" | grep -qx "$name" || { echo "declared, not exported: $name"; fail=1; }
	done
done
[ "$(printf '%s\n' "$declared" | wc -l)" -ge 20 ] || { echo "the header was not understood"; fail=1; }
for file in "$1" "$2"; do
	[ "$(readelf -p .note.dlopen "$file" 2>/dev/null | grep -c -e libcurl -e libcrypto -e libzstd)" = 3 ] ||
		{ echo "$file: no notes of the libraries that it loads"; fail=1; }
done
[ $fail = 0 ] && echo "$(printf '%s\n' "$declared" | wc -l) functions, all exported, nothing else"
exit $fail
