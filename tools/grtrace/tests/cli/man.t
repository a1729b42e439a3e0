#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages: they are roff without a fault, man shows them, and they say what
# --help says.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! command -v help2man > path; then
	echo "1..0 # SKIP there is no help2man"
	exit 0
fi
: > out
# The programs are there: it is the pages that are made.
make -s -C "$here/../.." O="$build" man > out 2> err
code=$?
result $code "make man"

# page NAME COMMAND...: the page is one, and has each option that --help shows
page()
{
	name=$1
	shift
	page=$build/$name.1
	grep -qi "^\.TH $name " "$page" && grep -q "^$name \\\\- [a-z].* .*" "$page"
	result $? "$name has its page, which says what it is"
	if has_program "man shows $name" man; then
		MANWIDTH=100 man -l "$page" > out 2> err && [ ! -s err ] && grep -q "^NAME" out
		result $? "man shows $name"
	fi
	if has_program "$name: groff has nothing to say" groff; then
		groff -man -ww -Tascii -P-c -P-b -P-u -rLL=200n "$page" > "$name.text" 2> out
		code=$?
		[ "$code" = 0 ] && [ ! -s out ]
		result $? "$name: groff has nothing to say"
	fi
	"$@" --help | sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+).*/\2/p' | sort -u > options
	sed -n 's/\\-/-/g; s/\\f[BIR]//g; /^ *-/p' "$page" | grep -oE -- '--[a-z-]+' | sort -u > in.page
	comm -23 options in.page > out
	[ -s options ] && [ ! -s out ]
	result $? "$name: the options of --help"
	for section in SYNOPSIS OPTIONS EXAMPLES "EXIT STATUS" FILES ENVIRONMENT "SEE ALSO"; do
		grep -qE "^\.SH \"?$section\"?$" "$page" || echo "no $section"
	done > out
	[ ! -s out ]
	result $? "$name: each section"
}

page grparse "$grparse"
"$grparse" -q --csv - < /dev/null 2> err | head -n 1 | tr ',' '\n' > columns
missing=0
while read -r column; do
	grep -qE "^ *$column +(number|text|id) |^ *$column\$" grparse.text || missing=1
done < columns
[ -s columns ] && [ "$missing" = 0 ]
result $? "grparse: every column of --csv"

"$grtrace" --help | sed -nE '/^  (help|grtrace) |\(not installed\)/d; s/^  ([a-z]+) .*/\1/p' > words
[ -s words ]
result $? "there are words"
while read -r word; do
	page "grtrace-$word" "$grtrace" "$word"
done < words
grep -q '^grtrace \\- ' "$build/grtrace.1"
result $? "grtrace has a page, too"

check "make install" 0 '' make -s -C "$here/../.." O="$build" DESTDIR="$work/root" install
check "which runs from there" 0 '^Usage: grtrace report' "$work/root/usr/local/bin/grtrace" report --help
check "make uninstall" 0 '' make -s -C "$here/../.." O="$build" DESTDIR="$work/root" uninstall
find "$work/root" ! -type d > out
[ ! -s out ]
result $? "leaves nothing"
finish
