#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Modules that come and go, a device that is unbound, a reader that is killed,
# all while a session runs. The runner of this looks into the kernel log for what
# must not happen; what must happen is checked here: the session
# stops in order, counts add up, nothing keeps a module loaded.
#
# ROUNDS says how many of each, STORMS which, by name; all if it is not set.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

driver=/sys/bus/platform/drivers/grtrace_mock
cpu=/sys/devices/system/cpu/cpu1/online
rounds=${ROUNDS:-3}
hotplug=

load_in_background() {
	load_start --procs 2 --duration 30 --batch 8
}

# Waits until more events were offered than EVENTS. It does not wait for written ones,
# because without a reader the channel fills up.
more_offered() { # EVENTS
	[ "$(session_stat offered)" -gt "$1" ]
}

# Reads as much as all channels hold. Reading to the end would be a race with the load,
# which a slow kernel's reader loses.
read_some() {
	for trace in "$files"/trace*; do
		head -c "$((512 * 1024 * 4))" "$trace" >/dev/null || return 1
	done
}

# Checks that all CPUs are online again.
hotplug_end() {
	[ -n "$hotplug" ] || return 0
	kill "$hotplug" 2>/dev/null
	wait "$hotplug" 2>/dev/null
	echo 1 >$cpu 2>/dev/null
	hotplug=
}

# Removes everything that an earlier test left: load, session, modules.
fresh() {
	hotplug_end
	load_end
	# a core that stays keeps the rings of a driver that goes between sessions
	echo start 2>/dev/null >$files/control
	module_unload grtrace_mock
	[ ! -e $files ] || session_stop
	modules_unload
}

start_stop_under_load() {
	modules_load || return 1
	load_in_background
	for _ in $(seq $((4 * rounds))); do
		echo start >$files/control || return 1
		wait_until 120 more_offered 0 || return 1
		read_some || return 1
		echo stop >$files/control || return 1
		cat $files/trace* >/dev/null || return 1
	done
	load_end
	session_settled
}

# Each source is unloaded and loaded again while the session runs, in changing order.
sources_come_and_go() {
	modules_load || return 1
	echo start >$files/control || return 1
	load_in_background
	wait_until 120 more_offered 0 || return 1
	# shellcheck disable=SC2086
	removable=$(modules_removable $modules_sources | tr '\n' ' ')
	for _ in $(seq "$rounds"); do
		for source in $removable; do
			module_unload "$source" || return 1
		done
		for source in $removable; do
			module_load "$source" || return 1
		done
		removable="${removable#* } ${removable%% *}"
	done
	# the sources are back, so events come again
	wait_until 120 more_offered "$(session_stat offered)"
	ret=$?
	load_end
	[ $ret -eq 0 ] && session_settled
}

# A device that was wedged is also a ring here, and no event reports its end.
mock_ring_ids() {
	awk -F, '$2 == "grtrace_mock.0" && $4 != "device" { print $1 }' $files/rings
}

# A ring appears with its first job.
mock_has_rings() {
	[ "$(mock_ring_ids | wc -l)" -eq "$1" ]
}

# The device is unbound under load: its jobs end, its rings and their ids disappear,
# other devices continue.
unbind_under_load() {
	modules_load || return 1
	for _ in $(seq "$rounds"); do
		echo start >$files/control || return 1
		load_in_background
		wait_until 120 mock_has_rings 4 || return 1
		ids=$(mock_ring_ids)
		echo grtrace_mock.0 >$driver/unbind || return 1
		load_end
		mock_has_rings 0 || return 1
		echo grtrace_mock.0 >$driver/bind || return 1
		"$load" --jobs 20 --duration 20 >/dev/null || return 1
		mock_has_rings 4 || return 1
		same "ids again" "" \
		     "$(printf '%s\n' "$ids" "$(mock_ring_ids)" | sort | uniq -d)" || return 1
		session_settled || return 1
	done
}

# The traced driver is unloaded and loaded again during the session.
traced_driver_unloads() {
	modules_load || return 1
	echo start >$files/control || return 1
	for _ in $(seq "$rounds"); do
		"$load" --jobs 50 --duration 20 >/dev/null || return 1
		module_unload grtrace_mock || return 1
		module_load grtrace_mock || return 1
	done
	before=$(session_stat offered)
	"$load" --jobs 50 --duration 20 >/dev/null || return 1
	[ "$(session_stat offered)" -gt "$before" ] && session_settled
}

# With nothing but the hooks, and with all that works by itself beside them.
core_unloads_while_it_records() {
	for _ in $(seq "$rounds"); do
		for config in level=verbose "adaptive_sampling=1 profile=1
				max_events_per_sec=5000 slow_queue_us=1 slow_exec_us=1
				snapshot_on=slow_queue,slow_exec,error"; do
			modules_load && echo "$config" >$files/config || return 1
			echo start >$files/control || return 1
			"$load" --jobs 75 --duration 20 >/dev/null || return 1
			for _ in $(seq 20); do
				echo discard >$files/control 2>/dev/null
				echo "error 1 1 1 1" >$files/emit || return 1
			done
			# the last one's snapshot is just being taken
			modules_unload || return 1
			[ ! -e $files ] || return 1
		done
	done
}

# Channels are created, freed and frozen while CPUs go offline and come online.
start_stop_while_cpus_come_and_go() {
	modules_load || return 1
	load_in_background
	(
		for _ in $(seq $((3 * rounds))); do
			echo 0 >$cpu && sleep 0.1 && echo 1 >$cpu || exit 1
			sleep 0.1
		done
	) &
	hotplug=$!
	while kill -0 "$hotplug" 2>/dev/null; do
		echo start >$files/control || return 1
		wait_until 120 more_offered 0 || return 1
		echo snapshot >$files/control || return 1
		read_some && cat $files/snapshot >/dev/null || return 1
		echo stop >$files/control || return 1
		session_settled || return 1
	done
	load_end
	wait "$hotplug" && [ "$(cat $cpu)" -eq 1 ] && session_settled
}

# A reader keeps the core loaded, but only as long as it reads.
open_file_pins_the_core() {
	modules_load || return 1
	echo start >$files/control || return 1
	exec 9<$files/trace0
	module_unload grtrace_mock || return 1
	# shellcheck disable=SC2086
	module_unload $modules_sources || return 1
	rmmod grtrace 2>/dev/null && return 1
	cat <&9 >/dev/null || return 1
	exec 9<&-
	rmmod grtrace
}

any_loading_order() {
	for name in $modules_kernel; do
		modprobe -q "$name"
	done
	for order in \
		"grtrace grtrace_mock grtrace_drm_sched grtrace_dma_fence" \
		"grtrace grtrace_dma_fence grtrace_drm_sched grtrace_mock" \
		"grtrace grtrace_virtio_gpu grtrace_mock grtrace_drm_sched"; do
		modules_unload || return 1
		for name in $order; do
			module_load "$name" || return 1
			# a session from the beginning
			[ "$name" != grtrace ] || echo start >$files/control ||
				return 1
		done
		"$load" --jobs 100 --duration 20 >/dev/null || return 1
		# picked, because only a scheduler picks: a display also submits
		jobs=$(events_of pick)
		[ "$jobs" -eq 100 ] || return 1
		session_settled || return 1
	done
	modules_unload
}

# In a kernel that has us its source holds it, and goes before it.
virtio_gpu_comes() {
	modprobe virtio-gpu && { [ -z "$holds" ] || modprobe grtrace_virtio_gpu; }
}

virtio_gpu_goes() {
	{ [ -z "$holds" ] || module_unload "$holds"; } && modprobe -r virtio-gpu
}

virtio_gpu_unloads() {
	modules_load || return 1
	holds=
	! modinfo -F depends grtrace_virtio_gpu 2>/dev/null | grep -q virtio ||
		holds=grtrace_virtio_gpu
	virtio_gpu_comes || return 1
	echo start >$files/control || return 1
	# Without a device the driver still has its tracepoints. With one it sometimes
	# warns that its memory manager is not clean.
	for _ in $(seq "$rounds"); do
		virtio_gpu_goes && echo "submit 1 1 5 1" >$files/emit || return 1
		virtio_gpu_comes && echo "complete 1 1 5 1" >$files/emit || return 1
	done
	[ "$(session_stat offered)" -ge $((2 * rounds)) ] && session_settled
}

# Prints why a test makes no sense with this kernel, or nothing.
why_not() { # TEST
	case $1 in
	core_unloads_*|open_file_pins_the_core|any_loading_order|no_room_*)
		! module_built_in grtrace || echo "grtrace is built in" ;;
	sources_come_and_go)
		# shellcheck disable=SC2086
		[ -n "$(modules_removable $modules_sources)" ] ||
			echo "all sources are built in" ;;
	start_stop_while_cpus_come_and_go)
		[ -w $cpu ] || echo "no CPU that can go offline" ;;
	virtio_gpu_unloads)
		modinfo virtio-gpu >/dev/null || echo "no module virtio-gpu" ;;
	esac
}

before() { # TEST
	fresh || ktap_print_msg "a module stays"
}

after() {
	hotplug_end
	load_end
	[ ! -w $cpu ] || echo 1 >$cpu 2>/dev/null
}

at_end() { # as it was found
	modules_load
}

needs_modules
session_stop
# shellcheck disable=SC2086
run_tests ${STORMS:-start_stop_under_load sources_come_and_go unbind_under_load
	traced_driver_unloads core_unloads_while_it_records
	start_stop_while_cpus_come_and_go open_file_pins_the_core any_loading_order
	virtio_gpu_unloads}
