#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The quick starts and smoke tests of the documents that grtrace grew from, typed as they
# are there (seeds.txt).

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

list="$dir/seeds.txt"

# A name of today is in the refusal, or is that of a file beside the one that is not there.
named() { # TEXT
	grep -qF -- "$1" "$work/err" && return
	case $1 in
	"grtrace record "*) grtrace record --help | grep -q -- '-o, --output' ;;
	*) [ -e "$files/$1" ] ;;
	esac
}

# The types of the first three records: PACKET, STREAM_INFO and METADATA are 256 to 258.
first_types() { # FILE
	at=0 found=
	for _ in 1 2 3; do
		# shellcheck disable=SC2046 # two numbers
		set -- "$1" $(od -An -tu2 -j "$at" -N 4 "$1")
		found="$found $2"
		at=$((at + $3))
	done
	echo "types$found"
}

typed() { # LINE WANTED
	eval "$1" >"$work/out" 2>"$work/err" </dev/null 3<&-
	status=$?
	echo "# $1: $status"
	case $2 in
	ok) [ $status = 0 ] ;;
	"ok "*) [ $status = 0 ] && grep -qE -- "${2#ok }" "$work/out" "$work/err" ;;
	refused) [ $status != 0 ] ;;
	"now "*) [ $status != 0 ] && named "${2#now }" ;;
	esac && return
	echo "# wanted: $2"
	sed 's/^/#  /' "$work/out" "$work/err"
	return 1
}

version() { # NAME
	bad=0
	mkdir -p "$work/$1" && cd "$work/$1" || return 1
	session_stop
	configure_defaults || return 1
	awk -v title="$1" '
		/^[^\t]/ { here = $0 == title }
		here && sub(/^\t/, "")' "$list" >"$work/lines"
	[ -s "$work/lines" ] || return 1
	while IFS= read -r line <&3; do
		typed "${line% => *}" "${line##* => }" || bad=1
	done 3<"$work/lines"
	return $bad
}

v01() { version v01; }
v02() { version v02; }
v03() { version v03; }
v04() { version v04; }
v05() { version v05; }
v06() { version v06; }
v08() { version v08; }

after() {
	[ ! -e $files/control ] || session_stop
}

at_end() {
	modules_unload
}

needs grtrace grparse
needs_modules
seq 2000 | sed 's/.*/submit 100 1 1 &/' >"$work/storm"
run_tests v01 v02 v03 v04 v05 v06 v08
