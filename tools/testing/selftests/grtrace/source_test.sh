#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The kernel loads no source by itself. A source has its tracepoints while it is there, and
# holds its driver; it comes and goes while a session runs.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"
# shellcheck source=tools/testing/selftests/grtrace/sources.sh
. "$dir/sources.sh"

parameters=/sys/module/grtrace/parameters

start() {
	echo start >$files/control
}

kernel_loads_none() {
	# shellcheck disable=SC2086
	module_unload $modules_sources && start || return 1
	sleep 1
	same "sources" "" "$(sources_loaded)" && session_settled
}

# Those of the scheduler and of fences, which all drivers share.
shared_sources_attach() {
	modules_load && start && attached dma_fence && attached drm_sched && session_settled
}

source_comes_in_a_session() { # DRIVER
	start && modprobe "grtrace_$1" && loaded "$1" && attached "$1" && session_settled
}

# The source is unloaded, the driver stays.
source_goes_in_a_session() { # DRIVER
	modprobe "grtrace_$1" && start && attached "$1" && rmmod "grtrace_$1" &&
	[ -z "$(source_line "$1")" ] && loaded "$1" && modprobe "grtrace_$1" &&
	attached "$1" && session_settled
}

held() { # DRIVER
	! rmmod "$1" 2>/dev/null || echo "# $1 could be unloaded"
	loaded "$1"
}

# With a device the driver also has other users.
source_holds_its_driver() { # DRIVER
	modprobe "grtrace_$1" && held "$1" && start && held "$1" &&
	session_settled && held "$1" && rmmod "grtrace_$1" && loaded "$1" || return 1
	bound "$1" || rmmod "$1"
}

# The kernel log names a probe whose prototype was not checked with this kernel, and the
# stream reports that its source has none of its tracepoints.
unchecked_probe_is_not_used() {
	# it warns once in the life of the module, and torture_test may have been first
	modules_unload && modules_load || return 1
	module_load grtrace_torture || return 1
	dmesg | tail -n 20 >"$work/log"
	unused="0 0" # a module of this kernel's tree has no probes of other kernels
	grep -q O /sys/module/grtrace/taint && unused="0 1"
	start &&
	same "tracepoints" "source torture $unused" \
		"$(grep -a "^source torture " $files/metadata)" &&
	{ [ "$unused" = "0 0" ] || says "$work/log" \
		"torture: sched_switch was not checked with this kernel, not used"; }
	ret=$?
	session_stop
	module_unload grtrace_torture && return $ret
}

parameters_can_be_read() {
	grep -qx '[YN]' $parameters/start &&
	[ "$(stat -c %a $parameters/start $parameters/config | uniq)" = 444 ]
}

# A core that is a module is notified when a driver is loaded.
parameters_start_a_session() {
	modules_unload || return 1
	module_load grtrace start=1 config='"level=normal subbuf_size=8192"' || return 1
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
	unchecked_*|parameters_start_a_session)
		! module_built_in grtrace || echo "grtrace is built in" ;;
	esac
}

needs_modules
set --
for tested in $drivers; do
	set -- "$@" "source_comes_in_a_session $tested" "source_goes_in_a_session $tested" \
		"source_holds_its_driver $tested"
done
run_tests kernel_loads_none shared_sources_attach "$@" unchecked_probe_is_not_used \
	parameters_can_be_read parameters_start_a_session
