#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# In a guest whose kernel has grtrace built in: checks the effect of the parameters
# grtrace.start and grtrace.config of its command line.  Prints TAP lines.
#
# Usage: boot_session.sh running WORD...   the session of the parameters runs, and
#                                          each WORD is in effect
#        boot_session.sh refused           they were refused; a session can still be
#                                          started
#        boot_session.sh locked            the kernel is locked down: they were refused,
#                                          and no file can be opened

files=/sys/kernel/debug/grtrace
. "$(dirname "$0")/../lib/result.sh"

state_is() { [ "$(cat "$files/control")" = "$1" ]; }
in_effect() { grep -qxF -- "$1" "$files/config"; }
said() { dmesg | grep -E "grtrace: .*$1" | sed 's/^/# /' | grep .; }
said_nothing() { ! said '(refused|could not)'; }

# The session is older than the first program.
began_at_boot() {
	start="$(od -An -t u8 -j 88 -N 8 "$files/metadata" | tr -d ' ')"
	init="$(dmesg | sed -nE 's/^\[ *([0-9]+)\.([0-9]+)\] Run \/init as init process/\1\2000/p')"
	echo "# the session began $((start / 1000000)) ms, the first program $((init / 1000000)) ms after the kernel"
	[ "$start" -gt 0 ] && [ "$start" -lt "$init" ]
}

recorded() {
	awk '$1 ~ /^(offered|written|lost)$/ { print "# " $1, $2 }
		$1 == "written" { written = $2 }
		END { exit written == 0 }' "$files/stats"
}

writes() {
	written="$(awk '$1 == "written" { print $2 }' "$files/stats")"
	echo "emit submit 1 1 1 1" >"$files/emit" &&
	[ "$(awk '$1 == "written" { print $2 }' "$files/stats")" -gt "$written" ]
}

start_and_stop() {
	echo start >"$files/control" && state_is running && writes &&
	echo stop >"$files/control" && state_is stopped
}

locked_down() { grep -E '\[(integrity|confidentiality)\]' /sys/kernel/security/lockdown; }
unread() { ! cat "$1" >/dev/null 2>&1; }
unwritten() { ! sh -c "echo start >>$1" 2>/dev/null; }
has_no_stream() { ! ls "$files"/trace* 2>/dev/null; }

parameter_is() { [ "$(cat "/sys/module/grtrace/parameters/$1")" = "$2" ]; }

case "$1" in
running)
	shift
	holds "boot: a session runs before any program" state_is running
	holds "boot: it began with the kernel" began_at_boot
	for word; do
		holds "boot: $word" in_effect "$word"
	done
	holds "boot: the kernel log has no complaint" said_nothing
	holds "boot: parameter start" parameter_is start Y
	holds "boot: parameter config" parameter_is config "$*"
	holds "boot: it has recorded" recorded ;;
refused)
	holds "boot: no session runs" state_is idle
	holds "boot: the kernel log says what was refused" said refused
	holds "boot: a session can be started" start_and_stop ;;
locked)
	mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
	holds "boot: the kernel is locked down" locked_down
	holds "boot: the kernel log says that no session was started" said 'could not be started: (-EPERM|-1)$'
	holds "boot: the files are there" test -e "$files/control"
	holds "boot: there is no stream" has_no_stream
	for file in "$files"/*; do
		holds "boot: ${file##*/} cannot be read" unread "$file"
		holds "boot: ${file##*/} cannot be written" unwritten "$file"
	done ;;
*)
	exit 2 ;;
esac
plan
