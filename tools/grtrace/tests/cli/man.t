#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The manual pages: they are roff without a fault, and they say what --help says.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

# page NAME PROGRAM: the page as text, in NAME
page()
{
	"$2" --man > "$1.1" 2> err
	code=$?
	cp "$1.1" out
	[ "$code" = 0 ] && grep -q '^\.TH ' "$1.1"
	result $? "$1 makes its page"
	if has_program "$1: groff has nothing to say" groff; then
		groff -man -ww -Tascii -P-c -P-b -P-u -rLL=200n "$1.1" > "$1.text" 2> out
		code=$?
		[ "$code" = 0 ] && [ ! -s out ]
		result $? "$1: groff has nothing to say"
	fi
	if has_program "$1: mandoc has nothing to say" mandoc; then
		# A page that is made has no date, and long tables have long lines.
		mandoc -T lint -W warning "$1.1" 2>&1 | grep -v 'missing date' > out
		[ ! -s out ]
		result $? "$1: mandoc has nothing to say"
	fi
}

# has NAME COMMAND...: each option that --help shows is in the page
has()
{
	name=$1
	shift
	"$@" --help | sed -nE 's/^ +(-[a-zA-Z], )?(--[a-z-]+).*/\2/p' | sort -u > options
	sed -n 's/\\-/-/g; s/^\\fB//p' "$name.1" | grep -oE -- '--[a-z-]+' | sort -u > in.page
	comm -23 options in.page > out
	[ -s options ] && [ ! -s out ]
	result $? "$name: the options of $(basename "$*")"
}

: > out
: > err
page grparse "$grparse"
has grparse "$grparse"
"$grparse" -q --csv - < /dev/null 2> err | head -n 1 | tr ',' '\n' > columns
missing=0
while read -r column; do
	sed 's/\\-/-/g' grparse.1 | grep -qE "^\\\\&$column +(number|text|id) " || missing=1
done < columns
[ -s columns ] && [ "$missing" = 0 ]
result $? "grparse: every column of --csv"
page grtrace "$grtrace"
for word in annotate diff export merge monitor report timeline verify; do
	page "grtrace-$word" "$grtrace-$word"
	has "grtrace-$word" "$grtrace" "$word"
done
for word in record start stop snapshot status config msg; do
	has grtrace "$grtrace" "$word"
	grep -q "^.SS grtrace $word$" grtrace.1
	result $? "grtrace: $word has its place"
done
finish
