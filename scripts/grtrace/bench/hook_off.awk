# SPDX-License-Identifier: GPL-2.0
#
# What a hook costs that is off, from the disassembly of a function without and
# the same with one (objdump -d --no-show-raw-insn of grtrace_bench.ko): the way
# from entry to return of both, which must differ by one nop.  The hook's own
# code lies behind the return.  The bar goes to the file bars.

# An instruction without its address, and without where it goes: that is filled
# in when the module is loaded.
function plain(line) {
	sub(/^ *[0-9a-f]+:[ \t]*/, "", line)
	sub(/[ \t]+$/, "", line)
	if (line ~ /^(call|jmp)/)
		sub(/[ \t].*/, "", line)
	gsub(/[ \t]+/, " ", line)
	return line
}

# any form of it, as the assembler and objtool choose by its length
function is_nop(line) { return line ~ /^(nop|nopw|nopl|xchg %ax,%ax|data16)/ }

/^[0-9a-f]+ <grtrace_bench_site_(bare|hook)>:/ {
	name = $0
	sub(/^.*site_/, "", name)
	sub(/>:.*/, "", name)
	going = 1
	next
}
/^$/ { going = 0 }
going {
	code[name, ++count[name]] = plain($0)
	# the return, or the jump to the return thunk
	if (code[name, count[name]] ~ /^(ret|jmp)/)
		going = 0
}

END {
	if (!count["bare"] || !count["hook"]) {
		print "n/a: the functions to compare were not found"
		exit
	}
	print "| without a hook | with a hook that is off |"
	print "|---|---|"
	for (i = j = 1; j <= count["hook"]; j++) {
		same = i <= count["bare"] && code["bare", i] == code["hook", j]
		if (!same) {
			extra++
			nops += is_nop(code["hook", j])
		}
		printf "| %s | `%s` |\n", (same ? "`" code["bare", i] "`" : ""), code["hook", j]
		i += same
	}
	missing = count["bare"] + 1 - i
	printf "\nWith the hook the function has %d instruction(s) more, %d of them nop.\n", extra, nops
	# Anything but nops is no nop at all.
	printf "BAR hook_off %d nop 1 %s\n", extra, (extra == 1 && nops == 1 && !missing ? "ok" : "short") >bars
}
