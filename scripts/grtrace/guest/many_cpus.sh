#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In a guest with more than 64 CPUs, where a CPU in the middle is offline when the
# session starts: checks that events on the first CPU, on the last CPU and on both
# sides of 64 are recorded and read. Prints TAP.
#
# Usage: many_cpus.sh CHECKOUT TOOLS

checkout="$1" PATH="$2:$PATH"
files=/sys/kernel/debug/grtrace
hole=3
. "$(dirname "$0")/../lib/result.sh"

# Each CPU is the seqno of the one event that is written on it.
cat >"$GRTRACE_OUT/emit" <<'SCRIPT'
for cpu in "$@"; do
	taskset -c "$cpu" sh -c "echo submit 1 1 5 $cpu >/sys/kernel/debug/grtrace/emit" || exit 1
done
SCRIPT

# "cpu seqno" of each event, as one line.
events() {
	grparse -q --strict -a Q -f '%c %S\n' -i "$1" >events && sort -n events | tr '\n' ' '
}

same() {
	[ "$1" = "$2" ] || { echo "# '$2' instead of '$1'"; return 1; }
}

last=$(($(nproc --all) - 1))
cd "$GRTRACE_OUT" || exit 1
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$checkout/tools/testing/selftests/grtrace/modules.sh"
modules_load && echo 0 >/sys/devices/system/cpu/cpu"$hole"/online || exit 1
echo "subbuf_size=4096 n_subbufs=4" >"$files"/config || exit 1

recorded() {
	grtrace record -o run -- sh ./emit 0 63 64 "$last" >record.log 2>&1 ||
		{ sed 's/^/# /' record.log; return 1; }
	same "0 0 63 63 64 64 $last $last " "$(events run)"
}
holds "events of $((last + 1)) CPUs with a hole are recorded" recorded

# The records of a CPU that comes during the session are also read.
comes_later() {
	echo start >"$files"/control && echo 1 >/sys/devices/system/cpu/cpu"$hole"/online &&
	sh ./emit "$hole" 64 "$last" && echo snapshot >"$files"/control &&
	cat "$files"/snapshot >frozen && echo stop >"$files"/control || return 1
	same "3 3 64 64 $last $last " "$(events - <frozen)"
}
holds "a snapshot has what a CPU that came later wrote" comes_later

nothing_lost() {
	same 0 "$(awk '$1 == "lost" { print $2 }' "$files"/stats)" &&
	same 3 "$(awk '$1 == "written" { print $2 }' "$files"/stats)"
}
holds "the session's counters are of all CPUs" nothing_lost
plan
