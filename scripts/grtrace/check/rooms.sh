#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The directories of the tools, and which of them may include which.  A directory of
# tools/grtrace/src that is not in the table is an error.
#
# Usage: rooms.sh [--laws | --below ROOM...]
#
#   --laws   print each #include that breaks a rule, then the sums: how many directories, and
#            how many arrows between them; without this also all arrows
#   --below  print these directories, and all that they may include in turn
#
# Exit status: 1 when a rule is broken.
. "$(dirname "$0")/../lib/use.sh" report
brief='' below=''
options '--laws=brief --below' "$@"
cd "$here/../../tools/grtrace/src"

# A directory ("room" below), and what its files may include beside each other.  A name
# is a directory with all in it.  A directory is below all those that may include it.
# Words that read captures share some directories, which the core does without.
captures="lib format read words/data words/columns words/tracker words/filter words/terminal words/program words/reading words/jobs words/ioctl"
laws="
lib/data
lib/text        lib/data
lib/files       lib/data lib/text lib/run
lib/options     lib/data lib/text
lib/run         lib/text
format          lib
read/stream     lib format
read/capture    lib format read/stream
read/filter     lib format read/stream read/capture
drive/control   lib format
drive/options   lib format drive/control
drive/run       lib format drive/control
drive/relay     lib format drive/control
words/packets   lib format read/stream
words/live      lib format words/packets
words/translate lib format drive/control words/live words/packets
words/foreign   lib format words/translate
words/import    lib words/program words/foreign
words/tracedat  lib format words/program words/foreign words/translate words/import words/tracefs
words/tracefs   lib format drive/control drive/options drive/run words/program words/packets words/live words/translate
drive/record    lib format drive/control drive/run drive/relay
words/data      lib
words/columns   lib
words/ioctl     lib format read
words/terminal  lib
words/program   lib
words/tracker   lib format read words/data
words/filter    lib format read words/tracker
words/window    lib format read
words/rows      lib format read words/columns words/tracker words/ioctl
words/frozen    lib drive/control
words/reading   lib format read drive/control words/program words/tracker words/filter words/frozen
words/jobs      lib format read words/data words/columns words/tracker words/filter
words/explain   $captures words/delays words/findings
words/activity  $captures
words/delays    $captures
words/findings  $captures words/delays
words/calls     $captures
words/verify    $captures
words/diff      $captures
words/merge     $captures words/packets words/foreign words/translate
words/export    $captures words/rows
words/parse     $captures words/packets words/rows words/window grparse
words/page      $captures words/activity words/delays
words/timeline  $captures words/calls
words/report    $captures words/activity words/delays words/findings words/page
words/session   lib
words/config    lib format drive/control words/program words/session
words/status    lib format drive/control words/columns words/program words/session
words/snapshot  lib format drive/control words/program words/session words/frozen
words/monitor   lib format drive/run words/data words/columns words/program words/live words/tracefs words/translate
words/annotate  lib format drive/run words/program words/packets words/live
grparse         lib format read
grtrace         lib format drive
"

# Where debugfs and ioctls are dealt with; a terminal is asked for its width.
drives="drive/ words/session/ words/config/ words/frozen/ words/snapshot/ words/status/ words/tracefs/ words/monitor/ words/annotate/ grtrace/ words/terminal/"

if [ -n "$below" ]; then
	awk -v asked="${args[*]}" '
	{ room[NR] = $1; $1 = ""; law[room[NR]] = $0 }
	function take(name, i, j, n, list) {
		for (i = 1; i <= NR; i++)
			if ((room[i] == name || index(room[i], name "/") == 1) && !taken[room[i]]++) {
				n = split(law[room[i]], list, " ")
				for (j = 1; j <= n; j++)
					take(list[j])
			}
	}
	END {
		for (k = split(asked, names, " "); k; k--)
			take(names[k])
		for (i = 1; i <= NR; i++)
			if (taken[room[i]])
				print room[i]
	}' <<<"$laws"
	exit
fi

# includes: "FILE:LINE ROOM HEADER" of each file of ours that a file includes; a file that
# is made while building has no folder.
includes() {
	find . -name '*.cpp' -o -name '*.h' | cut -c3- | sort |
		xargs grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' |
		sed -nE 's/^([^:]+):([0-9]+):[^"]*"([^"]+)".*/\1 \2 \3/p' |
		while read -r file line header; do
			[ ! -e "$header" ] || printf '%s:%s %s %s\n' "$file" "$line" "${file%/*}" "$header"
		done
}

status=0
{ printf '%s\n' "$laws"; find . -type f \( -name '*.cpp' -o -name '*.h' \) -printf '%P\n'; echo; includes; } |
	awk -v brief="$brief" '
	function room_of(path) { sub(/\/[^\/]*$/, "", path); return path }
	function allowed(from, to, i, n, list) {
		if (from == to)
			return 1
		n = split(law[from], list, " ")
		for (i = 1; i <= n; i++)
			if (to == list[i] || index(to, list[i] "/") == 1)
				return 1
		return 0
	}
	$0 == "" { part++; next }
	part == 1 { room = $1; $1 = ""; law[room] = $0 " "; next }
	part == 2 {
		room = room_of($1)
		if (!(room in law) && !(room in is_room)) {
			printf "tools/grtrace/src/%s:1: its directory is not in the table: add a row to scripts/grtrace/check/rooms.sh\n", $1
			wrong = 1
		}
		is_room[room]; next
	}
	{
		to = room_of($3)
		if (to == $2)
			next
		if (!(($2, to) in arrow))
			count++
		arrow[$2, to]++
		if (!allowed($2, to)) {
			up++
			split($1, at, ":")
			printf "tools/grtrace/src/%s: %s may not include %s\n", $1, $2, $3
		}
	}
	END {
		for (room in is_room)
			rooms++
		if (!brief)
			for (pair in arrow) {
				split(pair, ends, SUBSEP)
				printf "%-16s -> %-16s %d\n", ends[1], ends[2], arrow[pair] | "sort"
			}
		close("sort")
		printf "# %d directories, %d arrows, upward %d\n", rooms, count, up
		exit wrong || up > 0
	}' || status=1

# A session is driven in one wing, a capture is read in the other.
while IFS=: read -r file line _; do
	for room in $drives; do
		case "$file" in "$room"*) continue 2 ;; esac
	done
	printf 'tools/grtrace/src/%s:%s: reads captures, so it has no business with debugfs or ioctls\n' "$file" "$line"
	status=1
done < <(grep -rnE '\bioctl\(|\bsys/(ioctl\.h|kernel/debug\b)' --include=*.cpp --include=*.h . | cut -c3- | grep -vE ':[[:space:]]*//')
exit "$status"
