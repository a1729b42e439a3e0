#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# From the ioctl to the waiter: a session, the annotator beside it, and what
# grtrace timeline says of both is what the load has counted and timed.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

threads=3
rounds=100
jobs=$((threads * rounds))

shown() { # FILE
	sed 's/^/# /' "$1"
	return 1
}

# The session has the waits, the annotator the ioctls, and the load's own table
# goes to a file: thread, number, result, before, after.
record() {
	grtrace record -D "$work" -o gpu -- \
		grtrace annotate --no-waits -o "$work/calls" -- \
		sh -c "exec $dir/ioctlload $threads $rounds >$work/truth" \
		>"$work/log" 2>&1 || shown "$work/log" || return 1
	grtrace merge -D "$work" -o "$work/all" gpu calls >"$work/log" 2>&1 ||
		shown "$work/log" || return 1
	grtrace timeline --latency-only --strict "$work/all" >"$work/table" 2>"$work/log" ||
		shown "$work/log"
}

# numbers LINE: N and FAILED of the line that begins so.
numbers() {
	awk -v name="$1" '
		index($0, "  " name " ") == 1 {
			split(substr($0, length(name) + 3), word, " ")
			print word[1], word[2]
		}' "$work/table"
}

# The driver's own, by number. The library looks for the node with VERSION.
ioctls_as_counted() {
	awk '{
		nr = $2 % 256
		if (nr >= 64 && nr < 160) {
			calls[nr]++
			failed[nr] += $3 < 0
		}
	} END {
		for (nr in calls)
			printf "0x%x %d %d\n", nr, calls[nr], failed[nr]
	}' "$work/truth" >"$work/counted"
	[ -s "$work/counted" ] || return 1
	while read -r nr calls failed; do
		same "ioctls $nr and their failures" "$calls $failed" \
		     "$(numbers "grtrace_mock $nr")" || return 1
	done <"$work/counted"
}

# Each job is one ioctl's, and each is there from end to end.
jobs_as_counted() {
	for way in "SUBMIT to COMPLETE" "run to COMPLETE" "entry to COMPLETE"; do
		same "jobs, $way" "$jobs 0" "$(numbers "$way")" || return 1
	done
	same "jobs of no ioctl" 0 "$(grep -c 'have no ioctl' "$work/table")"
}

# Each thread waits for its job in the ioctl after the one that submitted it. A
# task that comes late finds it complete, and may not be kept by it at all.
waiters_as_counted() {
	waited=$(numbers "entry to waiter back" | cut -d ' ' -f 1)
	[ "$waited" -le $jobs ] && [ "$waited" -gt $((jobs / 2)) ] && return
	echo "# $waited of $jobs waiters were back"
	return 1
}

# No job takes longer from end to end than the load saw from before its SUBMIT
# until after its WAIT, and none less than its 100 us..
times_as_measured() {
	awk '
		function ns(number, unit) {
			return number * (unit == "ns" ? 1 : unit == "us" ? 1e3 : \
					 unit == "ms" ? 1e6 : 1e9)
		}
		# SUBMIT is third of a round, WAIT fourth
		FILENAME ~ /truth$/ {
			place = ++calls[$1] % 9
			if (place == 3)
				before = $4
			if (place == 4 && $5 - before > longest)
				longest = $5 - before
			next
		}
		/^  entry to (COMPLETE|waiter back) / {
			n = split($0, word, " ")
			least = ns(word[n - 11], word[n - 10])
			most = ns(word[n - 1], word[n])
			print "# from " least " to " most " ns; the load: " longest " at most"
			if (least < 100000 || most > longest * 1.001)
				bad = 1
			lines++
		}
		END { exit bad || lines != 2 }' "$work/truth" "$work/table"
}

after() {
	session_stop
}

at_end() {
	modules_unload
}

needs grtrace grparse
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF"
needs_modules
session_stop
run_tests record ioctls_as_counted jobs_as_counted waiters_as_counted times_as_measured
