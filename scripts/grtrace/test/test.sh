#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the tests, in parts; see lib/parts.sh.  Each part's output goes to a log under
# out/test; the output of a failed part is shown.  A part or a test case that takes too
# long is ended and has failed; a skip that is not in the list "skips" is also a failure.
# At the end there is a table of the time of each part, which is also in
# out/test/times.csv, and the last line "N passed, N failed, N skipped": the sum over all
# test cases, in which a part that is one check counts 1.
#
# Usage: test.sh [--kernel|--debug|--all] [PART...]
#
#   PART     only these, see --list; a prefix will do
#   --kernel instead, the patched kernel: the series, its build and what runs on it
#   --debug  instead, the long tests: the tools with sanitizers, all kselftests and
#            KUnit on kernels that look for bugs in themselves, installing the package
#            for dkms, and the backport
#   --all    what CI runs: the parts without an option, and then those of --kernel
#   --list   print the parts
#
# Exit status: 0 when something passed and nothing failed, else 1; 2 wrong usage.
exec </dev/null			# closed, it would be the next file's number
. "$(dirname "$0")/../lib/use.sh" cache tap splat parts

kernel='' debug='' all='' list='' inside=''
options '--kernel --debug --all --list --inside:' "$@"
set -- "${args[@]}"
# The tables are of parts.sh:
# shellcheck disable=SC2154
if [ -n "$inside" ]; then
	for part in "${parts[@]}" "${kernel_parts[@]}" "${debug_parts[@]}"; do
		read -rd '' name _ _ _ _ command <<<"$part" || true
		if [ "$name" = "$inside" ]; then
			read -rd '' -a command <<<"$command" || true
			[ -n "${command[*]}" ] || command=("part_$name")
			[[ ${command[0]} == part_* ]] || command[0]="$here/${command[0]}"
			"${command[@]}"
			exit
		fi
	done
	usage_error "no part is called '$inside'"
fi
# The bars say how many minutes a set may take, where a cache
# had to be filled and where none had.
COLD_MINUTES=25 WARM_MINUTES=8
# How many tests may be skipped, of all bases together; the list "skips" has which.
MOST_SKIPS=40
set="test"
[ -z "$kernel" ] || set=test_kernel parts=("${kernel_parts[@]}")
[ -z "$debug" ] || set='' parts=("${debug_parts[@]}")
[ -z "$all" ] || set=test_all parts+=("${kernel_parts[@]:1}") COLD_MINUTES=50 WARM_MINUTES=16
if [ -n "$list" ]; then
	printf '%s\n' "${parts[@]%% *}"
	exit
fi
wanted() {
	local prefix
	[ $# -gt 1 ] || return 0
	for prefix in "${@:2}"; do
		case "$1" in "$prefix"*) return 0 ;; esac
	done
	return 1
}
chosen=()
for part in "${parts[@]}"; do
	! wanted "${part%% *}" "$@" || chosen+=("$part")
done
[ ${#chosen[@]} = ${#parts[@]} ] || set=''
[ ${#chosen[@]} -gt 0 ] || usage_error "no part is called '$1'; see --list"

out="$checkout/out/test"
rm -rf "$out"
mkdir -p "$out"
started="$SECONDS"

# run NAME MINUTES SECONDS_OF_A_CASE: the part's output to its log; its status, seconds,
# CPU seconds, and whether a cache had to be filled beside it.
run() {
	local from="$SECONDS" status=0 cpu cache=warm
	GRTRACE_FILLED="$out/$1.filled" \
		"$here/test/limit.sh" --case "$3" "$(($2 * 60))" "$1" -- "$here/test/test.sh" --inside "$1" |
		tap_judge "$1" >"$out/$1.log" || status=$?
	# of all that this subshell has waited for
	times >"$out/$1.times"
	cpu="$(awk -F'[ms ]+' 'NR == 2 { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }' "$out/$1.times")"
	[ ! -s "$out/$1.filled" ] || cache=cold
	printf '%s %s %s %s\n' "$status" "$((SECONDS - from))" "$cpu" "$cache" >"$out/$1.status"
}

# count NAME HOW: "<passed> <failed> <skipped>" of a part that ended.
count() {
	local status passed=0 failed=0 skipped=0
	read -r status _ <"$out/$1.status"
	case "$2" in
	check) passed=1 ;;
	*) read -r passed failed skipped < <("${2}_count" "$out/$1.log") ;;
	esac
	if [ "$status" != 0 ] && [ "$failed" = 0 ]; then
		failed=1
		[ "$2" != check ] || passed=0
	fi
	if [ "$passed" = 0 ] && [ "$failed" = 0 ]; then
		echo "# nothing passed" >>"$out/$1.log"
		failed=1
	fi
	printf '%s %s %s\n' "$passed" "$failed" "$skipped"
}

# show_failure NAME: which tests, and how the log ends.
show_failure() {
	local log="$out/$1.log"
	tap_failures "$log" | sed -n '1,60s/^/    | /p'
	echo "    the log's end:"
	tail -n 40 "$log" | sed 's/^/    | /'
}

sum_passed=0 sum_failed=0 sum_skipped=0
cache=warm failed_parts=()
table="$out/times.csv"
echo part,passed,failed,skipped,seconds,cpu_seconds,cache >"$table"
finish() {
	local name="$1" seconds cpu filled passed failed skipped
	read -r _ seconds cpu filled <"$out/$name.status"
	read -r passed failed skipped < <(count "$name" "$2")
	[ "$filled" = warm ] || cache=cold
	printf '%s,%s,%s,%s,%s,%s,%s\n' "$name" "$passed" "$failed" "$skipped" "$seconds" "$cpu" "$filled" >>"$table"
	printf '    %-24s %4s passed, %s failed, %s skipped  (%s s)\n' "$name" "$passed" "$failed" "$skipped" "$seconds"
	if [ "$failed" != 0 ]; then
		show_failure "$name"
		failed_parts+=("$name")
	fi
	sum_passed=$((sum_passed + passed))
	sum_failed=$((sum_failed + failed))
	sum_skipped=$((sum_skipped + skipped))
}

# Each part is a process group of its own, which ends as a whole and whose end is
# waited for with open ears.
running=()
end_running() {
	local part
	for part in "${running[@]}"; do
		kill -- "-${part##* }" 2>/dev/null || true
	done
}
trap end_running EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
for part in "${chosen[@]}"; do
	read -rd '' name how minutes seconds where _ <<<"$part" || true
	where="${where#-}"
	printf '=== %s (%s s so far)%s\n' "$name" "$((SECONDS - started))" "${where:+, beside what follows}"
	set -m
	run "$name" "$minutes" "${seconds:-0}" &
	set +m
	running+=("$name $how $!")
	if [ -z "$where" ]; then
		wait $!
		unset 'running[-1]'
		finish "$name" "$how"
	fi
done
for part in "${running[@]}"; do
	read -r name how pid <<<"$part"
	printf '=== %s, the end of it (%s s so far)\n' "$name" "$((SECONDS - started))"
	wait "$pid"
	finish "$name" "$how"
done

took="$((SECONDS - started))"
printf '\n=== all parts, %s s; logs in %s\n' "$took" "${out#"$PWD"/}"
{ head -n 1 "$table"; tail -n +2 "$table" | sort -t, -k5,5nr; } |
	awk -F, '{ printf "    %-24s %7s %7s %8s %8s %12s  %s\n", $1, $2, $3, $4, $5, $6, $7 }'
slowest="$(awk '/^# [^ ]+ took [0-9]+ s$/ {
	part = FILENAME
	gsub(/.*\/|\.log$/, "", part)
	printf "    %-24s %-32s %7s\n", part, $2, $4
}' "$out"/*.log | sort -k3,3nr | sed 12q)"
[ -z "$slowest" ] ||
	printf '    what took longest of the kselftests and CLI tests, in seconds:\n%s\n' "$slowest"
if [ -n "$set" ]; then
	minutes="$WARM_MINUTES"
	[ "$cache" = warm ] || minutes="$COLD_MINUTES"
	awk -v name="${set}_$cache" -v took="$took" -v bar="$minutes" 'BEGIN {
		printf "BAR %s %.1f minutes %s %s\n", name, took / 60, bar, took <= bar * 60 ? "ok" : "short" }'
	printf 'BAR %s_skipped %s of %s %s\n' "$set" "$sum_skipped" "$MOST_SKIPS" \
		"$([ "$sum_skipped" -le "$MOST_SKIPS" ] && echo ok || echo short)"
fi
# Again, as who sees only the end of a long log wants to know just this.
for name in "${failed_parts[@]}"; do
	printf '%s failed:\n' "$name"
	said="$(tap_failures "$out/$name.log" | tail -n 16)"
	if grep -q 'reported a bug, see its log' "$out/$name.log"; then
		said+="${said:+$'\n'}$(splat_print "$out/$name.log" | sed -n 1,30p)"
	fi
	printf '%s\n' "${said:-$(tail -n 5 "$out/$name.log")}" | sed 's/^/    | /'
done
printf '%s passed, %s failed, %s skipped\n' "$sum_passed" "$sum_failed" "$sum_skipped"
[ "$sum_failed" = 0 ] && [ "$sum_passed" -gt 0 ]
