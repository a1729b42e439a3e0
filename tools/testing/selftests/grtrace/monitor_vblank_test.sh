#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitor of vblanks beside a program that counts them, on a virtio-gpu.

dir=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=/dev/null
. "$dir/../kselftest/ktap_helpers.sh"
# shellcheck source=tools/testing/selftests/grtrace/monitor.sh
. "$dir/monitor.sh"

# vbltest waits for one vblank after the other and tells the rate, as long as its
# input is open; it says so where there are none.
vblanks() {
	sleep 4 | grtrace monitor vblank --summary --json -- \
		timeout 3 vbltest -M virtio_gpu >"$work/out" 2>"$work/told"
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

ktap_print_header
needs grtrace jq vbltest
modprobe -q virtio-gpu
if ! ls /sys/bus/virtio/drivers/virtio_gpu/virtio* >/dev/null 2>&1; then
	ktap_skip_all "there is no virtio-gpu: --gpu 2d"
	exit "$KSFT_SKIP"
fi
if ! vblanks; then
	ktap_skip_all "this kernel's virtio-gpu has no vblanks"
	exit "$KSFT_SKIP"
fi
ktap_set_plan 1
ktap_test_result vblank_rate vblank_rate
ktap_finished
