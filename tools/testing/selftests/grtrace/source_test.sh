#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Sources come with the drivers that are there, and with no other: a session
# neither loads a driver nor keeps one from being unloaded.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

parameters=/sys/module/grtrace/parameters

is_module() { # NAME
	path=$(modinfo -F filename "$1" 2>/dev/null) && [ -e "$path" ]
}

loaded() { # MODULE
	grep -q "^$1 " /proc/modules
}

start() {
	echo start >$files/control
}

# A driver with a device may be in use, and some do not survive to be unloaded.
bound() { # DRIVER
	for link in /sys/bus/*/drivers/"$1"/*/driver; do
		[ ! -e "$link" ] || return 0
	done
	return 1
}

# The driver's source, in the stream's own words: "found known".
source_line() { # NAME
	grep -aoE "^source $1 [0-9]+ [0-9]+$" $files/metadata |
		cut -d' ' -f3,4
}

# Until a source has all its tracepoints, a minute at most: it comes by itself, but
# not in the place that loads the driver.
attached() { # DRIVER
	wait_until 120 has_all "$1" && return
	echo "# source $1: '$line'"
	return 1
}

has_all() { # DRIVER
	line=$(source_line "$1")
	[ -n "$line" ] && [ "${line% *}" = "${line#* }" ]
}

# Without the driver a source has only what is the kernel's own.
detached() { # DRIVER
	line=$(source_line "$1")
	[ "${line% *}" -lt "${line#* }" ] && return
	echo "# source $1: '$line', with its driver gone"
	return 1
}

# Each driver and its source, but for those that have to stay.
unload_all() {
	session_stop
	for driver in $drivers; do
		! loaded "grtrace_$driver" || rmmod "grtrace_$driver" || return 1
		bound "$driver" || ! loaded "$driver" || rmmod "$driver" ||
			return 1
	done
}

what_all_kernels_have() {
	start || return 1
	for source in dma_fence drm_sched; do
		attached $source || return 1
	done
	session_settled
}

loads_no_driver() {
	start || return 1
	# what comes by itself comes with these
	attached dma_fence && attached drm_sched || return 1
	looked=0
	for driver in $drivers; do
		bound "$driver" || looked=$((looked + 1))
		if loaded "$driver" && ! bound "$driver"; then
			echo "# the session loaded $driver"
			return 1
		fi
		if loaded "grtrace_$driver" && ! bound "$driver"; then
			echo "# grtrace_$driver was loaded for no driver"
			return 1
		fi
	done
	echo "# $looked drivers without a device"
	[ $looked -gt 0 ] && session_settled
}

loads_the_source_of_a_driver() { # DRIVER
	modprobe "$1" || return 1
	start || return 1
	loaded "grtrace_$1" && attached "$1" && session_settled || return 1
	for driver in $drivers; do
		[ "$driver" = "$1" ] || bound "$driver" ||
			! loaded "grtrace_$driver" || return 1
	done
}

# The first thing that a driver is asked for, as a new virtual GPU shows a picture
# right away: with a device, there are events.
driver_comes_in_a_session() { # DRIVER
	start && modprobe "$1" && attached "$1" || return 1
	if bound "$1"; then
		timeout 20 kmscube -c 3 </dev/null >/dev/null 2>&1
		offered=$(awk '$1 == "offered" { print $2 }' $files/stats)
		echo "# $offered events with its device"
		[ "$offered" -gt 0 ] || return 1
	fi
	session_settled
}

driver_goes_in_a_session() { # DRIVER
	modprobe "$1" && start && attached "$1" || return 1
	rmmod "$1" && detached "$1" || return 1
	# ... and comes back
	modprobe "$1" && attached "$1" && rmmod "$1" && detached "$1" && session_settled
}

driver_goes_after_a_session() { # DRIVER
	modprobe "$1" && start && attached "$1" && session_stop && rmmod "$1" &&
	loaded "grtrace_$1"
}

# The other way round: the source goes, the driver stays.
source_goes_in_a_session() { # DRIVER
	modprobe "$1" && start && attached "$1" && rmmod "grtrace_$1" &&
	[ -z "$(source_line "$1")" ] && modprobe "grtrace_$1" && attached "$1" &&
	session_settled
}

parameters_can_be_read() {
	grep -qx '[YN]' $parameters/start &&
	[ "$(stat -c %a $parameters/start $parameters/config | uniq)" = 444 ]
}

# A core that is a module is told when it is loaded.
parameters_start_a_session() {
	modules_unload || return 1
	modprobe grtrace start=1 config="level=normal subbuf_size=8192" || return 1
	[ "$(cat $files/control)" = running ] &&
	grep -qx level=normal $files/config &&
	grep -qx subbuf_size=8192 $files/config
	ret=$?
	modules_unload && modules_load && return $ret
}

before() { # TEST
	unload_all || ktap_print_msg "a module stays"
}

at_end() { # as it was found
	modules_load
}

why_not() { # TEST
	case $1 in
	loads_no_driver) [ -n "$drivers" ] || echo "no driver that has a source is a module" ;;
	driver_goes_*)
		! bound "${1#* }" || echo "the driver has a device" ;;
	parameters_start_a_session)
		! module_built_in grtrace || echo "grtrace is built in" ;;
	esac
}

[ -d /sys/kernel/tracing/events/gpu_scheduler ] || modprobe -q gpu-sched
[ -d /sys/kernel/tracing/events/gpu_scheduler/drm_sched_job_hw_fence ] ||
	skip_all "this kernel's drivers export no tracepoints to grtrace"
needs_modules
drivers=
set -- what_all_kernels_have loads_no_driver
for tested in virtio_gpu amdgpu nouveau i915; do
	if is_module "$tested" && is_module "grtrace_$tested"; then
		drivers="$drivers $tested"
		set -- "$@" "driver_comes_in_a_session $tested" \
			"loads_the_source_of_a_driver $tested" \
			"source_goes_in_a_session $tested" \
			"driver_goes_in_a_session $tested" \
			"driver_goes_after_a_session $tested"
	fi
done
run_tests "$@" parameters_can_be_read parameters_start_a_session
