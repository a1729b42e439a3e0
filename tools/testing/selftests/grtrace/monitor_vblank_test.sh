#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitor of vblanks beside a program that counts them, on a virtio-gpu and on
# the virtual KMS driver: a module of the kernel's, or in the folder GRTRACE_VKMS.

dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/monitor.sh
. "$dir/monitor.sh"

# vbltest waits for one vblank after the other and tells the rate, as long as its
# input is open; it says so where there are none.
vblanks() { # DRIVER
	sleep 4 | grtrace monitor vblank --summary --json -- \
		timeout 3 vbltest -M "$1" >"$work/out" 2>"$work/told"
	told=$(sed -n 's/^freq: \([0-9]*\).*/\1/p' "$work/told" | head -n 1)
	[ -n "$told" ]
}

vblank_rate() {
	found=$(jq -r .hz "$work/out" | cut -d. -f1)
	echo "# vbltest: $told Hz, monitor: $(cut -c1-120 "$work/out")"
	[ $((told - found)) -le 3 ] && [ $((found - told)) -le 3 ] &&
	same "queued and not delivered" 1 \
		"$(jq '.queued - .delivered' "$work/out" | awk '{ print ($1 >= 0 && $1 <= 1) }')" &&
	same "many are waited for" 1 "$(jq .delivered "$work/out" | awk '{ print ($1 > 50) }')"
}

shown= # virtio-gpu has vblanks

of_virtio_gpu() {
	modprobe -q virtio-gpu
	if ! ls /sys/bus/virtio/drivers/virtio_gpu/virtio* >/dev/null 2>&1; then
		ktap_test_skip "virtio_gpu there is none: --gpu 2d"
	elif ! vblanks virtio_gpu; then
		ktap_test_skip "virtio_gpu this kernel's has no vblanks"
	else
		shown=1
		ktap_test_result virtio_gpu vblank_rate
	fi
}

# It has vblanks as long as it shows something.
vkms_vblanks() {
	connector=$(modetest -M vkms -c | awk '$3 == "connected" { print $1; exit }')
	sleep 5 | stdbuf -oL modetest -M vkms -s "$connector:1024x768" >"$work/mode" 2>&1 &
	wait_until grep -q "setting mode" "$work/mode" && vblanks vkms && vblank_rate && return
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

# The events have the number of a CRTC and no device.
of_vkms() {
	if [ -n "$shown" ]; then
		ktap_test_skip "vkms its vblanks could not be told from virtio-gpu's"
	elif vkms_load; then
		ktap_test_result vkms vkms_vblanks
	elif [ -z "$GRTRACE_VKMS" ]; then
		ktap_test_skip "vkms this kernel has none (CONFIG_DRM_VKMS): --vkms"
	else
		ktap_test_fail "vkms cannot be loaded"
	fi
}

ktap_print_header
needs grtrace jq vbltest modetest
ktap_set_plan 2
of_virtio_gpu
of_vkms
ktap_finished
