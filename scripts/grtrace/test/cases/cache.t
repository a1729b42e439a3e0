#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the cache under bad conditions: an interrupted run, two runs at once, no
# network, no such package, no room. An entry is complete or absent, nothing is left
# over, and one sentence has the remedy. The test makes the package, and a substitute
# for apt-get.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
mounted=''
finish() {
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$work"
}
trap finish EXIT
unset GRTRACE_FILLED			# which is of a cache that stays

mkdir -p "$work/bin" "$work/thing/DEBIAN" "$work/thing/usr"
printf 'Package: thing\nVersion: 1\nArchitecture: amd64\nMaintainer: nobody\nDescription: a thing\n' \
	>"$work/thing/DEBIAN/control"
head -c 3000000 /dev/urandom >"$work/thing/usr/thing"
dpkg-deb --build "$work/thing" "$work/thing.deb" >/dev/null

# Does what $work/net says; what it was asked for is in $work/asked.
cat >"$work/bin/apt-get" <<'FAKE'
#!/bin/bash
work="$(dirname "$0")/.."
case " $* " in
*" indextargets "*) echo 'Debian|Debian|http://mirror.invalid/debian/'; exit ;;
*" update "*) echo update >>"$work/asked"; [ "$(cat "$work/net")" != down ]; exit ;;
esac
echo download >>"$work/asked"
case "$(cat "$work/net")" in
down) echo "E: Failed to fetch http://mirror.invalid/thing.deb  Could not resolve 'mirror.invalid'" >&2; exit 100 ;;
gone) echo "E: Unable to locate package thing" >&2; exit 100 ;;
room) echo "E: You don't have enough free space in $PWD." >&2; exit 100 ;;
slow)
	head -c 1000 "$work/thing.deb" >thing.deb
	touch "$work/slow"
	while [ ! -e "$work/go" ]; do sleep 0.1; done ;;
esac
cp "$work/thing.deb" thing.deb
FAKE
# Has something of the machine's in the root for a while, as the real one has /sys.
cat >"$work/bin/mmdebstrap" <<'FAKE'
#!/bin/bash
work="$(dirname "$0")/.."
root="${*: -2:1}"
mkdir -p "$root/sys" "$root/usr"
mount --bind "$work/machine" "$root/sys" || exit
if [ "$(cat "$work/net")" = slow ]; then
	touch "$work/slow"
	while [ ! -e "$work/go" ]; do sleep 0.1; done
fi
umount "$root/sys"
cp "$work/thing/usr/thing" "$root/usr/"
FAKE
cat >"$work/fetch" <<'FETCH'
#!/bin/bash
set -euo pipefail
. "$LIB/use.sh" report cache apt chroot
APT_KEYRING=/dev/null
fill() { apt_unpack bookworm "$1" thing; }
broken() { false; touch "$1/half"; }
root() { debstrap bookworm "$1" make; }
case "${1:-}" in
root) cache_entry "$CACHE/kernels/thing" root ;;
'') apt_fresh bookworm; cache_entry "$CACHE/kernels/thing" fill ;;
substituted) x="$(cache_entry "$CACHE/kernels/thing" broken; echo went on)"; echo "$x" ;;
condition) if cache_entry "$CACHE/kernels/thing" broken; then echo went on; fi ;;
esac
FETCH
chmod +x "$work/bin/apt-get" "$work/bin/mmdebstrap" "$work/fetch"
export LIB="$here/lib" PATH="$work/bin:$PATH"

shows "$work/said" "$work/left"
# whole STATUS NAME: a result; also, of the cache: nothing of a temporary name, no half package.
whole() {
	local status="$1"
	find "$XDG_CACHE_HOME" '(' -name '.new*' -o -name '*.deb*' -o -name half ')' >"$work/left"
	[ ! -s "$work/left" ] || status=1
	result "$status" "$2"
}
# fresh NET: an empty cache.
fresh() {
	export XDG_CACHE_HOME="$work/cache"
	rm -rf "$XDG_CACHE_HOME" "$work/slow" "$work/go" "$work/asked"
	mkdir "$XDG_CACHE_HOME"
	echo "$1" >"$work/net"
}
entry() { cmp -s "$XDG_CACHE_HOME/grtrace/kernels/thing/usr/thing" "$work/thing/usr/thing"; }
fetch() { "$work/fetch" "$@" >"$work/said" 2>&1; }
# refused TEXT: the run ends with one sentence, which has TEXT, and without an entry.
refused() {
	local status=0
	fetch "${@:2}" || status=$?
	[ "$status" != 0 ] && [ ! -e "$XDG_CACHE_HOME/grtrace/kernels/thing" ] &&
		[ "$(grep -c 'fetch: \|has not enough room' "$work/said")" = 1 ] && grep -q -- "$1" "$work/said"
}
# wait_for FILE
wait_for() {
	local turn
	for turn in $(seq 300); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	return "$turn"
}
# interrupted SIGNAL [WHAT]: to the whole of it, as a terminal does.
interrupted() {
	fresh slow
	set -m
	"$work/fetch" "${@:2}" >"$work/said" 2>&1 &
	set +m
	wait_for "$work/slow" && kill "-$1" -- "-$!"
	wait $! 2>/dev/null
	for _ in $(seq 100); do
		kill -0 -- "-$!" 2>/dev/null || break
		sleep 0.1
	done
	[ ! -e "$XDG_CACHE_HOME/grtrace/kernels/thing" ]
}

fresh ok
fetch && entry
whole $? a_package_is_unpacked
echo down >"$work/net"
rm "$work/asked"
fetch && entry && [ ! -e "$work/asked" ]
whole $? what_is_there_needs_no_network

for signal in INT TERM; do
	interrupted "$signal"
	whole $? "interrupted_by_${signal}_it_leaves_nothing"
done
interrupted KILL
echo ok >"$work/net"
fetch && entry
whole $? a_run_that_was_killed_goes_on

fresh slow
"$work/fetch" >"$work/first" 2>&1 &
wait_for "$work/slow"
"$work/fetch" >"$work/said" 2>&1 &
for _ in $(seq 600); do
	! grep -q waiting "$work/said" || break
	sleep 0.1
done
touch "$work/go"
wait %1 && wait %2 && entry && [ "$(grep -c download "$work/asked")" = 1 ] &&
	grep -q 'waiting for another run' "$work/said"
whole $? two_at_once_fetch_it_once

fresh down
refused 'check the network and run again'
whole $? no_network
fresh ok
fetch
rm -rf "$XDG_CACHE_HOME/grtrace/kernels"
echo down >"$work/net"
refused 'cannot download thing of Debian bookworm: .*; check the network and run again'
whole $? no_network_any_more
fresh gone
refused 'cannot download thing of Debian bookworm: see apt.s message above' && grep -q 'Unable to locate' "$work/said"
whole $? no_such_package
fresh room
refused 'has not enough room; free some, or set XDG_CACHE_HOME'
whole $? less_room_than_apt_needs

fresh ok
if mkdir "$work/small" && mount -t tmpfs -o size=4m small "$work/small" 2>"$work/said"; then
	mounted="$work/small"
	XDG_CACHE_HOME="$work/small"
	refused 'has not enough room; free some, or set XDG_CACHE_HOME'
	whole $? a_disk_that_becomes_full
else
	skip a_disk_that_becomes_full "nothing can be mounted here"
fi

mkdir "$work/machine"
touch "$work/machine/kept"
if mount --bind "$work/machine" "$work/machine" 2>"$work/said"; then
	umount "$work/machine"
	interrupted KILL root
	echo ok >"$work/net"
	fetch root && entry && [ -e "$work/machine/kept" ] && ! grep -q "$work/cache" /proc/mounts
	whole $? a_root_that_was_killed_in_the_making_goes_on
else
	skip a_root_that_was_killed_in_the_making_goes_on "nothing can be mounted here"
fi

# The newest old entries stay, and also those of today, because another run may use them.
mkdir -p "$work/kept/new" "$work/kept/used" "$work/kept/a b" "$work/kept/older" "$work/kept/oldest"
touch -d '2 hours ago' "$work/kept/used"
touch -d '4 hours ago' "$work/kept/a b"
touch -d '5 hours ago' "$work/kept/older"
touch -d '6 days ago' "$work/kept/oldest"
for kept in '1 new used' '3 a b new used' '4 a b new older used'; do
	(
		. "$here/lib/cache.sh"
		cp -a "$work/kept" "$work/pruned"
		cache_prune "${kept%% *}" "$work/pruned"/*
	)
	equal "old_entries_go_but_$kept" "${kept#* }" "$(cd "$work/pruned" && echo *)"
	rm -rf "$work/pruned"
done

# A step that fails is the end of filling, wherever that was asked for.
for where in substituted condition; do
	fresh ok
	! fetch "$where" && [ ! -e "$XDG_CACHE_HOME/grtrace/kernels/thing" ] && ! grep -q 'went on' "$work/said"
	whole $? "a_step_that_fails_in_a_$where"
done
plan
