#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The oracle: the same run recorded by the kernel's own tracefs and by grtrace
# must tell the same of every job, fence and command. See oracle.pl.
#
# ORACLE_LATE: how many events in 1000 may be more than 10 us apart. Emulated
# CPUs that share one host CPU stand still for milliseconds at any place.

dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$dir/modules.sh"

files=/sys/kernel/debug/grtrace
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export work dir files

# The card of virtio-gpu, as /dev/dri/cardN. Its device is the virtio one or, on
# PCI, that one's parent.
virtio_card() {
	for node in /sys/class/drm/card[0-9]*; do
		for link in "$node/device/driver" "$node"/device/virtio*/driver; do
			case "$(readlink -f "$link")" in
			*/virtio_gpu)
				echo "/dev/dri/${node##*/}"
				return
				;;
			esac
		done
	done
	return 1
}

# What trace-cmd is to record. Only kernels with our tracepoints have the last two.
events() {
	for event in gpu_scheduler dma_fence virtio_gpu \
		     drm/drm_syncobj_wait_start drm/drm_syncobj_wait_end; do
		[ ! -d "/sys/kernel/tracing/events/$event" ] ||
			echo "-e $event" | tr / :
	done
}

record() { # LOAD
	printf 'echo begin >%s/msg\n%s\necho end >%s/msg\n' \
		"$files" "$1" "$files" >"$work/load.sh"
	rm -f "$work"/run.*
	# shellcheck disable=SC2046
	trace-cmd record -o "$work/trace.dat" -C mono -b 16384 $(events) \
		grtrace record -D "$work" -o run -b 1024 -n 8 -- \
		sh -e "$work/load.sh" >"$work/log" 2>&1 &&
	trace-cmd report -t -l -i "$work/trace.dat" >"$work/tracefs.txt" && return
	sed 's/^/# /' "$work/log"
	return 1
}

compare() {
	perl "$dir/oracle.pl" "$work/tracefs.txt" "$work/run" 10000 \
		"${ORACLE_LATE:-10}"
}

sched_jobs() {
	record "$dir/mockload --jobs 400 --procs 2 --ctxs 2 --depends \
		--duration 50 --error-every 50 --seed 7" && compare
}

# shellcheck disable=SC2329 # called by name
virtio_commands() {
	record "timeout 20 kmscube -D $card -c 30" && compare
}

# An id that one session shows can be asked for in the next.
# shellcheck disable=SC2329 # called by name
ring_id_lasts() {
	id=$(awk -F, '$4 == "control" { print $1 }' $files/rings)
	echo "filter_ring_id=$id" >$files/config || return 1
	record "timeout 20 kmscube -D $card -c 5"
	ret=$?
	echo filter_ring_id=0 >$files/config
	[ $ret -eq 0 ] && [ -n "$id" ] &&
	[ "$(awk -F, '$2 == "submit" { print $4 }' $files/events_by_type)" -gt 0 ]
}

ktap_print_header
for tool in grtrace grparse trace-cmd perl; do
	if ! command -v $tool >/dev/null; then
		ktap_skip_all "no $tool"
		exit "$KSFT_SKIP"
	fi
done
if ! modules_load; then
	ktap_skip_all "the modules cannot be loaded"
	exit "$KSFT_SKIP"
fi
ktap_set_plan 3
modprobe virtio-gpu # trace-cmd wants its events to be there
ktap_test_result sched_jobs sched_jobs
if ! card=$(virtio_card); then
	ktap_test_skip "virtio_commands no virtio-gpu device"
	ktap_test_skip "ring_id_lasts no virtio-gpu device"
elif ! command -v kmscube >/dev/null; then
	ktap_test_skip "virtio_commands no kmscube"
	ktap_test_skip "ring_id_lasts no kmscube"
else
	export card
	ktap_test_result virtio_commands virtio_commands
	ktap_test_result ring_id_lasts ring_id_lasts
fi
ktap_finished
