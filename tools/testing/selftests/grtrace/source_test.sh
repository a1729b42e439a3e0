#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel loads no source, grtrace those of drivers that have a device, and of
# no other. A source holds its driver, until it is told to let it go.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

parameters=/sys/module/grtrace/parameters

is_module() { # NAME
	path=$(modinfo -F filename "$1" 2>/dev/null) && [ -e "$path" ]
}

loaded() { # MODULE
	grep -q "^$1 " /proc/modules
}

sources_loaded() {
	for name in $modules_sources $modules_drivers; do
		! loaded "$name" || echo "$name"
	done
}

# A driver with a device may be in use, and some do not survive being unloaded.
bound() { # DRIVER
	for link in /sys/bus/*/drivers/"$1"/*/driver; do
		[ ! -e "$link" ] || return 0
	done
	return 1
}

# Prints what the stream says about the driver's source: "found known".
source_line() { # NAME
	grep -aoE "^source $1 [0-9]+ [0-9]+$" $files/metadata |
		cut -d' ' -f3,4
}

# The source is there, and has all its tracepoints.
attached() { # NAME
	line=$(source_line "$1")
	[ -n "$line" ] && [ "${line% *}" = "${line#* }" ] && return
	echo "# source $1: '$line'"
	return 1
}

# Each driver and its source, except those that have to stay.
unload_all() {
	session_stop
	for driver in $drivers; do
		! loaded "grtrace_$driver" || rmmod "grtrace_$driver" || return 1
		bound "$driver" || ! loaded "$driver" || rmmod "$driver" ||
			return 1
	done
}

kernel_loads_none() {
	# shellcheck disable=SC2086
	module_unload $modules_sources || return 1
	echo start >$files/control || return 1
	sleep 1
	same "sources" "" "$(sources_loaded)" && session_settled
}

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

# A driver without a device is no reason to load its source.
driver_alone() { # DRIVER
	modprobe "$1" && grtrace start && only_with_a_device "$1" && session_settled
}

source_comes_in_a_session() { # DRIVER
	grtrace start && modprobe "grtrace_$1" && loaded "$1" && attached "$1" &&
	session_settled
}

# The source is unloaded, the driver stays.
source_goes_in_a_session() { # DRIVER
	modprobe "grtrace_$1" && grtrace start && attached "$1" && rmmod "grtrace_$1" &&
	[ -z "$(source_line "$1")" ] && loaded "$1" && modprobe "grtrace_$1" &&
	attached "$1" && session_settled
}

held() { # DRIVER
	! rmmod "$1" 2>/dev/null || echo "# $1 could be unloaded"
	loaded "$1"
}

# With a device the driver also has other users.
source_holds_its_driver() { # DRIVER
	modprobe "grtrace_$1" && held "$1" && grtrace start && held "$1" &&
	grtrace stop && held "$1" &&
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

parameters_can_be_read() {
	grep -qx '[YN]' $parameters/start &&
	[ "$(stat -c %a $parameters/start $parameters/config | uniq)" = 444 ]
}

# A core that is a module is notified when a driver is loaded.
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
	loads_no_driver|stop_unloads_all)
		[ -n "$drivers" ] || echo "no driver that has a source is a module" ;;
	parameters_start_a_session)
		! module_built_in grtrace || echo "grtrace is built in" ;;
	esac
}

[ -d /sys/kernel/tracing/events/gpu_scheduler ] || modprobe -q gpu-sched
[ -d /sys/kernel/tracing/events/gpu_scheduler/drm_sched_job_hw_fence ] ||
	skip_all "this kernel's drivers export no tracepoints to grtrace"
needs grtrace grparse
needs_modules
drivers=
set -- kernel_loads_none what_all_drivers_share loads_no_driver
for tested in virtio_gpu amdgpu nouveau i915; do
	if is_module "$tested" && is_module "grtrace_$tested"; then
		drivers="$drivers $tested"
		set -- "$@" "driver_alone $tested" \
			"source_comes_in_a_session $tested" \
			"source_goes_in_a_session $tested" \
			"source_holds_its_driver $tested"
	fi
done
run_tests "$@" stop_unloads_all parameters_can_be_read parameters_start_a_session
