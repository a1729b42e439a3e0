# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Splats: what a kernel log says when the kernel found a bug in itself.  A taint
# message of an unsigned or out-of-tree module is none.

SPLAT='BUG:|Oops|WARNING:|KASAN:|KCSAN:|UBSAN:|Kernel panic|general protection|[Uu]nable to handle|unregister_netdevice: waiting|INFO: possible|INFO: suspicious|INFO: task .* blocked|DEADLOCK'

# splat_log LOG: without the one that is known to be a kernel's own. UML with
# several CPUs, seldom: a worker that is bound to a CPU has
# woken on another one (kernel/workqueue.c, "ensure we're on the correct CPU").
splat_log() {
	awk '
		/\[ cut here \]/ { block = 1; text = ""; worker = uml = 0 }
		block {
			text = text $0 "\n"
			worker += /WARNING: .*kernel\/workqueue\.c:[0-9]+ at process_one_work/
			uml += /um_set_signals/
			if (/end trace/) {
				block = 0
				if (!worker || !uml)
					printf "%s", text
			}
			next
		}
		{ print }
		END { if (block) printf "%s", text }' "$1"
}

# splat_found LOG: is there one?
splat_found() { splat_log "$1" | grep -E "$SPLAT" >/dev/null; }

# splat_print LOG: from just before the first splat, at most 120 lines.
splat_print() {
	local first
	first="$(grep -nE "$SPLAT" "$1" | head -n 1 | cut -d: -f1)"
	sed -n "$((first > 3 ? first - 3 : 1)),$((first + 117))p" "$1"
}
