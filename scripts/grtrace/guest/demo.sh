#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The demo's part in the guest: loads the modules, then records a cube drawn
# through the real virtio-gpu driver and, at the same time, work on the rings of
# the mock GPU.  The capture and what the programs said go to $GRTRACE_OUT.
#
# Usage: demo.sh CHECKOUT TOOLS MOCKLOAD FRAMES
set -e
checkout="$1" tools="$2" mockload="$3" frames="$4"
: >"$GRTRACE_OUT/booted"
# The input is open and empty; a background job would get another.
exec 3<&0

modprobe virtio-gpu
# shellcheck source=tools/testing/selftests/grtrace/modules.sh
. "$checkout/tools/testing/selftests/grtrace/modules.sh"
modules_load
# Beside work of milliseconds a job that hangs is given up soon.
module_unload grtrace_mock
module_load grtrace_mock timeout_ms=500

# Without udev a device's only name is its number: ask which is which.
card='' paper=''
for dir in /sys/class/drm/card? /sys/class/drm/renderD*; do
	case "$(readlink -f "$dir/device")" in
	*/grtrace_mock*) paper="/dev/dri/${dir##*/}" ;;
	*) card="${card:-/dev/dri/${dir##*/}}" ;;
	esac
done
if [ -z "$card" ] || [ -z "$paper" ]; then
	echo "the guest lacks the virtio-gpu device (${card:-none}) or the mock GPU (${paper:-none})" >&2
	exit 1
fi

# The mock GPU gets well-behaved work first, then a burst in which jobs wait
# for each other, some fail and one hangs.
cat >"$GRTRACE_OUT/load" <<LOAD
set -e
kmscube -D $card -c $frames <&3 >"$GRTRACE_OUT/kmscube.log" 2>&1 &
cube=\$!
{
	"$mockload" -D $paper --jobs 400 --duration 800 --procs 2 --ctxs 2 --batch 2 \
		--depth 2 --depends --seed 7
	"$mockload" -D $paper --jobs 120 --duration 1000 --threads 2 --depends \
		--error-every 25 --hang-every 58 --seed 7
} >"$GRTRACE_OUT/mockload.log" 2>&1 &
wait \$!
wait \$cube
LOAD
"$tools/grtrace" record -D "$GRTRACE_OUT" -- sh "$GRTRACE_OUT/load" >"$GRTRACE_OUT/record.log" 2>&1
rm "$GRTRACE_OUT/load"
modules_unload
