#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Lifetimes: CPUs that go, readers that stay, two readers. All records
# are read, once, and none waits for another. storm_test.sh unloads and
# unbinds, suspend_test.sh sleeps.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

cpu1=/sys/devices/system/cpu/cpu1/online

after() {
	[ -z "$load_pid" ] || kill -9 "$load_pid" 2>/dev/null
	# shellcheck disable=SC2154
	[ ! -e $files ] || session_stop
	[ ! -w $cpu1 ] || echo 1 >$cpu1 2>/dev/null
}

# Writes N events with these seqnos on one CPU.
emit_on() { # CPU FIRST LAST
	# shellcheck disable=SC2016
	taskset -c "$1" sh -c '
		for seqno in $(seq "$2" "$3"); do
			echo "submit 1 1 5 $seqno"
		done >"$1/emit"' sh $files "$2" "$3"
}

# Prints the seqnos in FILE..., as "first last number", and those that are repeated.
seqnos() { # FILE...
	records "$@" | awk '$4 == "submit" {
		if (!n++ || $6 < first) first = $6
		if ($6 > last) last = $6
		again = again (seen[$6]++ ? " " $6 : "")
	} END { print first + 0, last + 0, n + 0 again }'
}

start() { # [CONFIG...]
	[ $# = 0 ] || echo "$*" >$files/config || return 1
	echo start >$files/control
}

# Its channel stays with its content, and continues when the CPU returns. A snapshot
# that is taken before or after it goes offline contains that as well.
cpu_goes_and_its_records_stay() {
	start || return 1
	emit_on 1 1 100 && echo snapshot >$files/control && echo 0 >$cpu1 || return 1
	emit_on 0 101 120
	same "seqnos of a snapshot before" "1 100 100" "$(seqnos $files/snapshot)" || return 1
	echo discard >$files/control && echo snapshot >$files/control || return 1
	same "seqnos of one after" "1 120 120" "$(seqnos $files/snapshot)" || return 1
	cat $files/trace1 >"$work/offline"
	echo 1 >$cpu1 && emit_on 1 201 300
	session_settled || return 1
	cat $files/trace1 >>"$work/offline"
	same "seqnos of CPU 1" "1 300 200" "$(seqnos "$work/offline")"
}

# A CPU that was offline when the session began gets its channel when it comes online.
cpu_comes_in_mid_session() {
	echo 0 >$cpu1 || return 1
	start
	echo 1 >$cpu1
	emit_on 1 1 100
	session_settled || return 1
	cat $files/trace1 >"$work/new"
	same "seqnos of CPU 1" "1 100 100" "$(seqnos "$work/new")"
}

cpus_come_and_go_in_a_session() {
	start || return 1
	"$load" --jobs 2000 --procs 2 --duration 20 >"$work/truth" &
	load_pid=$!
	turns=0
	while kill -0 $load_pid 2>/dev/null; do
		echo 0 >$cpu1 && echo 1 >$cpu1 || return 1
		turns=$((turns + 1))
	done
	echo "# the CPU went $turns times"
	wait $load_pid && load_pid= && [ $turns -gt 0 ] && session_settled &&
	session_take hotplug && took_all hotplug \
		"$(awk -F, 'NR > 1 { n += $2 } END { print n + 0 }' "$work/truth")"
}

# Two readers of the same channel share its content, and neither waits.
two_readers_share() {
	start || return 1
	emit_on 0 1 100
	cat $files/trace0 >"$work/a" &
	cat $files/trace0 >"$work/b"
	wait
	emit_on 0 101 200
	session_settled || return 1
	cat $files/trace* >"$work/c"
	same "seqnos, once each" "1 200 200" "$(seqnos "$work/a" "$work/b" "$work/c")" ||
		return 1
	# not counted: the heads of packets, and the STOP of each CPU
	packets=$(cat "$work/a" "$work/b" "$work/c" | grep -ao GRTR | wc -l)
	set -- $files/trace*
	same "bytes" $(($(session_stat bytes_written) + 64 * packets + 40 * $#)) \
		"$(cat "$work/a" "$work/b" "$work/c" | wc -c)"
}

# A file is open and never read: writers continue, events without room are counted, and
# the stop and the next start do not wait.
reader_that_never_reads() {
	start subbuf_size=4096 n_subbufs=2 || return 1
	exec 9<$files/trace0
	emit_on 0 1 2000
	[ "$(session_stat lost)" -gt 0 ] || return 1
	session_settled || return 1
	# with room for the rings that other tests invented, which a built-in core still
	# knows
	start subbuf_size=262144 && emit_on 0 1 10 && session_settled || return 1
	same "events lost by the next session" 0 "$(session_stat lost)"
	ret=$?
	exec 9<&-
	return $ret
}

# All files are open while a device is unbound, a driver is unloaded, and a session
# ends.
files_open_over_unbind_and_unload() {
	start || return 1
	exec 9<$files/rings 8<$files/stats 7<$files/metadata 6<$files/trace0
	"$load" --jobs 50 --duration 20 >/dev/null || return 1
	echo grtrace_mock.0 >/sys/bus/platform/drivers/grtrace_mock/unbind
	module_unload grtrace_mock || return 1
	session_stop
	ret=0
	cat <&9 >"$work/rings" && cat <&8 >"$work/stats" && cat <&7 >"$work/metadata" &&
		cat <&6 >"$work/open.0" || ret=1
	exec 9<&- 8<&- 7<&- 6<&-
	for file in "$files"/trace[1-9]*; do
		[ ! -e "$file" ] || cat "$file" >"$work/open.${file##*/trace}"
	done
	written=$(session_stat written)
	modules_load || return 1
	# no event reports that a wedged device, which has a ring for that, is gone
	says "$work/rings" "id,device" &&
	! grep ",grtrace_mock" "$work/rings" | grep -v ",device," &&
	says "$work/stats" "written $written" &&
	says "$work/metadata" render0 || ret=1
	[ "$written" -gt 250 ] && same "events read" "$written" \
		"$(records "$work"/open.[0-9]* | count_events)" || ret=1
	return $ret
}

# Prints why a test makes no sense with this kernel, or nothing.
why_not() { # TEST
	case $1 in
	cpu*) [ -w $cpu1 ] || echo "there is no CPU that can go" ;;
	files_open_*) ! module_built_in grtrace_mock || echo "the mock GPU is built in" ;;
	esac
}

before() { # TEST
	session_stop
	configure_defaults
}

needs_modules
run_tests cpu_goes_and_its_records_stay cpu_comes_in_mid_session \
	cpus_come_and_go_in_a_session two_readers_share reader_that_never_reads \
	files_open_over_unbind_and_unload
