# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Second program of a rig guest (process 1, busybox sh, the guest's real root in
# place): finishes the mounts, runs the job with its output on two ports, writes
# its exit status to a third, powers off.
#
# The job is a folder with: share (the host's writable folder), or folders (the
# list of folders to create) if the root is in memory; job.sh (environment,
# working directory, command); and open-stdin if the command's input must not end.

rig=/run/grtrace-rig
bb=$rig/busybox
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

$bb mkdir -p /dev/pts /dev/shm
$bb mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts
$bb mount -t tmpfs shm /dev/shm
$bb mount -t debugfs debugfs /sys/kernel/debug
$bb mount -t tracefs tracefs /sys/kernel/tracing
$bb mount -t bpf bpf /sys/fs/bpf 2>/dev/null
$bb ln -sf /proc/self/fd /dev/fd
$bb ln -sf /proc/self/fd/0 /dev/stdin
$bb ln -sf /proc/self/fd/1 /dev/stdout
$bb ln -sf /proc/self/fd/2 /dev/stderr
$bb hostname grtrace
$bb ip link set lo up

if [ -e $rig/job/folders ]; then
	while read -r path; do
		$bb mkdir -p "$path"
	done <$rig/job/folders
	out=/dev/ttyS1 err=/dev/ttyS2 status_port=/dev/ttyS3
else
	share="$($bb cat $rig/job/share)"
	$bb mkdir -p "$share"
	# mmap: a program may map a file in it to write.
	$bb mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,rw,cache=mmap share "$share"
	for port in /sys/class/virtio-ports/*; do
		case "$($bb cat "$port/name")" in
		grtrace.out) out="/dev/${port##*/}" ;;
		grtrace.err) err="/dev/${port##*/}" ;;
		grtrace.status) status_port="/dev/${port##*/}" ;;
		esac
	done
fi

exec 3>"$out" 4>"$err" 5>"$status_port" </dev/null

# A write to a port returns before the host has taken the data, and power-off
# would lose it.  A serial port waits when its settings are written again; a virtio
# port polls writable again when the host has it all.
if [ -e $rig/job/folders ]; then
	settle() { for port in "$out" "$err" "$status_port"; do $bb stty raw -echo <"$port"; done; }
	settle
else
	# shellcheck disable=SC2016
	flush='for (1, 2, 5) { my $w = ""; vec($w, $_, 1) = 1; select(undef, $w, undef, 60) }'
	settle() { perl -e "$flush" </dev/null >&3 2>&4 3>&- 4>&- || $bb sleep 1; }
fi
if [ -e $rig/job/open-stdin ]; then
	$bb mkfifo $rig/stdin
	exec <>$rig/stdin
fi
/bin/bash $rig/job/job.sh >&3 2>&4 3>&- 4>&- 5>&-
echo $? >&5
settle
$bb kill -9 -1
$bb sync
$bb poweroff -f
