# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Splats: what a kernel log says when the kernel found a bug in itself.  A taint
# message of an unsigned or out-of-tree module is none.

SPLAT='BUG:|Oops|WARNING:|KASAN:|KCSAN:|UBSAN:|Kernel panic|general protection|[Uu]nable to handle|unregister_netdevice: waiting|INFO: possible|INFO: suspicious|INFO: task .* blocked|DEADLOCK'

# splat_found LOG: is there one?
splat_found() { grep -qE "$SPLAT" "$1"; }

# splat_print LOG: from just before the first splat, at most 120 lines.
splat_print() {
	local first
	first="$(grep -nE "$SPLAT" "$1" | head -n 1 | cut -d: -f1)"
	sed -n "$((first > 3 ? first - 3 : 1)),$((first + 117))p" "$1"
}
