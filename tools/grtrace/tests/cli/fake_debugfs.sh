# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# A directory of plain files that passes for grtrace's debugfs, for what needs
# no kernel: sentences, options, the order of things. Source it; then
#
#	fake_make DIR	makes DIR/grtrace, idle, with two CPUs
#
# No kernel is behind it: control reads as the word last written, config as the
# last settings, and what a trace file holds is there to be read once.

export GRTRACE_DEBUGFS_UNCHECKED=1
# No module of this machine is loaded for a test.
export GRTRACE_MODPROBE=true

fake_make()
{
	mkdir -p "$1/grtrace"
	(
		cd "$1/grtrace" || exit 1
		echo idle > control
		# shellcheck disable=SC2154 # as lib.sh has it
		cp "$here/../../../testing/selftests/grtrace/defaults" config
		printf '%s\n' 'offered 30' 'written 30' 'notes 2' \
			'lost 0' 'lost_notes 0' 'overwritten 0' > stats
		printf '%s\n' cpu,offered,written,notes,lost,lost_notes,bytes \
			0,10,10,1,0,0,1000 1,20,20,1,0,0,2000 > pc_stats
		printf '%s\n' id,device,driver,name,class,in_flight,flags,timeout_ms \
			1,0000:00:02.0,i915,rcs0,render,0,,0 \
			2,mock0,grtrace_mock,ring-a,copy,3,,500 > rings
		printf 'METADATA' > metadata
		printf 'packets of cpu 0' > trace0
		printf 'packets of cpu 1' > trace1
		: > msg
		: > snapshot
	)
}
