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

record() { # LOAD
	printf 'echo begin >%s/msg\n%s\necho end >%s/msg\n' \
		"$files" "$1" "$files" >"$work/load.sh"
	rm -f "$work"/run.*
	trace-cmd record -o "$work/trace.dat" -C mono -b 16384 \
		-e gpu_scheduler -e dma_fence -e virtio_gpu \
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
ktap_set_plan 2
modprobe virtio-gpu # trace-cmd wants its events to be there
ktap_test_result sched_jobs sched_jobs
if ! card=$(virtio_card); then
	ktap_test_skip "virtio_commands no virtio-gpu device"
elif ! command -v kmscube >/dev/null; then
	ktap_test_skip "virtio_commands no kmscube"
else
	export card
	ktap_test_result virtio_commands virtio_commands
fi
ktap_finished
