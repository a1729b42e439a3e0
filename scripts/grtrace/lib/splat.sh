# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Finds splats: reports in a kernel log of a bug in the kernel.  The taint message
# of an unsigned or out-of-tree module does not count.

SPLAT='BUG:|Oops|WARNING:|KASAN:|KCSAN:|UBSAN:|Kernel panic|general protection|[Uu]nable to handle|unregister_netdevice: waiting|INFO: possible|INFO: suspicious|INFO: task .* blocked|DEADLOCK'

# splat_log LOG: without those that are known to be a kernel's own. UML with
# several CPUs, seldom: a worker that is bound to a CPU has
# woken on another one (kernel/workqueue.c, "ensure we're on the correct CPU").
# Where fault_load_test lets the loading of a module fail: jump labels warn of it.
# KCSAN, often: two functions race of which neither was called by us and neither
# is relay's, which we write through.
splat_log() {
	awk '
		function end_of_block(whole) {
			if (!whole || !(worker && uml || race && !ours || label && injected))
				printf "%s", text
			block = ""
		}
		function begin(kind) {
			if (block)
				end_of_block(0)
			block = kind
			text = ""
			worker = uml = race = ours = label = injected = 0
		}
		/\[ cut here \]/ { begin("warning") }
		/====================$/ && block != "lines" { begin("lines"); text = $0 "\n"; next }
		block {
			text = text $0 "\n"
			worker += /WARNING: .*kernel\/workqueue\.c:[0-9]+ at process_one_work/
			uml += /um_set_signals/
			label += /WARNING: at jump_label_(module_notify|del_module)\+/
			injected += / Comm: fault_load_test /
			race += /BUG: KCSAN: /
			# The program that ran is not a function of ours.
			ours += /grtrace|relay_|subbuf/ && !/ Comm: /
			if (block == "warning" ? /end trace/ : /====================$/)
				end_of_block(1)
			next
		}
		{ print }
		END { if (block) end_of_block(0) }' "$1"
}

# splat_found LOG: is there one?
splat_found() { splat_log "$1" | grep -E "$SPLAT" >/dev/null; }

# splat_print LOG: from just before the first splat, at most 120 lines.
splat_print() {
	splat_log "$1" | awk -v splat="$SPLAT" '
		!found { before[NR % 3] = $0 }
		!found && $0 ~ splat {
			found = NR
			for (i = NR - 2; i < NR; i++)
				if (i > 0) print before[i % 3]
		}
		# to the end: who writes into it must not be cut off
		found && NR <= found + 117 { print }'
}
