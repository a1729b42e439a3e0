#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The monitors of drivers that no guest has a GPU for, and the recorder: made-up
# events on a real kernel. $GRTRACE_STUBS/event_stub.ko has trace events with the
# drivers' systems, names and fields, and emits what is written to it. That the
# fields are where the drivers have them is compared with the drivers themselves.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"
# shellcheck source=tools/grtrace/tests/guest/monitor.sh
. "$dir/monitor.sh"

stub="$GRTRACE_STUBS/event_stub.ko"
emit=/sys/kernel/debug/event_stub/emit
events=/sys/kernel/tracing/events

# The lines of stdin, from a process of their own: its id becomes $pid.
emitted() {
	cat >"$work/lines"
	cat "$work/lines" >$emit &
	pid=$!
	wait $pid
}

# Rows of a table of a summary as JSON: the columns' values, a line for each row.
rows() { # TABLE COLUMN...
	table=$1
	shift
	filter=$(printf '\\(.%s) ' "$@")
	jq -r "select(.table == \"$table\") | \"${filter% }\"" "$work/out" | sort
}

# FILE of "SYSTEM EVENT" lines: where each field is. Types have many names.
layouts() {
	while read -r name; do
		sed -n 's|.*[ *]\([a-z_]*\)\(\[[0-9]*\]\)*;\toffset|'"$name"' \1 offset|p' \
			"$events/$name/format"
	done <"$1"
}

# The stub has the events of this kernel's drivers.
fields_of_the_drivers() {
	(cd $events && ls -d i915/*/ amdgpu/*/) | sed 's|/$||' >"$work/names"
	layouts "$work/names" >"$work/of_stub"
	rmmod event_stub
	for driver in i915 amdgpu; do
		modprobe "$driver" || return 1
		grep "^$driver/" "$work/names" >"$work/of_driver"
		layouts "$work/of_driver" >>"$work/of_drivers"
		modprobe -r "$driver"
	done
	insmod "$stub" || return 1
	echo "# $(wc -l <"$work/names") events, $(wc -l <"$work/of_stub") fields"
	sort "$work/of_drivers" >"$work/expected"
	sort "$work/of_stub" | diff "$work/expected" - >"$work/diff" &&
	[ -s "$work/expected" ] && return
	sed 's/^/# /' "$work/diff"
	return 1
}

# One process makes 10 objects; another destroys 7 of them, and one made before.
i915_objects() {
	echo i915_gem_object_create 0xffff888000000001 4096 >$emit
	monitor_start i915 --summary --json || return 1
	emitted <<-EOT
	$(seq -f 'i915_gem_object_create 0xffff8880000010%02.0f 4096' 10)
	$(seq -f 'i915_vma_bind 0xffff8880000010%02.0f 8192' 5)
	$(seq -f 'i915_vma_unbind 0xffff8880000010%02.0f 8192' 2)
	$(seq -f 'i915_gem_object_fault 0xffff888000001001 %g' 3)
	EOT
	first=$pid
	emitted <<-EOT
	i915_gem_object_create 0xffff888000002001 5000000000
	i915_gem_object_create 0xffff888000002002 1
	$(seq -f 'i915_gem_object_destroy 0xffff8880000010%02.0f' 7)
	i915_gem_object_destroy 0xffff888000000001
	i915_gem_object_destroy 0xffff888000002002
	i915_gem_shrink 100
	i915_gem_shrink 23
	i915_gem_evict 4096
	EOT
	second=$pid
	monitor_end TERM || return 1
	same "processes" "$(sort <<-EOT
	$first cat 10 40960 7 28672 5 40960 2 3
	$second cat 2 5000000001 1 1 0 0 0 0
	EOT
	)" "$(rows processes pid comm created bytes destroyed bytes_destroyed binds \
		bytes_bound unbinds faults)" &&
	same "left" "$(sort <<-EOT
	$first cat 3 12288
	$second cat 1 5000000000
	EOT
	)" "$(rows left pid comm objects bytes)" &&
	same "pressure" "$second cat 2 123 1" "$(rows pressure pid comm shrinks pages_wanted evictions)"
}

# Where they are bound, what a fault wanted, and who shrinks with which flags.
i915_places() {
	monitor_start i915 -v --json || return 1
	emitted <<-EOT
	i915_vma_bind 0xffff888000003001 8192 0x100000 0xffff888000000777 0x408
	i915_vma_unbind 0xffff888000003001 8192 0x100000 0xffff888000000777
	i915_gem_object_fault 0xffff888000003001 128 1 1
	i915_gem_object_fault 0xffff888000003001 5 0 0
	i915_gem_shrink 4096 0x3
	i915_gem_evict 65536 4096 0xffff888000000777 0x8
	EOT
	monitor_end TERM &&
	same "lines" "$(cat <<-EOT
	0xffff888000003001 8192 0x100000 0xffff888000000777 yes
	0xffff888000003001 8192 0x100000 0xffff888000000777
	0xffff888000003001 128 gtt write
	0xffff888000003001 5 cpu read
	0 4096 0x3
	0 0xffff888000000777 65536 4096 yes
	EOT
	)" "$(jq -r 'select(.event) | del(.ts, .cpu, .event, .pid, .comm) | map(tostring) |
		join(" ")' "$work/out")"
}

i915_lines() {
	monitor_start i915 -v --json || return 1
	emitted <<-EOT
	i915_gem_object_create 0xffff888000003001 12345
	i915_gem_object_fault 0xffff888000003001 1
	i915_gem_object_destroy 0xffff888000003001
	EOT
	monitor_end TERM &&
	same "lines" "$(cat <<-EOT
	$pid i915_gem_object_create 0xffff888000003001 12345
	$pid i915_gem_object_fault 0xffff888000003001 null
	$pid i915_gem_object_destroy 0xffff888000003001 12345
	EOT
	)" "$(jq -r 'select(.event) | "\(.pid) \(.event) \(.obj) \(.size)"' "$work/out")"
}

# Jobs that wait 0.3 s, of two rings; the kernel's own have no ioctl.
amdgpu_summary() {
	monitor_start amdgpu --summary --json || return 1
	emitted <<-EOT
	$(seq -f 'amdgpu_cs_ioctl gfx_0.0.0 7 %g' 20)
	$(seq -f 'amdgpu_cs_ioctl sdma0 4000000000 %g' 5)
	EOT
	sleep 0.3	# what they wait
	emitted <<-EOT
	$(seq -f 'amdgpu_sched_run_job gfx_0.0.0 7 %g' 18)
	$(seq -f 'amdgpu_sched_run_job sdma0 4000000000 %g' 5)
	amdgpu_sched_run_job sdma0 9 1
	amdgpu_vm_flush gfx_0.0.0 3
	amdgpu_vm_flush gfx_0.0.0 4
	$(seq -f 'amdgpu_bo_create %g 3' 4)
	amdgpu_bo_move 1 4096 2 0
	amdgpu_bo_move 2 5000000000 2 0
	amdgpu_bo_move 1 4096 1 2
	$(yes 'amdgpu_iv 20 181' | head -n 6)
	amdgpu_iv 8 224
	EOT
	monitor_end TERM &&
	same "rings" "gfx_0.0.0 20 18 2
sdma0 5 5 0" "$(rows rings ring cs run vm_flushes)" &&
	same "waits" "true true" "$(jq -r 'select(.table == "rings") |
		.wait_avg_us >= 300000 and .wait_avg_us < 60000000 and
		.wait_p99_us >= 300000 and .wait_max_us >= .wait_avg_us' "$work/out" | xargs)" &&
	same "memory" "create 4 $((12 * $(getconf PAGESIZE)))
system to vram 2 5000004096
vram to gtt 1 4096" "$(rows memory what buffers bytes)" &&
	same "interrupts" "20 181 6
8 224 1" "$(rows interrupts client source count)"
}

# The request, its result, and the process.
amdgpu_places() {
	monitor_start amdgpu --summary --json || return 1
	emitted <<-EOT
	amdgpu_cs_ioctl gfx_0.0.0 7 1 2
	amdgpu_cs_ioctl gfx_0.0.0 7 2 3
	amdgpu_bo_create 1 1 2 4 6 1
	amdgpu_bo_create 2 1 1 4 6 0
	amdgpu_bo_create 3 1 1 4 6 3
	amdgpu_iv 20 181 0 5 100
	amdgpu_iv 20 181 0 6 101
	amdgpu_iv 20 181 0 6 101
	EOT
	page=$(getconf PAGESIZE)
	monitor_end TERM &&
	same "command buffers" "gfx_0.0.0 2 5" "$(rows rings ring cs ibs)" &&
	same "buffers" "gtt vram gtt+vram 2 $((2 * page)) 1 2
vram vram gtt+vram 1 $page 1 0" \
		"$(rows buffers placed preferred allowed buffers bytes cpu_access displaced)" &&
	same "interrupts" "20 181 5 100 1
20 181 6 101 2" "$(rows interrupts client source vmid pasid count)" &&
	same "processes" "$pid cat 2 5 3 $((3 * page))" \
		"$(rows processes pid comm cs ibs buffers bytes)"
}

# The last line of what is being written may be there in part.
tables_have() { # COUNT
	[ "$(sed '$!b; /}$/!d' "$work/out" | jq -s 'map(select(.table == "rings").cs) | add // 0')" = "$1" ]
}

# Tables while it runs: counts add up. A count by its rate is a time that is as long
# as a table's at least, and all of them together are no longer than the run.
amdgpu_rates() {
	monitor_start amdgpu --json -i 0.3 || return 1
	for turn in 1 2 3; do
		emitted <<-EOT
		$(seq -f 'amdgpu_cs_ioctl gfx_0.0.0 8 %g' 100)
		EOT
		wait_until 60 tables_have $((turn * 100)) || return 1
	done
	monitor_end TERM || return 1
	jq -r 'select(.table == "rings") | "\(.time) \(.cs) \(.cs_s)"' "$work/out" |
		awk '
		$2 && (!$3 || $2 / $3 < 0.299) { print "# " $0 }
		$2 && $3 { took += $2 / $3; many++ }
		{ n += $2; end = $1 }
		END {
			if (n != 300 || many < 3 || took > end + 0.01)
				print "# " n " in " many " tables, " took " of " end " s"
		}' >"$work/wrong"
	cat "$work/wrong"
	[ ! -s "$work/wrong" ]
}

only_those_asked_for() {
	# shellcheck disable=SC2016 # not $$, which a subshell shares
	self=$(exec sh -c 'echo $PPID')
	monitor_start amdgpu --summary --json --ring sdma0 -p "$self" || return 1
	emitted <<-EOT
	amdgpu_cs_ioctl sdma0 1 1
	amdgpu_bo_create 1 1
	EOT
	echo amdgpu_cs_ioctl sdma0 1 2 >$emit
	echo amdgpu_cs_ioctl gfx_0.0.0 1 3 >$emit
	echo amdgpu_bo_create 2 5 >$emit
	monitor_end TERM &&
	same "rings" "sdma0 1" "$(rows rings ring cs)" &&
	same "memory" "create 1" "$(rows memory what buffers)"
}

xid_errors() {
	monitor_start nvidia --summary --json || return 1
	emitted <<-EOT
	nvidia_dev_xid fell_off_the_bus 79
	nvidia_dev_xid first 31
	nvidia_dev_xid second 31
	EOT
	monitor_end TERM &&
	same "Xids" "0000:01:00 31 2 second
0000:01:00 79 1 fell_off_the_bus" "$(rows xids dev xid count last)" &&
	says "$work/err" "nvidia_open(): the function does not exist or cannot be probed"
}

csv_column() { # NAME FILE
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 { print $at }' "$2"
}

# Requests of two engines, as jobs in a capture.
recorded_from_tracefs() {
	yes 'i915_request 0 0' | head -n 30 >"$work/requests"
	yes 'i915_request 2 1' | head -n 12 >>"$work/requests"
	grtrace record --source tracefs -D "$work" -o run -- \
		sh -c "cat '$work/requests' >$emit" >"$work/out" 2>"$work/err" || return 1
	grparse -q -f '%a\n' -i "$work/run" | grep -v m | sort | uniq -c | xargs >"$work/found"
	same "events" "42 C 42 E 42 Q 42 WE 42 WX" "$(cat "$work/found")" &&
	grtrace report --csv "$work/jobs.csv" -i "$work/run" >"$work/report" &&
	says "$work/report" "Jobs: 42 seen, 0 incomplete" &&
	says "$work/report" "i915" &&
	same "jobs of rings" "30 rcs0 12 vcs1" "$(csv_column ring "$work/jobs.csv" |
		sort | uniq -c | sort -rn | xargs)" &&
	grtrace verify -i "$work/run" >"$work/verify" && return
	sed 's/^/# /' "$work/report" "$work/verify" 2>/dev/null | head -n 40
	return 1
}

fences_of() { # ACTION FORMAT
	grparse -q -f "%a $2\n" -i "$work/run" | sed -n "s/^$1 //p" | sort
}

# Jobs of amdgpu pass this kernel's scheduler: the events of both are one
# job. Five were pushed before the recording, and run in it. On its ring each has two
# fences, and the second is the job's.
amdgpu_from_tracefs() {
	printf 'amdgpu_hold sdma0\namdgpu_jobs sdma0 5\n' >$emit
	grtrace record --source tracefs -D "$work" -o run -- sh -c "cat >$emit" <<-EOT \
		>"$work/out" 2>"$work/err" || return 1
	amdgpu_jobs gfx_0.0.0 40
	amdgpu_wait gfx_0.0.0
	amdgpu_release sdma0
	amdgpu_wait sdma0
	amdgpu_jobs sdma0 3
	amdgpu_wait sdma0
	EOT
	grparse -q -f '%a\n' -i "$work/run" | grep -v m | sort | uniq -c | xargs >"$work/found"
	same "events" "48 C 48 D 48 E 96 FS 48 I 43 Q" "$(cat "$work/found")" || return 1
	fences_of FS %x:%S | awk -F: '$2 % 2 == 0' >"$work/expected"
	fences_of D %f >"$work/found"
	if ! diff "$work/expected" "$work/found" >"$work/diff" || [ ! -s "$work/found" ]; then
		sed 's/^/# /' "$work/diff" | head
		return 1
	fi
	grtrace report --csv "$work/jobs.csv" -i "$work/run" >"$work/report" &&
	same "jobs of rings" "40 gfx_0.0.0 8 sdma0" "$(csv_column ring "$work/jobs.csv" |
		sort | uniq -c | sort -rn | xargs)" &&
	says "$work/report" "hardware fences but of amdgpu" &&
	! grep "are left out" "$work/err" && return
	sed 's/^/# /' "$work/report" "$work/err" | head -n 40
	return 1
}

# Queues that user space fills: only their fences, and that one hangs.
amdgpu_user_queues() {
	grtrace record --source tracefs -D "$work" -o run -- sh -c "cat >$emit" <<-EOT \
		>"$work/out" 2>"$work/err" || return 1
	amdgpu_userq_fence 42 0
	amdgpu_userq_fence 42 0
	amdgpu_userq_fence 43 1
	amdgpu_userq_state_changed 43 1 1
	amdgpu_userq_state_changed 43 1 3
	amdgpu_userq_destroy_end 42 0
	amdgpu_userq_fence 42 0
	EOT
	grparse -q -f '%a\n' -i "$work/run" | grep -v m | sort | uniq -c | xargs >"$work/found"
	same "events" "4 D 1 ER 4 FS 4 Q 2 QS" "$(cat "$work/found")" &&
	grtrace report --csv "$work/jobs.csv" -i "$work/run" >"$work/report" &&
	same "jobs of rings" "3 userq_gfx_42 1 userq_comp_43" \
		"$(csv_column ring "$work/jobs.csv" | sort | uniq -c | sort -rn | xargs)" &&
	says "$work/report" "Jobs: 4 seen, 0 incomplete" && return
	sed 's/^/# /' "$work/report" "$work/err" | head -n 40
	return 1
}

none_without_the_events() {
	rmmod event_stub || return 1
	for kind in i915 amdgpu; do
		fails "this kernel has nothing for it to show" \
			grtrace monitor $kind -w 1 || return 1
	done
}

why_not() { # TEST
	[ "$1" != amdgpu_user_queues ] || [ -d $events/amdgpu/amdgpu_userq_emit_fence ] ||
		echo "this kernel's amdgpu has none"
}

needs grtrace grparse jq
[ -e "$stub" ] || skip_all "no event_stub.ko in GRTRACE_STUBS: see stubs/Makefile"
for driver in i915 amdgpu nvidia; do
	[ ! -d $events/$driver ] || skip_all "$driver itself is loaded"
done
modprobe gpu-sched
insmod "$stub" || fail_all "event_stub.ko cannot be loaded"
run_tests fields_of_the_drivers i915_objects i915_lines i915_places amdgpu_summary \
	amdgpu_places amdgpu_rates \
	only_those_asked_for xid_errors recorded_from_tracefs amdgpu_from_tracefs \
	amdgpu_user_queues \
	none_without_the_events
