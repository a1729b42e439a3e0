#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs long tests: writers in all contexts on four CPUs, whose records are read exactly
# once or counted, and storms of start, stop, unload and unbind under load.  Prints
# the output of the kselftests, and at the end the number of records and rounds.
#
# Usage: soak.sh [--records N] [--rounds N] [--storms 'NAME...'] [BASE]
#
#   --records N  until N records were read (default 100000000)
#   --rounds N   N rounds of each storm (default 1000)
#   --storms 'NAME...'
#                only these of storm_test.sh (default: all of them)
#   BASE         7.3 (default), or another that selftests.sh takes
#
# Exit status: 0 when nothing failed, else 1; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" work

# Each guest has an end, so that a hang is found: seconds of each test of one.
SECONDS_EACH=60
ROUNDS_EACH=50

records=100000000 rounds=1000 storms=""
options '--records# --rounds# --storms:' "$@"
set -- "${args[@]}"
[ $# -le 1 ] || usage_error "needs one base at most"
base="${1:-7.3}"

selftests() { "$here/test/selftests.sh" --timeout 3600 --cpus 4 "$base" "$@" | tee "$work/log"; }

read=0 lost=0 overwritten=0 guests=0
while [ "$read" -lt "$records" ]; do
	GRTRACE_TORTURE_SECONDS=$SECONDS_EACH selftests torture_test
	guests=$((guests + 1))
	read -r more_read more_lost more_overwritten < <(
		sed -nE 's/.* ([0-9]+) read, ([0-9]+) lost, ([0-9]+) overwritten.*/\1 \2 \3/p' "$work/log" |
			awk '{ r += $1; l += $2; o += $3 } END { print r + 0, l + 0, o + 0 }')
	[ "$more_read" -gt 0 ] || die "torture_test read no record: see above"
	read=$((read + more_read)) lost=$((lost + more_lost)) overwritten=$((overwritten + more_overwritten))
	note "$read of $records records read"
done
done=0
while [ "$done" -lt "$rounds" ]; do
	now=$((rounds - done < ROUNDS_EACH ? rounds - done : ROUNDS_EACH))
	STORMS="$storms" ROUNDS=$now selftests storm_test.sh
	done=$((done + now))
	guests=$((guests + 1))
	note "$done of $rounds rounds"
done
printf '# soak on %s: %s records read once, %s lost and %s overwritten as counted; %s rounds of each storm%s; %s guests\n' \
	"$base" "$read" "$lost" "$overwritten" "$done" "${storms:+ of $storms}" "$guests"
