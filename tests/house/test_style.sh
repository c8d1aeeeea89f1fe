#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The sources are formatted as .clang-format says.
# usage: test_style.sh SOURCE-FOLDER
cd "$1" || exit 1
# Other versions set some lines otherwise: the project is formatted by version 14.
format=$(command -v clang-format-14 || command -v clang-format || true)
case "$($format --version 2>/dev/null)" in
*' 14.'*) ;;
*) echo "SKIPPED: clang-format 14 is not installed"; exit 77 ;;
esac
# Where a comment's line is too long the tool breaks it without a space, and across lines of examples.
if grep -rnE '^ \*[A-Za-z"]' lib cli include tests docs/examples --include='*.[ch]'; then
	echo "a comment was broken in the middle of a line: shorten it"
	exit 1
fi
find lib cli include tests docs/examples -name '*.[ch]' -print0 |
	xargs -0 "$format" --dry-run -Werror
