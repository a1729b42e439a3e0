#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Everything that CI must see, see lib/parts.sh.  Each part's output goes to a log
# under out/test; what a failed part said is shown.  A part or a test case that takes
# too long is ended and has failed; so has a skip that the list "skips" does not have.  The last line is "N passed, N failed,
# N skipped": the sum over all test cases, a part that is one check counting 1.
#
# Usage: test.sh [--debug] [PART...]
#
#   PART    only these, see --list; a prefix will do
#   --debug instead, what takes long: the tools with sanitizers, all kselftests and
#           KUnit on kernels that look for bugs in themselves, the package for dkms,
#           installed, and the backport
#   --list  print the parts
#
# GRTRACE_TEST_MINUTES: a part whose turn comes later than that is not run, and has
# failed, for whoever is ended after some time; not set: all are run.
#
# Exit status: 0 when something passed and nothing failed, else 1; 2 wrong usage.
set -euo pipefail
exec </dev/null			# closed, it would be the next file's number
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
for part in report cache tap splat parts; do
	# shellcheck source=/dev/null
	. "$here/lib/$part.sh"
done

# How much longer than GRTRACE_TEST_MINUTES a part may take that began in time, minutes.
STRAGGLER=10

if [ "${1:-}" = --inside ]; then
	"part_$2"
	exit
fi
if [ "${1:-}" = --debug ]; then
	# parts.sh has it
	# shellcheck disable=SC2154
	parts=("${debug_parts[@]}")
	shift
fi
case "${1:-}" in
-h|--help) usage "$0"; exit ;;
--list) printf '%s\n' "${parts[@]%% *}"; exit ;;
esac
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
[ ${#chosen[@]} -gt 0 ] || usage_error "no part is called '$1'; see --list"

out="$here/../../out/test"
rm -rf "$out"
mkdir -p "$out"
out="$(cd "$out" && pwd)"
started="$SECONDS"
"$here/vm.sh" --end-stale

is_late() {
	[ -n "${GRTRACE_TEST_MINUTES:-}" ] && [ "$((SECONDS - started))" -ge "$((GRTRACE_TEST_MINUTES * 60))" ]
}

# leave_out NAME: as a test that failed, since nobody knows whether it would not.
leave_out() {
	printf '1..1\nnot ok 1 %s # not run, %s minutes are over: make test PARTS=%s\n' \
		"$1" "$GRTRACE_TEST_MINUTES" "$1" >"$out/$1.log"
	printf '1 0\n' >"$out/$1.status"
}

# run NAME MINUTES SECONDS_OF_A_CASE: the part's output to its log, its status and
# seconds beside it.
run() {
	local from="$SECONDS" status=0 limit="$(($2 * 60))" left
	if [ -n "${GRTRACE_TEST_MINUTES:-}" ]; then
		left="$(((GRTRACE_TEST_MINUTES + STRAGGLER) * 60 - (SECONDS - started)))"
		[ "$left" -ge "$limit" ] || limit="$left"
	fi
	"$here/limit.sh" --case "$3" "$limit" "$1" -- "$here/test.sh" --inside "$1" |
		tap_judge "$1" >"$out/$1.log" || status=$?
	printf '%s %s\n' "$status" "$((SECONDS - from))" >"$out/$1.status"
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
summary=() failed_parts=()
finish() {
	local name="$1" seconds passed failed skipped line
	read -r _ seconds <"$out/$name.status"
	read -r passed failed skipped < <(count "$name" "$2")
	line="$(printf '%-24s %4s passed, %s failed, %s skipped  (%s s)' "$name" "$passed" "$failed" "$skipped" "$seconds")"
	summary+=("$line")
	printf '    %s\n' "$line"
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
	read -r name how minutes seconds where <<<"$part"
	if is_late; then
		leave_out "$name"
		finish "$name" tap
		continue
	fi
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

printf '\n=== all parts, %s s; logs in %s\n' "$((SECONDS - started))" "${out#"$PWD"/}"
printf '    %s\n' "${summary[@]}"
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
