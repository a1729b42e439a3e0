#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A machine that sleeps while it is recorded, with a load before, across and after
# the sleep: nothing is missing that was not counted, and the time stamps are those
# of the session's clock.
#
# Where the files come from a 9p share, which does not outlast a sleep of the
# devices, only tasks are frozen. A sleep to idle is ended by $GRTRACE_STUBS's
# wake_stub; without it devices are put to sleep and wake, and nothing more.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/../grtrace_lib.sh"

# How many seconds it sleeps, and how many it may take at most to get there.
SECONDS_ASLEEP=3
SECONDS_ASLEEP_MAX=48
# How often a sleep is tried again that was too short, because suspending takes part of
# the time.
SLEEPS_MAX=4

power=/sys/power
rtc=/sys/class/rtc/rtc0
wake=/sys/module/wake_stub/parameters/alarm

after() {
	[ -z "$load_pid" ] || kill -9 "$load_pid" 2>/dev/null
	# shellcheck disable=SC2154
	[ ! -e $files ] || session_stop
	[ ! -w $power/pm_test ] || echo none >$power/pm_test
	[ ! -w $rtc/wakealarm ] || echo 0 >$rtc/wakealarm
}

# Returns whether files come over 9p, which would not survive a sleep of the devices.
tasks_only() {
	grep -q ' 9p ' /proc/mounts
}

# Returns nanoseconds; the last digits of the second are 0.
clock_now() { # mono|boot
	case $1 in
	mono) sed -n 's/^now at \([0-9]*\) nsecs$/\1/p' /proc/timer_list ;;
	boot) sed 's/ .*/0000000/; s/\.//' /proc/uptime ;;
	esac
}

# A difference below the resolution of a clock.
clock_grain() { # mono|boot
	[ "$1" = mono ] && echo 0 || echo 10000000
}

success() {
	cat $power/suspend_stats/success
}

# Sleeps up to a step: the kernel waits for a second and wakes up again.
sleep_in_part() { # freezer|devices
	echo 1 >/sys/module/suspend/parameters/pm_test_delay
	echo "$1" >$power/pm_test || return 1
	came_back=no
	! echo freeze >$power/state || came_back=yes
	echo none >$power/pm_test
	[ $came_back = yes ]
}

# Sleeps until the alarm. An alarm while the machine is still suspending would be
# missed, so the kernel cancels (EBUSY), and the next attempt gets more time.
sleep_to_memory() { # SECONDS
	count=$(cat $power/wakeup_count) && echo 0 >$rtc/wakealarm || return 1
	alarm=$(($(cat $rtc/since_epoch) + $1))
	echo $alarm >$rtc/wakealarm && echo "$count" >$power/wakeup_count &&
	echo mem >$power/state
}

sleep_to_idle() { # SECONDS
	alarm=$(($(cat $rtc/since_epoch) + $1 - 1))
	echo "$1" >$wake || return 1
	came_back=no
	! echo freeze >$power/state || came_back=yes
	echo 0 >$wake
	[ $came_back = yes ]
}

# A cancelled attempt leaves messages in the log, so each attempt begins with a mark.
sleep_wholly() { # memory|idle
	while :; do
		log_mark
		"sleep_to_$1" "$seconds" 2>>"$work/err" && break
		seconds=$((seconds * 2))
		[ $seconds -le $SECONDS_ASLEEP_MAX ] || return 1
	done
	[ "$(cat $rtc/since_epoch)" -ge "$alarm" ] && return
	echo "# it woke before its time"
	return 1
}

machine_sleeps() { # memory|idle
	before=$(success)
	if [ "$1" = idle ] && [ -n "$step" ]; then
		sleep_in_part "$step"
	else
		sleep_wholly "$1"
	fi || return 1
	same "times that the machine slept" $((before + 1)) "$(success)"
}

# Prints the last step up to which it can suspend to idle; nothing if it can suspend
# completely.
idle_step() {
	if tasks_only; then
		echo freezer
	elif [ ! -w $wake ]; then
		echo devices
	fi
}

# Writes a message, and prints the times of both clocks before and after it.
mark() { # TEXT
	for clock in mono boot; do
		eval "${1}_${clock}_from=$(clock_now $clock)"
	done
	echo "$1" >$files/msg
	for clock in mono boot; do
		eval "${1}_${clock}_to=$(clock_now $clock)"
	done
}

time_stamp() { # TEXT
	records "$work"/sleep.[0-9]* | awk -v text="$1" '$4 == "message" && $5 == text { print $2 }'
}

marked_in_time() { # TEXT mono|boot
	stamp=$(time_stamp "$1")
	eval "from=\$${1}_${2}_from to=\$${1}_${2}_to"
	# shellcheck disable=SC2154
	[ -n "$stamp" ] && [ "$stamp" -ge "$from" ] &&
	[ "$stamp" -le $((to + $(clock_grain "$2"))) ] && return
	echo "# $1: at ${stamp:-no time}, not from $from to $to"
	return 1
}

# Prints by how much CLOCK_BOOTTIME is ahead, rounded to 0.2 s or to the resolution of
# the clocks.
boot_ahead() {
	closest=
	for _ in $(seq 50); do
		mono=$(clock_now mono)
		boot=$(clock_now boot)
		apart=$(($(clock_now mono) - mono))
		[ -n "$closest" ] && [ $apart -ge "$closest" ] && continue
		closest=$apart
		ahead=$((boot - mono))
		[ "$closest" -ge 200000000 ] || break
	done
	echo "$ahead"
}

half_submitted() {
	[ "$(events_of submit)" -ge 150 ]
}

log_mark() {
	echo "grtrace suspend_test: $test_name" >/dev/kmsg
}

# There was no warning since the test began, and nothing failed in the last attempt to
# sleep.
kernel_is_content() {
	dmesg | awk -v mark="grtrace suspend_test: $test_name" '
		substr($0, length($0) - length(mark) + 1) == mark { begun = 1; failed = "" }
		!begun { next }
		/WARNING:|BUG:/ { print "# " $0; warned = 1 }
		/PM: .*(fail|error)/ { failed = failed "# " $0 "\n" }
		END { printf "%s", failed; exit warned || failed != "" }'
}

# 100 jobs before the sleep, 200 in flight during it, 100 after it.
sleeps() { # memory|idle CLOCK
	log_mark
	echo "clock=$2" >$files/config && echo start >$files/control || return 1
	"$load" --jobs 100 --duration 20 >/dev/null || return 1
	"$load" --jobs 200 --duration 20000 >"$work/load" &
	load_pid=$!
	wait_until 120 half_submitted && mark asleep && machine_sleeps "$1" &&
	mark awake && wait $load_pid && load_pid= || return 1
	"$load" --jobs 100 --duration 20 >/dev/null || return 1
	session_settled && session_take sleep && took_all sleep 400 &&
	same "jobs completed" 400 "$(count_events complete <"$work/records")" &&
	kernel_is_content &&
	marked_in_time asleep "$2" && marked_in_time awake "$2"
}

# The clocks only stop if the platform has an idle state for that.
sleeps_to_idle() {
	seconds=$SECONDS_ASLEEP
	sleeps idle mono
}

# Whether the clock of the session includes the sleep.
sleeps_to_memory() { # CLOCK
	seconds=$SECONDS_ASLEEP
	for _ in $(seq $SLEEPS_MAX); do
		ahead_before=$(boot_ahead)
		sleeps memory "$1" || return 1
		slept=$(($(boot_ahead) - ahead_before))
		[ $slept -ge 1000000000 ] && return
		echo "# the machine slept $slept ns"
		seconds=$((seconds * 2))
	done
	return 1
}

mono_clock_misses_the_sleep() {
	sleeps_to_memory mono
}

boot_clock_has_the_sleep() {
	sleeps_to_memory boot
}

# Prints why a test makes no sense with this kernel, or nothing.
why_not() { # TEST
	if [ ! -w $power/pm_test ] || ! grep -q freeze $power/state; then
		echo "the kernel cannot try to sleep (CONFIG_PM_DEBUG)"
	elif [ "$1" = sleeps_to_idle ]; then
		return
	elif tasks_only; then
		echo "files come from a 9p share, which does not outlast it"
	elif [ ! -w $rtc/wakealarm ] || ! grep -q '\[deep\]' $power/mem_sleep; then
		echo "the machine has no such sleep or no alarm that ends it"
	fi
}

before() { # TEST
	session_stop
	configure_defaults
}

at_end() {
	! module_loaded wake_stub || rmmod wake_stub
}

needs_modules
[ ! -e "$GRTRACE_STUBS/wake_stub.ko" ] || insmod "$GRTRACE_STUBS/wake_stub.ko"
step=$(idle_step)
case $step in
freezer) ktap_print_msg "files come from a 9p share: only tasks are frozen" ;;
devices) ktap_print_msg "nothing ends a sleep to idle: only devices sleep" ;;
esac
run_tests sleeps_to_idle mono_clock_misses_the_sleep boot_clock_has_the_sleep
