# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# bench_tools.sh's part "demo": how long a newcomer waits for the first answer.

# Markdown has backquotes, and the other variables belong to the caller:
# shellcheck disable=SC2016,SC2154

# demo_seconds ROOT CLONE: how long `make demo` takes there.
demo_seconds() {
	local begin end
	begin="$(date +%s%N)"
	( cd "$2" && chroot_run "$1" "$2" -- make demo ) >"$work/demo" 2>&1 || {
		tail -n 30 "$work/demo" >&2
		return 1
	}
	end="$(date +%s%N)"
	awk -v ns="$((end - begin))" 'BEGIN { printf "%.1f", ns / 1e9 }'
}

# In an empty root of the newest Debian, with nothing of this machine but its network
# and its mirror.
part_demo() {
	local root="$work/root" suite=trixie cold warm
	"$here/deps.sh" vm
	apt_fresh "$suite"
	note "making an empty root"
	debstrap "$suite" "$root" make,ca-certificates
	as_root cp /etc/resolv.conf "$root/etc/"
	git clone -q "$checkout" "$work/clone"
	printf '## The first run\n\n'
	note "make demo, with nothing there"
	cold="$(demo_seconds "$root" "$work/clone")"
	note "make demo, with everything there"
	warm="$(demo_seconds "$root" "$work/clone")"
	printf '`make demo` in an empty root of Debian %s: %s s. Again: %s s.\n' "$suite" "$cold" "$warm"
	bar demo_cold "$cold" s "atmost 180"
	bar demo_warm "$warm" s "atmost 20"
	printf 'cold_s,warm_s\n%s,%s\n' "$cold" "$warm" >"$out/demo.csv"
	as_root rm -rf --one-file-system "$root"
}
