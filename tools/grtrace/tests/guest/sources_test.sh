#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# grtrace start loads the sources of drivers that have a device, and of no other, and no
# driver; grtrace stop --unload removes them.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"
# shellcheck source=tools/testing/selftests/grtrace/sources.sh
. "$dir/sources.sh"

what_all_drivers_share() {
	grtrace start || return 1
	for source in dma_fence drm_sched drm; do
		attached $source || return 1
	done
	session_settled
}

# Returns whether this driver and its source are only loaded for a device.
only_with_a_device() { # DRIVER
	if bound "$1"; then
		attached "$1" && return
	elif ! loaded "grtrace_$1"; then
		return
	fi
	echo "# grtrace_$1 without a device"
	return 1
}

loads_no_driver() {
	grtrace start || return 1
	for driver in $drivers; do
		only_with_a_device "$driver" || return 1
		if loaded "$driver" && ! bound "$driver"; then
			echo "# the session loaded $driver"
			return 1
		fi
	done
	session_settled
}

# The source of a driver without a device is not loaded.
driver_alone() { # DRIVER
	modprobe "$1" && grtrace start && only_with_a_device "$1" && session_settled
}

# The driver stays after its source, and nothing holds it.
unload_lets_it_go() { # DRIVER
	modprobe "grtrace_$1" && grtrace start && grtrace stop && loaded "grtrace_$1" &&
	grtrace stop --unload && loaded "$1" && ! loaded "grtrace_$1" || return 1
	bound "$1" || rmmod "$1"
}

# A single command, and the recorded data can still be read.
stop_unloads_all() {
	for driver in $drivers; do
		modprobe "grtrace_$driver" || return 1
	done
	grtrace start && echo "submit 1 1 5 1" >$files/emit &&
	grtrace stop -o "$work/saved" --unload >"$work/out" 2>&1 || return 1
	same "sources" "" "$(sources_loaded)" && [ -e $files/control ] || return 1
	same "submits" 1 "$(grparse -f '%a\n' "$work/saved" | grep -cx Q)" || return 1
	for driver in $drivers; do
		bound "$driver" || rmmod "$driver" || return 1
	done
}

before() { # TEST
	unload_all || ktap_print_msg "a module stays"
}

at_end() { # as it was found
	modules_load
}

why_not() { # TEST
	case $1 in
	loads_no_driver|stop_unloads_all)
		[ -n "$drivers" ] || echo "no driver that has a source is a module" ;;
	esac
}

[ -d /sys/kernel/tracing/events/gpu_scheduler ] || modprobe -q gpu-sched
[ -d /sys/kernel/tracing/events/gpu_scheduler/drm_sched_job_hw_fence ] ||
	skip_all "this kernel's drivers export no tracepoints to grtrace"
needs grtrace grparse
needs_modules
set --
for tested in $drivers; do
	set -- "$@" "driver_alone $tested" "unload_lets_it_go $tested"
done
run_tests what_all_drivers_share loads_no_driver "$@" stop_unloads_all
