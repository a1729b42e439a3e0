#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitors of nvidia.ko on a stub of it, which has functions of the same names
# and types, calls them as the driver does, and counts: $GRTRACE_STUBS/nvidia_stub.ko.
# nvidia.ko itself cannot be seen here.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"
# shellcheck source=tools/grtrace/tests/guest/monitor.sh
. "$dir/monitor.sh"

load="$dir/nvidiaload"
stub="$GRTRACE_STUBS/nvidia_stub.ko"
counts=/sys/kernel/debug/nvidia_stub/counts

# The stub's counts since it was loaded.
of_stub() { # NAME
	awk -v name="$1" '$1 == name { print $2 }' $counts
}

# The same of a summary as JSON: a column's sum over the load's processes.
of_summary() { # COLUMN
	jq -s 'map(select(.comm == "nvidiaload") | .'"$1"') | add' "$work/out"
}

same_counts() { # NAME...
	for name; do
		same "$name" "$(of_stub "$name")" "$(of_summary "$name")" || return 1
	done
}

nothing_left() {
	same "kprobes left" "" "$(grep grtrace /sys/kernel/tracing/kprobe_events)" &&
	same "instances left" "" "$(ls $instances)"
}

# Loaded again: it counts from 0. Without BTF it is like a module that was built where the
# kernel's own types were not known.
stub_load() { # [FILE]
	[ ! -d /sys/module/nvidia_stub ] || rmmod nvidia_stub || return 1
	insmod "${1:-$stub}"
}

stub_without_btf() {
	objcopy -R .BTF -R .BTF.base "$stub" "$work/nvidia_stub.ko" &&
	stub_load "$work/nvidia_stub.ko" &&
	same "BTF of the module" "" "$(find /sys/kernel/btf -name nvidia_stub)"
}

# Two processes, and what is in the column of which.
calls_are_counted() {
	stub_load || return 1
	grtrace monitor nvidia --summary --json -- \
		sh -c "'$load' 3 & '$load' 5; wait" >"$work/out" 2>"$work/err"
	same "opens of each" "3 5" "$(jq -s -r 'map(select(.table == "processes") | .opens) |
		sort | join(" ")' "$work/out")" &&
	same_counts opens closes mmaps ioctls polls &&
	same "of all" "8 8 16 32 24" "$(of_stub opens) $(of_stub closes) $(of_stub \
		mmaps) $(of_stub ioctls) $(of_stub polls)" &&
	same "interrupts" "$(of_stub isr)" \
	     "$(jq 'select(.table == "interrupts") | .isr' "$work/out")" &&
	says "$work/err" "nvidia:nvidia_dev_xid: this kernel has no such event" &&
	nothing_left
}

ioctls_have_their_numbers() {
	grtrace monitor nvidia -v --json -- "$load" 3 >"$work/out" 2>"$work/err" ||
		return 1
	same "ioctls" "3 0xc0104629 6 0xc020462a 3 0xc030462b" \
	     "$(jq -r 'select(.event == "ioctl") | .cmd' "$work/out" | sort | uniq -c | xargs)" &&
	same "events" "3 close 12 ioctl 6 isr 6 mmap 3 open 9 poll 6 vma_close" \
	     "$(jq -r 'select(.event) | .event' "$work/out" | sort | uniq -c | xargs)"
}

# An open file is its opener's; the stub has one minor number.
files_are_open() {
	stub_load || return 1
	monitor_start nvidia --summary --json || return 1
	exec 8<>/dev/nvidia_stub 9<>/dev/nvidia_stub
	exec 9>&-
	monitor_end TERM
	ret=$?
	exec 8>&-
	# shellcheck disable=SC2016 # not $$, which a subshell shares
	self=$(exec sh -c 'echo $PPID')
	[ $ret -eq 0 ] &&
	same "files that are open" "$self 1" "$(jq -r 'select(.table == "open") | "\(.pid) \(.files)"' "$work/out")" &&
	same "total" "2 1" "$(jq -r 'select(.table == "total") | "\(.opens) \(.closes)"' "$work/out")"
}

# The rest of it: mappings, faults, both kinds of interrupts and their bottom halves,
# memory for other devices, suspend and resume. Each of 4 rounds has one of each.
all_the_rest() {
	stub_load || return 1
	grtrace monitor nvidia --summary --json -- "$load" 4 all >"$work/out" 2>"$work/err" || return 1
	same_counts opens closes mmaps ioctls polls vma_opens vma_closes faults write_faults accesses &&
	same "counts of nothing" "" "$(for name in vma_opens vma_closes faults write_faults accesses; do
		[ "$(of_stub $name)" -ge 4 ] || echo $name
	done)" &&
	same "memory for others" "4 4 4 4 $((4 * 65536))" "$(jq -r 'select(.table == "memory") |
		"\(.p2p_gets) \(.p2p_puts) \(.p2p_dma_maps) \(.p2p_dma_unmaps) \(.p2p_bytes)"' "$work/out")" &&
	same "interrupts" "$(of_stub isr) 4 8" "$(jq -r 'select(.table == "interrupts") |
		"\(.isr) \(.isr_msix) \(.bottom_halves)"' "$work/out")" &&
	same "bottom halves take 3 ms, and begin before they end" true "$(jq 'select(.table == "interrupts") |
		.bh_avg_us >= 3000 and .bh_max_us >= .bh_avg_us and .bh_delay_max_us >= .bh_delay_avg_us and
		.bh_delay_avg_us > 0' "$work/out")" &&
	same "suspends of 30 ms, resumes of 10 ms" "4 true 4 true" "$(jq -r 'select(.table == "power") |
		"\(.suspends) \(.suspend_max_us >= 30000) \(.resumes) \(.resume_max_us >= 10000)"' "$work/out")" &&
	nothing_left
}

rest_has_its_details() {
	stub_load || return 1
	grtrace monitor nvidia -v --json -- "$load" 1 all >"$work/out" 2>"$work/err" || return 1
	cat >"$work/expected" <<-EOT
	fault read
	fault write
	mmap 0x0 12288
	mmap 0x0 4096
	mmap 0x0 4096
	p2p_get_pages 0x700000 65536
	p2p_put_pages 0x700000
	EOT
	jq -r 'if .event == "mmap" then "\(.event) \(.offset) \(.size)"
		elif .event == "fault" then "\(.event) \(.access)"
		elif .event == "p2p_get_pages" then "\(.event) \(.address) \(.size)"
		elif .event == "p2p_put_pages" then "\(.event) \(.address)"
		else empty end' "$work/out" >"$work/found"
	sort "$work/found" | diff "$work/expected" - >"$work/diff" &&
	same "the stub's number" "$(printf %d "0x$(stat -c %T /dev/nvidia_stub)")" \
		"$(jq 'select(.event == "open") | .gpu' "$work/out")" && return
	sed 's/^/# /' "$work/diff" "$work/err"
	return 1
}

of_one_process() {
	sh -c 'kill -STOP $$; exec "$0" 4' "$load" &
	pid=$!
	monitor_start nvidia --summary --json -p $pid || return 1
	"$load" 2 || return 1
	kill -CONT $pid
	wait $pid
	monitor_end TERM &&
	same "processes" "$pid 4 4" "$(jq -r 'select(.table == "processes") |
		"\(.pid) \(.opens) \(.closes)"' "$work/out")"
}

tsgs_are_counted_without_btf() {
	stub_without_btf || return 1
	grtrace monitor nvidia-sched --summary --json -- "$load" 6 \
		>"$work/out" 2>"$work/err" || return 1
	same_counts tsgs scheduled tokens destroyed &&
	# only a field shows which of them were refused
	same "refused" "3 0" "$(of_stub refused) $(of_summary refused)" &&
	says "$work/err" "no BTF" &&
	nothing_left
}

# The numbers are those of the stub; one does not fit into 32 bits.
fields_by_btf() {
	stub_load || return 1
	if [ ! -e /sys/kernel/btf/nvidia_stub ]; then
		echo "# the stub was built without BTF"
		return 1
	fi
	grtrace monitor nvidia-sched -v --json -- "$load" 2 \
		>"$work/out" 2>"$work/err" || return 1
	cat >"$work/expected" <<-EOT
	1 COPY 1024 HIGH 13
	1 8 4294968320 UNKNOWN(3) yes
	1 7 99 null
	1 7 99 null
	1
	2 COPY 1024 HIGH 13
	2 8 4294968320 UNKNOWN(3) no
	2 7 99 null
	2 7 99 null
	2
	EOT
	jq -r 'select(.event) | del(.ts, .cpu, .event, .pid, .comm) | map(tostring) | join(" ")' \
		"$work/out" >"$work/found"
	if ! diff "$work/expected" "$work/found" >"$work/diff"; then
		sed 's/^/# /' "$work/diff" "$work/err"
		return 1
	fi
	grtrace monitor nvidia-sched --summary --json -- "$load" 6 >"$work/out" 2>"$work/err" &&
	# 2 and 6 made the even ones of 8
	same "refused" "4 3" "$(of_stub refused) $(of_summary refused)" &&
	same "statistics" "6 6 12 6 0" "$(jq -r 'select(.table == "statistics") |
		"\(.task_init) \(.schedule) \(.work_submit) \(.task_destroy) \(.dropped)"' "$work/out")" &&
	says "$work/err" "seen without gpu" &&
	nothing_left
}

none_without_the_module() {
	rmmod nvidia_stub || return 1
	fails "gpu_ext" grtrace monitor nvidia-sched -w 1 &&
	fails "this kernel has nothing for it to show: load nvidia.ko first" grtrace monitor nvidia -w 1
}

why_not() { # TEST
	[ "$1" != tsgs_are_counted_without_btf ] || command -v objcopy >/dev/null ||
		echo "there is no objcopy"
}

needs grtrace jq
[ -e "$stub" ] || skip_all "no nvidia_stub.ko in GRTRACE_STUBS: see stubs/Makefile"
! grep -qw nvidia_open /proc/kallsyms || skip_all "the real driver is loaded"
run_tests calls_are_counted ioctls_have_their_numbers files_are_open all_the_rest \
	rest_has_its_details of_one_process tsgs_are_counted_without_btf \
	fields_by_btf none_without_the_module
