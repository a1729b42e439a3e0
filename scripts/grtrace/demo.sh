#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Shows what grtrace is for, on a machine without a GPU: boots an unmodified
# Debian kernel in QEMU with a virtio-gpu device, draws with the real driver and
# gives a mock GPU work on several rings, records both, and reports here.
#
# Usage: demo.sh [BASE]
#
#   BASE  6.12, 6.12-bookworm, 6.12-trixie, 7.3 (default), or 7.3-intree, which
#         is the patched kernel instead
#
# Exit status: 0 when commands of the real driver and jobs of the mock GPU were
# recorded and reported, else 1; 2 wrong usage.
. "$(dirname "$0")/lib/use.sh" cache base

options '' "$@"
[ $# -le 1 ] || usage_error "needs one base at most"
base="${1:-7.3}" patched=''
case "$base" in *-intree) patched=1 ;; esac
base="$(base_name "${base%-intree}")"
started="$SECONDS"

# Frames of the cube: by the host's OpenGL, or by the guest's emulated processor.
FRAMES_3D=120
FRAMES_2D=20
# Lines of the stream.
STREAM_LINES=12

# step TEXT...: a progress line with the time.
step() { note "$((SECONDS - started)) s: $*"; }

work="$(mktemp -d)"
builder=''
finish() {
	[ -z "$builder" ] || kill -- "-$builder" 2>/dev/null || true
	rm -rf "$work"
}
trap finish EXIT

step "what the demo needs: packages, kernel, modules, tools"
"$here/deps.sh" core
# Beside what follows, in a session that ends with the demo. The recorder is built first,
# the readers while the guest is at work.
# shellcheck disable=SC2016
setsid bash -c '"$1/tools.sh" --only grparse grtrace >"$2/new" && mv "$2/new" "$2/tools" &&
	"$1/tools.sh" --only grtrace-report grtrace-parse >/dev/null' tools "$here" "$work" &
builder=$!
"$here/deps.sh" module vm gpu
if [ -n "$patched" ]; then
	image="$("$here/kernel/intree.sh" "$base")"
	kernel="a patched $(cat "$image/release")" modules=()
else
	image="$base"
	kernel="an unmodified $("$here/kernel/kernel.sh" "$base" release)"
	"$here/kernel/kernel.sh" "$base" image >/dev/null
	modules=(--modules-dir "$("$here/kernel/modules.sh" "$base")")
fi
# waiting: for which of the tools.
waiting() { printf 'still compiling what records\n'; }
recorder_built() {
	while [ ! -e "$work/tools" ]; do
		kill -0 "$builder" 2>/dev/null || return
		sleep 0.2
	done
}
with_progress waiting recorder_built || die "the tools could not be built: see the messages above"
tools="$(cat "$work/tools")"
out="$checkout/out/demo/$(date +%Y%m%d-%H%M%S)"
mkdir -p "$out"
gcc -O2 -pthread -I"$checkout/include/uapi" -o "$out/mockload" \
	"$checkout/tools/testing/selftests/grtrace/mockload.c" ||
	die "the load for the mock GPU could not be built: see the compiler's messages above"

# at_work: how far the guest is.
at_work() { printf 'the guest %s\n' "$([ -e "$out/booted" ] && echo "draws and records" || echo "boots")"; }

# guest GPU FRAMES: load and record in a guest.
guest() {
	with_progress at_work "$here/guest/vm.sh" --gpu "$1" --open-stdin --share "$out" --timeout 900 "${modules[@]}" "$image" -- \
		sh "$here/guest/demo.sh" "$checkout" "$tools" "$out/mockload" "$2"
}

step "booting $kernel with a virtio-gpu device; drawing $FRAMES_3D frames, working on the mock GPU, recording"
status=0
guest virgl "$FRAMES_3D" || status=$?
if [ "$status" != 0 ] && [ ! -e "$out/booted" ]; then
	step "this machine cannot give a guest 3D (see above): again with a 2D device, the guest draws in software"
	status=0
	guest 2d "$FRAMES_2D" || status=$?
fi
rm -f "$out/mockload" "$out/booted"
if [ "$status" != 0 ]; then
	cat "$out"/*.log >&2 2>/dev/null || true
	die "the guest failed with status $status: its messages are above"
fi

# section TITLE
section() { printf '\n--- %s\n' "$*"; }
capture="$out/all"
wait "$builder" || die "the tools could not be built: see the messages above"
step "reading the capture"
"$tools/grparse" -i "$capture" >"$out/grparse.txt"
"$tools/grtrace" report "$capture" >"$out/report.txt"
"$tools/grtrace" report --html "$out/report.html" "$capture" >/dev/null

section "the loads"
sed -nE 's/^ *renderer: /the cube, drawn by /p' "$out/kmscube.log"
grep '^Rendered .* frames' "$out/kmscube.log" | tail -n 1
cat "$out/mockload.log"
section "grtrace record"
cat "$out/record.log"
section "grparse -i all (the first $STREAM_LINES lines of $(wc -l <"$out/grparse.txt"))"
head -n "$STREAM_LINES" "$out/grparse.txt"
section "grtrace report all"
cat "$out/report.txt"

# The events of each driver, from the capture itself.
events() { "$tools/grparse" -q -a "$1" -f '%V\n' -i "$capture" | grep -cx "$2" || true; }
commands="$(events Q virtio_gpu)"
jobs="$(events Q grtrace_mock)"
section "done in $((SECONDS - started)) s"
printf '%s commands of the virtio-gpu driver and %s jobs of the mock GPU were recorded on %s.\n' \
	"$commands" "$jobs" "$kernel"
printf 'The capture is kept: %s.grtrace.<cpu>, with grparse.txt, report.txt and report.html (for a browser) beside it. Look further:\n' "${capture#"$PWD"/}"
printf '  %s report --full --hist lat %s\n' "${tools#"$PWD"/}/grtrace" "${capture#"$PWD"/}"
[ "$commands" -gt 0 ] || die "no command of the virtio-gpu driver was recorded"
[ "$jobs" -gt 0 ] || die "no job of the mock GPU was recorded"
