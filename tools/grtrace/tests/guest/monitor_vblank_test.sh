#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitor of vblanks beside a program that counts them, on a virtio-gpu and on
# the virtual KMS driver: a module of the kernel's, or in the folder GRTRACE_VKMS.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"
# shellcheck source=tools/grtrace/tests/guest/monitor.sh
. "$dir/monitor.sh"

# The rates that vbltest printed, of 60 vblanks each.
rates() {
	sed -n 's/^freq: \([0-9]*\).*/\1/p' "$work/told"
}

# This many rates are printed, or there are none.
rates_told() { # RATES
	[ -e "$work/ended" ] || [ "$(rates | wc -l)" -ge "$1" ]
}

# vbltest waits for one vblank after the other and prints their rate, as long as its
# input is open; it ends at once where there are none.
vblanks() { # DRIVER RATES
	rm -f "$work/ended"
	: >"$work/told"
	wait_until 120 rates_told "$2" | {
		grtrace monitor vblank --summary --json -- \
			vbltest -M "$1" >"$work/out" 2>"$work/told"
		touch "$work/ended"
	}
	told=$(rates | sort -n | tail -n 1)
	[ -n "$told" ]
}

# A program that stands still misses vblanks, and the rate it prints is too low: the
# highest is the one to compare. The monitor knows the missed ones.
vblank_rate() {
	jq -c 'select(.table == "processes")' "$work/out" >"$work/processes"
	jq -c 'select(.table == "crtcs")' "$work/out" >"$work/crtcs"
	mv "$work/crtcs" "$work/out"
	found=$(jq -r .hz "$work/out" | cut -d. -f1)
	waited=$((60 * $(rates | wc -l)))
	echo "# vbltest: $told Hz, monitor: $(cut -c1-320 "$work/out")"
	[ $((told - found)) -le 3 ] && [ $((found - told)) -le 3 ] &&
	same "queued and not delivered" 1 \
		"$(jq '.queued - .delivered' "$work/out" | awk '{ print ($1 >= 0 && $1 <= 1) }')" &&
	same "who waits" vbltest "$(jq -r .comm "$work/processes" | sort -u)" &&
	same "delivered to processes" "$(jq .delivered "$work/out")" "$(jq -s 'map(.delivered) | add' "$work/processes")" &&
	same "all are there that were waited for" 1 \
		"$(jq .delivered "$work/out" | awk -v least=$waited '{ print ($1 >= least) }')" &&
	same "the wait for a vblank is no latency" true \
		"$(jq '.latency_avg_us != null and .latency_avg_us < .wait_avg_us' "$work/out")"
}

# Again, and longer, where none of the rates was measured without a pause.
vblanks_rate() { # DRIVER
	for rates in 2 8 32; do
		vblanks "$1" $rates && vblank_rate && return
	done
	return 1
}

# By vbltest alone: a monitor that does not work says nothing about the driver.
has_vblanks() { # DRIVER
	rm -f "$work/ended"
	: >"$work/told"
	wait_until 120 rates_told 1 | {
		vbltest -M "$1" >"$work/told" 2>&1
		touch "$work/ended"
	}
	[ "$(rates | wc -l)" -gt 0 ]
}

virtio_gpu() {
	vblanks_rate virtio_gpu
}

# It has vblanks as long as it shows something, which is as long as its input is open.
vkms_vblanks() {
	connector=$(modetest -M vkms -c | awk '$3 == "connected" { print $1; exit }')
	mkfifo "$work/hold"
	stdbuf -oL modetest -M vkms -s "$connector:1024x768" <"$work/hold" >"$work/mode" 2>&1 &
	shows=$!
	exec 9>"$work/hold"
	wait_until 120 grep -qs "setting mode" "$work/mode" && vblanks_rate vkms
	ret=$?
	exec 9>&-
	wait $shows
	[ $ret -eq 0 ] && return
	sed 's/^/# /' "$work/mode" "$work/told"
	return 1
}

vkms_load() {
	built="$GRTRACE_VKMS/vkms.ko"
	modprobe -q vkms && return
	[ -e "$built" ] || return
	# shellcheck disable=SC2046 # a list
	modprobe -a $(modinfo -F depends "$built" | tr , ' ') && insmod "$built"
}

vkms() {
	vkms_load && vkms_vblanks
}

why_not() { # TEST
	case $1 in
	virtio_gpu)
		if ! ls /sys/bus/virtio/drivers/virtio_gpu/virtio* >/dev/null 2>&1; then
			echo "there is none: --gpu 2d"
		elif [ -z "$shown" ]; then
			echo "this kernel's has no vblanks"
		fi ;;
	vkms)
		# the events have the number of a CRTC and no device
		if [ -n "$shown" ]; then
			echo "its vblanks could not be told from virtio-gpu's"
		elif [ -z "$GRTRACE_VKMS" ] && ! modinfo vkms >/dev/null 2>&1; then
			echo "this kernel has none (CONFIG_DRM_VKMS): --vkms"
		fi ;;
	esac
}

needs grtrace jq vbltest modetest
modprobe -q virtio-gpu
shown= # virtio-gpu has vblanks
! has_vblanks virtio_gpu || shown=1
run_tests virtio_gpu vkms
