#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs a command and passes its output on. When the command or one of its test cases
# exceeds its time, the command is ended with all processes that it started, and the last
# lines name the case. This works for tests in shell, C, C++ and Python, whose output is
# TAP or comes from the kselftest harness or GoogleTest.
#
# The command does not depend on how this script was started: it has no terminal, a
# session of its own, no input, no signal that is ignored (nohup ignores SIGHUP, a
# shell SIGINT in the background) and the C locale.
#
# Usage: limit.sh [--case S] SECONDS NAME -- CMD...
#
#   --case S  how long it may take from one test's result to the next, after the
#             first result; the default 0 means no limit
#   SECONDS   how long the command may take
#   NAME      its name in the message when a time is exceeded
#
# Exit status: the command's; 124 when a time was over; 2 wrong usage.
. "$(dirname "$0")/../lib/use.sh" report
set +e

# What is asked to end has this long, seconds, before it is killed.
GRACE=10
# How many of the last lines are shown, and how many processes that still ran.
LINES_SHOWN=5
PROCESSES_SHOWN=2

case_limit=0
options '--case:case_limit' "$@"
set -- "${args[@]}"
if [ $# -lt 4 ] || [ "$3" != -- ]; then
	usage_error "needs SECONDS NAME -- CMD..."
fi
limit="$1" name="$2"
shift 3
[[ $limit =~ ^[1-9][0-9]*$ ]] || usage_error "'$limit' is not a number of seconds"
[[ $case_limit =~ ^[0-9]+$ ]] || usage_error "--case '$case_limit': no number of seconds"

# family: the command's descendants and all of its session, where those are that
# their parents left behind; itself last.
family() {
	# a trap may find "IFS= read" at work
	local IFS=$' \t\n' file stat pid parent session more=1
	local -A mine=(["$child"]=1)
	while [ "$more" = 1 ]; do
		more=0
		for file in /proc/[0-9]*/stat; do
			{ read -r stat <"$file"; } 2>/dev/null || continue
			[ -n "$stat" ] || continue	# it ends just now
			pid="${stat%% *}"
			# a name may have blanks and brackets
			read -r _ parent _ session _ <<<"${stat##*) }"
			if [ -z "${mine[$pid]:-}" ] && { [ "$session" = "$child" ] || [ -n "${mine[$parent]:-}" ]; }; then
				mine[$pid]=1
				more=1
			fi
		done
	done
	unset "mine[$child]"
	printf '%s\n' "${!mine[@]}" "$child" | sed '/^$/d'
}

# end_family: asked first, as guests have something to put away.
end_family() {
	local pids deadline=$((SECONDS + GRACE))
	mapfile -t pids < <(family)
	kill -TERM "${pids[@]}" 2>/dev/null
	while kill -0 "${pids[@]}" 2>/dev/null && [ "$SECONDS" -lt "$deadline" ]; do
		sleep 0.1
	done
	kill -KILL "${pids[@]}" 2>/dev/null
}

# over SECONDS WHAT: the time of WHAT is over.
over() {
	local pid text shown=0
	printf '# | %s\n' "${last_lines[@]}"
	while read -r pid; do
		text="$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)"
		[ -n "$text" ] || continue
		[ "$shown" -lt "$PROCESSES_SHOWN" ] || break
		printf '# still running: %s %.200s\n' "$pid" "$text"
		shown=$((shown + 1))
	done < <(family)
	printf 'not ok 0 %s: %s # not done after %s s\n' "$name" "$2" "$1"
	end_family
	exit 124
}

# program_ends: how long that took which a heading named, a kselftest's or a CLI test's.
program='' program_since=0
program_ends() {
	[ -z "$program" ] || [ "$SECONDS" = "$program_since" ] ||
		printf '# %s took %s s\n' "$program" "$((SECONDS - program_since))"
	program=''
}

exec </dev/null
fifo="$(mktemp -u)"
mkfifo -m 600 "$fifo" || exit 1
env --default-signal LC_ALL=C.UTF-8 setsid "$@" >"$fifo" 2>&1 &
child=$!
exec 3<"$fifo"
rm -f "$fifo"
trap 'end_family; exit 130' INT
trap 'end_family; exit 143' TERM
trap 'end_family; exit 129' HUP

last_lines=()
last='' current='' line='' since=''
while :; do
	# It may end, and with it what it wrote last, while that is being read.
	ended=0
	kill -0 "$child" 2>/dev/null || ended=1
	IFS= read -r -t 1 -u 3 more
	got=$?
	line+="$more"
	if [ "$got" = 0 ]; then
		if [[ $line =~ ^#\ (selftests:\ [^ ]+:\ )?([^ ]+)$ && ( -n ${BASH_REMATCH[1]} || $line == *.t ) ]]; then
			program_ends
			program="${BASH_REMATCH[2]}" program_since="$SECONDS"
		fi
		printf '%s\n' "$line"
		last_lines+=("$line")
		[ ${#last_lines[@]} -le "$LINES_SHOWN" ] || last_lines=("${last_lines[@]:1}")
		case "$line" in
		"[ RUN      ] "*) current="${line#*] }" since="$SECONDS" ;;
		"#  RUN  "*|"# #  RUN  "*) current="$(sed 's/.*RUN *//; s/ \.\.\.$//' <<<"$line")" since="$SECONDS" ;;
		"ok "*|"not ok "*|"# ok "*|"# not ok "*|"[       OK ] "*|"[  FAILED  ] "*|"[  SKIPPED ] "*)
			last="$line" current='' since="$SECONDS" ;;
		1..[1-9]*|"# 1.."[1-9]*) since="$SECONDS" ;;
		esac
		line=''
	elif [ "$got" -le 128 ]; then
		break
	elif [ "$ended" = 1 ] && [ -z "$more" ]; then
		# Who was left behind has the pipe.
		mapfile -t left < <(family | grep -vx "$child")
		[ ${#left[@]} = 0 ] || printf '# %s left running what is ended now: %s\n' "$name" "${left[*]}"
		break
	fi
	if [ "$SECONDS" -ge "$limit" ]; then
		over "$limit" "${current:-all of it}"
	fi
	if [ "$case_limit" != 0 ] && [ -n "$since" ] && [ $((SECONDS - since)) -ge "$case_limit" ]; then
		over "$case_limit" "${current:-what comes after \"${last:-the plan}\"}"
	fi
done
[ -z "$line" ] || printf '%s\n' "$line"
program_ends
# In time, or its output was closed long before its end.
while kill -0 "$child" 2>/dev/null; do
	[ "$SECONDS" -lt "$limit" ] || over "$limit" "all of it"
	sleep 0.1
done
status=0
wait "$child" || status=$?
end_family
exit "$status"
