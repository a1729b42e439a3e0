#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Measures the cost of the kernel side and of other tracers, on this machine.
# Prints tables in Markdown, with a sentence for each value that could not be
# measured, and at the end a line for each bar:
#
#	BAR <name> <value> <unit> <limit> ok|short
#
# Usage: bench.sh [--base BASE] [PART...]
#        bench.sh [--base BASE] --quick [ID...]
#        bench.sh --save
#
#   BASE     6.12, 6.12-bookworm, 6.12-trixie, 7.3 (default, for which the bars are)
#   PART     only these: off icount uml
#   --quick  no tables and no bars: instructions for each record, in seconds, of
#            a few cases or of those with these IDs (see bench/cases)
#   --save   measures nothing; writes the table of the cover letters, made from
#            the last measurements, to "cost" beside the patches
#
# Tables and CSV are in out/bench/ afterwards.
#
# Exit status: 0 when all was measured, whether bars were met or not; else 1; 2
# wrong usage.

# Markdown has backquotes:
# shellcheck disable=SC2016
. "$(dirname "$0")/../lib/use.sh" work cache base
. "$here/bench/parts.sh"

base=7.3
QUICK_CASES="hook-off submit submit-soft submit-hard job commit complete error wait-enter overwrite type-out
	device-in ctx-in pid-job sample-half sample-out bucket-in slow-both profile everything"

NS_ROUNDS=15

# One instruction is one nanosecond, and nothing waits for real time.
ICOUNT=(--cpus 1 --qemu "-icount shift=0,sleep=off")

# guest_icount PEERS [ID...]: the guest's lines.
guest_icount() {
	local peers="$1" modules
	shift
	modules="$("$here/kernel/modules.sh" --bench "$base")"
	"$here/guest/vm.sh" "${ICOUNT[@]}" --modules-dir "$modules" "$base" -- \
		bash "$here/guest/bench.sh" "$here/bench/cases" "$peers" cycles "$@"
}

quick() {
	local ids=("$@")
	[ $# -gt 0 ] || read -rd '' -a ids <<<"$QUICK_CASES" || true
	guest_icount - "${ids[@]}" | awk -F'|' '
	$1 == "empty-task" { empty = $6 }
	/^empty/ { next }
	$6 == "" { printf "%-16s %s\n", $1, $2; next }
	{ printf "%-16s %8.2f   mean %8.2f   bytes %s %s\n", $1, ($6 - empty) / $4, ($7 / $5 - empty) / $4,
		($9 ? sprintf("%.2f", $10 / $9) : "-"), ($2 == "ok" ? "" : $2) }'
}

# save: from the CSV.
save() {
	local csv letter patches
	patches="$(printf '%s\n' "$checkout"/drivers/gpu/drm/[0-9]*/series | sort -V | tail -n 1)"
	for csv in icount ns; do
		[ -e "$checkout/out/bench/$csv.csv" ] || die "out/bench/$csv.csv is not there: run bench.sh first"
	done
	cd "$checkout/out/bench"
	letter="$(python3 -B "$here/bench/tables.py" letter icount.csv ns.csv)" || exit
	{
		printf '# Made by scripts/grtrace/bench/bench.sh --save, of bench.sh on %s, %s.\n' "$(date -u -r icount.csv +%F)" \
			"$(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo)"
		printf '%s\n' "$letter"
	} >"${patches%/*}/cost"
	cat "${patches%/*}/cost"
}

quick='' save=''
options '--base: --quick --save' "$@"
set -- "${args[@]}"
base="$(base_name "$base")"
if [ -n "$quick" ]; then
	quick "$@"
	exit
elif [ -n "$save" ]; then
	save
	exit
fi
parts=(off icount uml)
for name; do
	case " ${parts[*]} " in *" $name "*) ;; *) usage_error "unknown part '$name': it is one of ${parts[*]}" ;; esac
done
[ $# = 0 ] || parts=("$@")

out="$checkout/out/bench"
mkdir -p "$out"
bars="$work/bars"
: >"$bars"
status=0

# ------------------------------------------------------------------ the parts
# Each says on stdout what goes into the report.

# site NAME: the way through one of the benchmark's functions, from entry to return, or
# to the jump to the return thunk: the code behind it is the hook's own.  Where a
# jump goes to is filled in when the module is loaded.
site() {
	objdump -d --no-show-raw-insn "--disassemble=grtrace_bench_site_$1" "$modules/grtrace_bench.ko" |
		sed -nE 's/[[:space:]]+$//; s/^ *[0-9a-f]+:\t//p' | sed -E 's/^(call|jmp).*/\1/; /^(ret|jmp)/q'
}

part_off() {
	local modules more nops verdict=short
	modules="$("$here/kernel/modules.sh" --bench "$base")"
	printf '## A hook that is off\n\n'
	printf 'The disassembly of two functions of `grtrace_bench.ko`, without a hook and with one (+).\n\n```\n'
	diff -U 1000 <(site bare) <(site hook) >"$work/off" || true
	tail -n +4 "$work/off"
	printf '```\n'
	# A nop has forms, as the assembler and objtool choose by its length; anything else is none.
	more="$(tail -n +4 "$work/off" | grep -c '^[-+]')" || true
	nops="$(tail -n +4 "$work/off" | grep -cE '^\+(nop|xchg +%ax,%ax|data16)')" || true
	[ "$more $nops" != "1 1" ] || verdict=ok
	printf 'BAR hook_off %d nop 1 %s\n' "$more" "$verdict" >>"$bars"
}

part_icount() {
	gcc -O2 -Wall -o "$work/peers" "$here/bench/peers.c" -lbpf
	# Debian's compilers look for headers in a folder of the machine's, clang for BPF not.
	clang -O2 -g -Wall -target bpf -I"/usr/include/$(gcc -print-multiarch)" -c -o "$work/peers.bpf.o" \
		"$here/bench/peers.bpf.c"
	guest_icount "$work" >"$work/icount" || return 1
	printf '## Instructions\n\n'
	printf 'Linux %s as Debian built it, booted with mitigations=off in QEMU with `-icount shift=0`: its\n' "$release"
	printf 'time stamp counter counts instructions. *instructions*: of one event, the least of 20 batches of\n'
	printf '1000, the loop taken off. *all in*: the mean, with the interrupts and the changes of buffer that came in between.\n'
	printf '*of ftrace*: of the event of ftrace with the same clock and the fields of drm_sched_job_run.\n'
	python3 -B "$here/bench/tables.py" icount "$here/bench/cases" "$work/icount" "$out/icount.csv" "$work/icount.bars"
	cat "$work/icount.bars" >>"$bars"
}

part_uml() {
	printf '## Nanoseconds\n\n'
	printf 'User Mode Linux for one processor, a process of this machine at its speed (%s).\n' \
		"$(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo)"
	printf 'To hold interrupts off is cheaper there than on hardware, for grtrace and ftrace alike. It has\n'
	printf 'neither perf nor BPF programs on trace events. The default configuration but for mode=overwrite,\n'
	printf 'which takes as many instructions, so that the channel can be written through: as with ftrace, the\n'
	printf 'memory has been written to before.\n\n'
	"$here/uml/uml.sh" --up -- bash "$here/guest/bench_ns.sh" "$NS_ROUNDS" >"$work/ns" || return 1
	python3 -B "$here/bench/tables.py" ns "$work/ns" "$out/ns.csv" "$work/ns.bars"
	cat "$work/ns.bars" >>"$bars"
}

# not_measured: what no part can measure on a machine without KVM and a GPU.
not_measured() {
	cat <<-'END'
	## Not measured

	- **Time on hardware.** An instruction is not a cycle: the locked addition of gseq, interrupts
	  held off and let go, and a cache that does not have the line count as one each in the first tables.
	- **Contention** between processors or sockets, and the rate at which a recorder begins to lose: an
	  emulated machine has other limits than hardware.
	- **A real GPU's load.** The events are made by the module grtrace_bench, one case at a time, so
	  code and data are always warm.
	- **NMI**, in which grtrace writes nothing.
	- **BPF programs with typed arguments** (tp_btf, fentry): a module built outside the tree has no BTF.
	END
}

"$here/deps.sh" bench
release="$("$here/kernel/kernel.sh" "$base" release)"
report="$out/bench.md"
{
	printf '# What recording costs\n\n'
	printf '%s, %s processors' "$(date -u '+%Y-%m-%d %H:%M UTC')" "$(nproc)"
	printf '. What runs in QEMU is emulated, without KVM, and\nits wall clock times are not those of hardware. '
	printf 'Load of the machine at the start: %s.\n' "$(cut -d' ' -f1 /proc/loadavg)"
} | tee "$report"
measure "${parts[@]}"
{ printf '\n'; not_measured; } | tee -a "$report"
show_bars
exit "$status"
