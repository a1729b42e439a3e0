#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The oracle: the same run recorded by the kernel's own tracefs and by grtrace
# must agree on every job, fence and command, and so must the capture that grtrace
# itself makes of tracefs: see oracle.py.
#
# ORACLE_LATE: how many events in 1000 may be more than 10 us apart. Emulated
# CPUs that share one host CPU stand still for milliseconds at any place.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

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

# The events that trace-cmd records. Only kernels with our tracepoints have the last two.
events() {
	for event in gpu_scheduler dma_fence virtio_gpu \
		     drm/drm_syncobj_wait_start drm/drm_syncobj_wait_end; do
		[ ! -d "/sys/kernel/tracing/events/$event" ] ||
			echo "-e $event" | tr / :
	done
}

# By $recorder, and by the module at the same time.
record() { # LOAD
	printf 'echo begin >%s/msg\n%s\necho end >%s/msg\n' \
		"$files" "$1" "$files" >"$work/load.sh"
	rm -f "$work"/run.* "$work"/traced.*
	# shellcheck disable=SC2086
	$recorder grtrace record --source relay -D "$work" -o run -b 1024 -n 8 -- \
		sh -e "$work/load.sh" >"$work/log" 2>&1 && return
	sed 's/^/# /' "$work/log"
	return 1
}

oracle() { # ARGUMENTS
	python3 -B "$dir/oracle.py" "$@"
}

by_trace_cmd() { # LOAD
	recorder="trace-cmd record -o $work/trace.dat -C mono -b 16384 $(events)"
	record "$1" && trace-cmd report -t -l -i "$work/trace.dat" >"$work/tracefs.txt" &&
	oracle text "$work/run" "$work/tracefs.txt" 10000 "${ORACLE_LATE:-10}"
}

by_grtrace() { # LOAD
	recorder="grtrace record --source tracefs -D $work -o traced -b 512 -n 8 --"
	record "$1" && oracle captures "$work/run" "$work/traced" 10000 "${ORACLE_LATE:-10}"
}

traced_jobs() {
	by_grtrace "$dir/mockload --jobs 400 --procs 2 --ctxs 2 --depends \
		--duration 50 --seed 9"
}

traced_drawing() {
	by_grtrace "$dir/drawing $card 12 9 7"
}

sched_jobs() {
	by_trace_cmd "$dir/mockload --jobs 400 --procs 2 --ctxs 2 --depends \
		--duration 50 --error-every 50 --seed 7"
}

# By the host's OpenGL; a guest's own is too slow.
has_opengl() {
	grep -qE '^virgl +: yes' /sys/kernel/debug/dri/*/virtio-gpu-features
}

virtio_commands() {
	by_trace_cmd "timeout 20 kmscube -D $card -c 30"
}

# Pictures in plain memory, without OpenGL: the numbers are the program's own.
virtio_drawing() {
	kicks=0
	[ ! -d /sys/kernel/tracing/events/virtio_gpu/virtio_gpu_kick ] || kicks=1
	# what was asked for at the end is answered some time
	by_trace_cmd "$dir/drawing $card 12 9 7
		for _ in \$(seq 100); do
			awk -F, 'NR > 1 { n += \$6 } END { exit !!n }' \
				$files/rings && break
			sleep 0.1
		done" && oracle drawing "$work/run" $kicks 12 9 7
}

# An id that one session shows can be asked for in the next.
ring_id_lasts() {
	id=$(awk -F, '$4 == "control" { print $1 }' $files/rings)
	echo "filter_ring_id=$id" >$files/config || return 1
	recorder=
	record "$dir/drawing $card 5 0 0"
	ret=$?
	echo filter_ring_id=0 >$files/config
	[ $ret -eq 0 ] && [ -n "$id" ] &&
	[ "$(awk -F, '$2 == "submit" { print $4 }' $files/events_by_type)" -gt 0 ]
}

# The same device by its node and by its address: when it is recorded, as blktrace does it,
# and when its capture is read.
node_is_the_device() {
	node=${card##*/}
	sh -e -c "sleep 1; exec $dir/drawing $card 12 9 7" &
	grtrace "$node" -w 4 -D "$work" -o node >"$work/log" 2>&1 && wait $! || return 1
	bus=$(grparse -q -i "$work/node" -a Q -f '%v\n' | grep : | sort -u)
	for name in "$bus" "$node" "$card"; do
		grparse -q -i "$work/node" --dev "$name" >"$work/by-${name##*/}" &&
		grtrace report --per-ring --dev "$name" "$work/node" | grep -q control || return 1
	done
	says "$work/by-$bus" " Q " && cmp "$work/by-$bus" "$work/by-$node" || return 1
	! grparse -q -i "$work/node" --dev card77 >"$work/out" 2>&1 && says "$work/out" "card77"
}

# The line of lspci -n for each GPU, whether it has rings or not.
names_models() {
	grtrace record -D "$work" -o run -- true >"$work/out" 2>"$work/err" &&
	grparse -i "$work/run" >"$work/text" 2>&1 || return 1
	for gpu in /sys/bus/pci/devices/*; do
		grep -q ^0x03 "$gpu/class" || continue
		id=$(cat "$gpu/vendor" "$gpu/device" | sed 's/0x//' | paste -sd :)
		says "$work/text" "Device ${gpu##*/}: pci $id" || return 1
	done
	says "$work/text" "pci 1af4:1050"
}

why_not() { # TEST
	case $1 in sched_jobs|traced_jobs) return ;; esac
	if [ -z "$card" ]; then
		echo "no virtio-gpu device"
	elif [ "$1" = virtio_commands ] && ! has_opengl; then
		echo "the device has no OpenGL"
	elif [ "$1" = virtio_commands ] && ! command -v kmscube >/dev/null; then
		echo "there is no kmscube"
	fi
}

needs grtrace grparse trace-cmd python3
needs_modules
modprobe virtio-gpu # trace-cmd wants its events to be there
card=$(virtio_card) || card=
run_tests sched_jobs traced_jobs virtio_drawing traced_drawing virtio_commands ring_id_lasts \
	node_is_the_device names_models
