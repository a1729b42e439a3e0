#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The annotator on this kernel: every ioctl that a program has counted is there
# exactly once, with its result and in its time, and losses are reported.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

load="$dir/ioctlload"
annotate_pid=
load_pid=

after() {
	exec 9>&-
	for pid in $annotate_pid $load_pid; do
		kill -CONT "$pid" 2>/dev/null
		kill -9 "$pid" 2>/dev/null
	done
}

# rows CAPTURE TYPE COLUMN...: of the events of a type.
rows() {
	grparse -q --csv "$1" >"$work/csv" || return 1
	type=$2
	shift 2
	awk -F, -v type="$type" -v wanted="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, w, " ") }
		NR > 1 && $at["type"] == type {
			for (i = 1; i <= n; i++)
				printf "%s%s", $at[w[i]], i < n ? " " : "\n"
		}' "$work/csv"
}

# The truth has "thread number result before after", the capture's rows "thread
# number result return duration", both in a thread's own order.
compare() { # TRUTH CAPTURE
	rows "$2" ioctl pid cmd result ts duration >"$work/rows"
	awk '
		NR == FNR { truth[$1, ++n[$1]] = $0; next }
		!($1 in n) { next }
		{
			split(truth[$1, ++seen[$1]], t, " ")
			found++
			if ($2 != t[2] || $3 != t[3])
				print "# thread " $1 ": " $2 " = " $3 ", not " t[2] " = " t[3]
			# ns of 13 digits are exact in a double
			if ($4 - $5 < t[4] || $4 > t[5])
				print "# thread " $1 ", " $2 ": from " $4 - $5 " to " $4 \
					" is not in " t[4] " to " t[5]
		}
		END {
			for (thread in n) {
				expected += n[thread]
				if (seen[thread] != n[thread])
					print "# thread " thread ": " seen[thread] + 0 \
						" of " n[thread]
			}
			if (!expected)
				print "# nothing to compare"
		}' "$1" "$work/rows" >"$work/wrong"
	head -n 5 "$work/wrong"
	[ ! -s "$work/wrong" ]
}

attached() {
	[ -s "$work/run" ]
}

annotate_start() { # OPTIONS
	rm -f "$work/run" "$work/go"
	grtrace annotate -o "$work/run" "$@" -- sh -c "touch $work/go; exec sleep 1000" \
		>"$work/out" 2>"$work/err" &
	annotate_pid=$!
	wait_until 120 [ -e "$work/go" ]
}

annotate_end() {
	kill -TERM "$annotate_pid"
	wait "$annotate_pid"
	annotate_pid=
	says "$work/out" " lost"
}

# Starts the load, which waits for a line.
load_start() { # ARGUMENTS
	rm -f "$work/fifo"
	mkfifo "$work/fifo"
	IOCTLLOAD_WAIT=1 "$load" "$@" <"$work/fifo" >"$work/truth" &
	load_pid=$!
	exec 9>"$work/fifo"
}

load_finish() {
	echo >&9
	exec 9>&-
	wait "$load_pid"
	load_pid=
}

each_once() {
	grtrace annotate -o "$work/run" -- "$load" 4 200 >"$work/truth" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	# the last line is the annotator's own
	tail -n 1 "$work/truth" >"$work/out"
	sed -i '$d' "$work/truth"
	same "ioctls of the load" 7200 "$(wc -l <"$work/truth")" &&
	says "$work/out" " 0 lost" && compare "$work/truth" "$work/run" &&
	grtrace verify "$work/run" >"$work/out" && says "$work/out" " 0 faults"
}

names_and_tasks() {
	grtrace annotate -o "$work/run" -- "$load" 1 50 quiet >"$work/out" &&
	same "names" "0x40 0x41 0x42 0x43 0x44 0x4701 0x9e VERSION " \
	     "$(rows "$work/run" ioctl ioctl | sort -u | tr '\n' ' ')" &&
	same "drivers" "grtrace_mock" "$(rows "$work/run" ioctl driver | sort -u)" &&
	same "names of tasks" "ioctlload" "$(rows "$work/run" ioctl comm | sort -u)" &&
	same "cgroups" 1 "$(rows "$work/run" ioctl cgroup | sort -u | grep -c '^[0-9]')"
}

# The same waits as the session of the kernel has.
waits_of_the_session() {
	grtrace record -D "$work" -o session -- \
		grtrace annotate -o "$work/run" -- "$load" 2 100 quiet \
		>"$work/out" 2>"$work/err" || {
		sed 's/^/# /' "$work/err"
		return 1
	}
	for type in wait_enter wait_exit; do
		rows "$work/run" $type pid ctx seqno | sort >"$work/$type"
		rows "$work/session" $type pid ctx seqno | sort >"$work/of_session"
		if [ ! -s "$work/$type" ] || ! cmp -s "$work/$type" "$work/of_session"; then
			same "$type" "$(wc -l <"$work/of_session")" "$(wc -l <"$work/$type")"
			diff "$work/$type" "$work/of_session" | head -n 5 | sed 's/^/# /'
			return 1
		fi
	done
}

without_waits() {
	grtrace annotate --no-waits -o "$work/run" -- "$load" 1 10 quiet >"$work/out" &&
	says "$work/out" " 0 waits" &&
	same "waits" 0 "$(rows "$work/run" wait_enter pid | wc -l)"
}

one_process() {
	load_start 2 50
	annotate_start -p "$load_pid" || return 1
	# another one at the same time
	"$load" 2 50 quiet >/dev/null || return 1
	load_finish
	annotate_end && compare "$work/truth" "$work/run" &&
	same "ioctls" "$(wc -l <"$work/truth")" "$(rows "$work/run" ioctl pid | wc -l)"
}

# The reader stands still: what does not fit is counted, by CPU and in place.
tiny_buffer() {
	load_start 3 300 quiet
	annotate_start --no-waits -b 4 || return 1
	kill -STOP "$annotate_pid"
	load_finish
	kill -CONT "$annotate_pid"
	"$load" 1 1 quiet >"$work/more"
	annotate_end || return 1
	lost=$(sed -n 's/.* \([0-9]*\) lost$/\1/p' "$work/out")
	told=$(grparse -q -f '%a %m\n' "$work/run" 2>/dev/null |
	       awk '$1 == "mL" { sum += $2 } END { print sum + 0 }')
	# the second load looks for the node with one call for each existing one
	nodes=$(rows "$work/run" ioctl pid tgid ioctl | awk '$1 == $2 && $3 == "VERSION"' | wc -l)
	[ "$lost" -gt 0 ] || { echo "# nothing was lost"; return 1; }
	same "lost, in the capture" "$lost" "$told" &&
	same "found and lost" $(($(cat "$work/truth") + $(cat "$work/more") + nodes)) \
	     $(($(rows "$work/run" ioctl pid | wc -l) + lost)) &&
	grtrace verify "$work/run" >"$work/out" && says "$work/out" " 0 faults"
}

strict() {
	load_start 3 300 quiet
	rm -f "$work/run" "$work/go"
	grtrace annotate --strict --no-waits -b 4 -o "$work/run" >"$work/out" 2>"$work/err" &
	annotate_pid=$!
	wait_until 120 attached || return 1
	kill -STOP "$annotate_pid"
	load_finish
	kill -CONT "$annotate_pid"
	kill -INT "$annotate_pid"
	wait "$annotate_pid"
	status=$?
	annotate_pid=
	same "exit status" 3 $status
}

# Does a process of the load wait for its job?
waits() {
	grep -qs "^$ioctl " /proc/[0-9]*/task/*/syscall && pgrep -x mockload >/dev/null
}

# A wait that runs when the annotator begins and still when it ends is not an ioctl of the load.
# The ring is not reset by then: the annotator may need its time.
cut_at_both_ends() {
	module_unload grtrace_mock && module_load grtrace_mock timeout_ms=60000 || return 1
	ioctl=$(python3 -c 'import platform; print(16 if platform.machine() == "x86_64" else 29)')
	"$dir/mockload" --jobs 1 --duration 30000000 >"$work/load" &
	load_pid=$!
	wait_until 120 waits || return 1
	grtrace annotate -o - -w 1 2>"$work/err" | grparse -q - >"$work/text"
	waits || { echo "# the load did not wait until the end"; return 1; }
	says "$work/err" "stdout: 0 ioctls" && wait $load_pid && load_pid= &&
	same "jobs that ended well" "render0 1" "$(awk -F, '$3 == 1 { print $1, $3 }' "$work/load")" &&
	module_unload grtrace_mock && module_load grtrace_mock
}

# fails SENTENCE'S PART COMMAND...: with exit status 1 and nothing left behind.
fails() {
	part=$1
	shift
	rm -f "$work/none"
	"$@" >"$work/out" 2>"$work/err"
	same "exit status of $*" 1 $? && says "$work/err" "$part" &&
	same "files" 0 "$(find "$work" -name none | wc -l)"
}

without_rights() {
	# a user without rights may not look into the folder of the programs either
	chmod 777 "$work"
	cp "$(command -v grtrace)" "$(command -v grtrace)-annotate" "$work" || return 1
	fails "run it as root" setpriv --reuid 65534 --clear-groups --bounding-set=-all \
		"$work/grtrace" annotate -o "$work/none" -w 1
}

# Not where another test left a driver that uses it.
drm_leaves() {
	modules_unload || return 1
	modprobe -r drm_shmem_helper gpu-sched drm_kms_helper 2>/dev/null
	modprobe -r drm 2>/dev/null
	! module_loaded drm
}

without_drm() {
	fails "load the driver of the GPU first" grtrace annotate -o "$work/none" -w 1
}

# Why a test makes no sense here, or nothing.
why_not() { # TEST
	[ "$1" != without_drm ] || drm_leaves || echo "drm is built in or in use"
}

needs grtrace grparse setpriv
[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF"
needs_modules
session_stop
run_tests each_once names_and_tasks waits_of_the_session without_waits one_process \
	tiny_buffer strict cut_at_both_ends without_rights without_drm
