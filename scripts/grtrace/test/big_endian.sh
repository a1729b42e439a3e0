#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests a big-endian reader: grtrace-parse, which is grparse with all of its options, is
# built for s390x and run by QEMU, which emulates s390x. For each stored capture and each
# fixture, including damaged ones, it has to print the same bytes as on this machine.
# Prints TAP.
#
# Usage: big_endian.sh

. "$(dirname "$0")/../lib/use.sh" cache result
options '' "$@"

"$here/deps.sh" big-endian
tests="$checkout/tools/grtrace/tests"
built="$CACHE/tools/$(printf '%s' "$checkout" | sha256sum | cut -c1-8)/s390x"
"$here/tools.sh" synth >&2
native="$("$here/tools.sh" --only grtrace-parse)"

# Debian has libfmt for this machine alone; its headers can do without it.  Without
# optimisation they compile in half of the time.  Only the directories that grtrace-parse is
# made of are compiled.
rooms="lib/data lib/files lib/options lib/run lib/text format read/stream read/capture read/filter grparse"
rooms+=" words/columns words/filter words/ioctl words/packets words/parse words/rows words/tracker words/window"
build_grparse() {
	mkdir -p "$built/include"
	ln -sfn /usr/include/fmt "$built/include/fmt"
	CCACHE_BASEDIR="$checkout" CCACHE_NOHASHDIR=1 make --no-print-directory -j "$(nproc)" -C "$checkout/tools/grtrace" \
		O="$built" LTO= rooms="$rooms" CXX="ccache s390x-linux-gnu-g++" CXXFLAGS="-O0 -DFMT_HEADER_ONLY -isystem $built/include" \
		LDFLAGS=-static LDLIBS=-lpthread "$built/grtrace-parse" >"$built/log" 2>&1 </dev/null ||
		{ cat "$built/log" >&2; die "grparse could not be built for s390x: see the compiler's messages above"; }
}
cache_lock "tools-s390x-${built//\//_}" build_grparse

# Every field of an event.
fields='%a %b %c %C %d %D %e %f %g %k %l %m %M %n %N %p %P %q %r %R %s %S %t %T %u %U %v %V %w %x %z\n'

# said NAME PROGRAM...: what it prints of the capture, what it writes of it again, how
# it ends each time, and what it says.
said() {
	local name="$1" status; shift
	for options in -ts "-qf$fields"; do
		status=0
		"$@" "$options" -D . "$name" 2>&1 || status=$?
		echo "exit status $status"
	done
	status=0
	"$@" -q -O -d "$work/again" -D . "$name" 2>&1 || status=$?
	echo "exit status $status"
	od -A d -t x1 "$work/again"
}

# A program that does not end says nothing that is the same.
same() { ! grep -qx 'exit status 124' "$work/native" && [ "$(wc -l <"$work/native")" -gt 3 ] && diff "$work/native" "$work/s390x"; }

# compare NAME FOLDER CAPTURE
compare() {
	cd "$2"
	said "$3" timeout --foreground 60 "$native/grtrace-parse" >"$work/native"
	said "$3" timeout --foreground 60 qemu-s390x-static "$built/grtrace-parse" >"$work/s390x"
	holds "$1" same
}

for capture in "$tests"/captures/*/; do
	name="$(basename "$capture")"
	cp -r "$capture" "$work/$name"
	find "$work/$name" -name '*.xz' -exec xz -d {} +
	first="$(find "$work/$name" -name '*.grtrace.*' -printf '%f\n' | sort | head -n 1)"
	[ -z "$first" ] || compare "$name" "$work/$name" "${first%.grtrace.*}"
done
mkdir "$work/fixtures"
for fixture in "$tests"/fixtures/*.txt; do
	name="$(basename "$fixture" .txt)"
	"$native/synth" "$fixture" "$work/fixtures/$name"
	compare "$name.txt" "$work/fixtures" "$name"
done
plan
