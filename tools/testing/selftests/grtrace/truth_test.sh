#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What a report says of each job, against the times that the paper GPU itself
# read on its clock. It reads each just before a trace can be told of the same
# step, so a time of the report lies between two of its: no matter how slow the
# machine is, they have to be in this order.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"


# Each job of the load, and all that is wrong with its line of the report.
compare() { # DURATION_US
	awk -F, -v duration="$(($1 * 1000))" '
	function wrong(text) {
		if (faults++ < 10)
			printf "# %s:%s on %s: %s\n", $ctx, $seqno, $ring, text
	}
	function ordered(a, b, text) {
		if (a == "NA" || b == "NA" || a + 0 > b + 0)
			wrong(text ": " a " and " b)
	}
	FNR == 1 {
		for (i = 1; i <= NF; i++)
			column[FILENAME, $i] = i
		ring = column[FILENAME, "ring"]
		ctx = column[FILENAME, "ctx"]
		seqno = column[FILENAME, "seqno"]
		next
	}
	{ key = $ctx ":" $seqno }
	NR == FNR {
		begun[key] = $4; ended[key] = $5; done[key] = $6
		seen[key] = $7; error[key] = $8; name[key] = $1
		jobs++
		next
	}
	!(key in begun) { wrong("the load had no such job"); next }
	{
		found++
		start = $column[FILENAME, "start_ts"]
		end = $column[FILENAME, "end_ts"]
		complete = $column[FILENAME, "complete_ts"]
		if ($ring != name[key])
			wrong("it was on " name[key])
		if ($column[FILENAME, "error"] != error[key])
			wrong("its error was " error[key])
		ordered(done[key], complete, "done, COMPLETE")
		if (!ended[key]) {
			if (start != "NA")
				wrong("it never began")
			next
		}
		if ($column[FILENAME, "inferred"] != "-")
			wrong("a time is inferred")
		ordered(begun[key], start, "begun, START")
		ordered(start, ended[key], "START, ended")
		ordered(ended[key], end, "ended, END")
		ordered(end, done[key], "END, done")
		ordered(begun[key] + duration, end, "begun and its duration, END")
		if ($column[FILENAME, "t_exec"] != end - start)
			wrong("t_exec is not END - START")
		late += start - begun[key] + end - ended[key]
	}
	END {
		if (found != jobs) {
			printf "# %d jobs in the report, %d of the load\n", found, jobs
			faults++
		}
		if (found)
			printf "# %d jobs, %d ns late on average\n", found, late / found / 2
		exit !found || faults
	}' "$work/times" "$work/jobs"
}

# Lines of the report, in an order, do not begin before the one before ended.
one_by_one() { # COLUMN TO SORT BY, RINGS APART OR ""
	sed 1d "$work/jobs" | sort -t, -n -k"$1,$1" | awk -F, -v apart="$2" '
	{ ring = apart ? $2 : "" }
	ring in last && $11 + 0 < last[ring] + 0 {
		print "# " $4 ":" $5 " began at " $11 ", before " last[ring]
		faults++
	}
	{ last[ring] = $12 }
	END { exit !NR || faults }'
}

session() { # LOAD'S OPTIONS
	grtrace record -o "$work/run" -- "$dir/mockload" \
		--times "$work/times" "$@" >"$work/out" 2>&1 &&
	grtrace report --csv "$work/jobs" "$work/run" >>"$work/out" 2>&1 &&
	return
	sed 's/^/# /' "$work/out"
	return 1
}

plain_jobs() {
	session --jobs 400 --duration 150 && compare 150 && one_by_one 11 rings
}

many_processes() {
	session --jobs 600 --procs 3 --ctxs 2 --threads 2 --duration 70 --batch 4 &&
	compare 70 && one_by_one 11 rings
}

# Each waits for the one submitted before it, on another ring.
dependencies() {
	session --jobs 200 --depends --duration 100 && compare 100 && one_by_one 9 ""
}

errors() {
	session --jobs 200 --error-every 7 --duration 50 && compare 50
}

killed_jobs() {
	session --jobs 200 --kill --duration 300 && compare 300
}

needs grtrace
needs_modules
run_tests plain_jobs many_processes dependencies errors killed_jobs
