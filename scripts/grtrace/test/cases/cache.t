#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The cache on a bad day: interrupted and started again, two at once, no network, no
# such package, no room. There is an entry as a whole or none, no rubbish, and one
# sentence with what to do. The package is made here, and so is apt-get's part of it.
set -uo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
work="$(mktemp -d)"
mounted=''
# shellcheck disable=SC2317
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
cat >"$work/fetch" <<'FETCH'
#!/bin/bash
set -euo pipefail
. "$LIB/use.sh" report cache root apt
APT_KEYRING=/dev/null
fill() { apt_unpack bookworm "$1" thing; }
broken() { false; touch "$1/half"; }
case "${1:-}" in
'') apt_fresh bookworm; cache_entry "$CACHE/kernels/thing" fill ;;
substituted) x="$(cache_entry "$CACHE/kernels/thing" broken; echo went on)"; echo "$x" ;;
condition) if cache_entry "$CACHE/kernels/thing" broken; then echo went on; fi ;;
esac
FETCH
chmod +x "$work/bin/apt-get" "$work/fetch"
export LIB="$here/lib" PATH="$work/bin:$PATH"

number=0 failed=0
# result STATUS NAME: also, of the cache: nothing of a temporary name, no half package.
result() {
	local status="$1"
	find "$XDG_CACHE_HOME" '(' -name '.new*' -o -name '*.deb*' -o -name half ')' >"$work/left"
	[ ! -s "$work/left" ] || status=1
	number=$((number + 1))
	if [ "$status" = 0 ]; then
		echo "ok $number $2"
	else
		sed 's/^/# /' "$work/said"
		sed 's/^/# left: /' "$work/left"
		echo "not ok $number $2"
		failed=1
	fi
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
# interrupted SIGNAL: to the whole of it, as a terminal does.
interrupted() {
	fresh slow
	set -m
	"$work/fetch" >"$work/said" 2>&1 &
	set +m
	wait_for "$work/slow" && kill "-$1" -- "-$!"
	wait $! 2>/dev/null
	for _ in $(seq 100); do
		kill -0 -- "-$!" 2>/dev/null || break
		sleep 0.1
	done
	[ ! -e "$XDG_CACHE_HOME/grtrace/kernels/thing" ]
}

echo 1..13
fresh ok
fetch && entry
result $? a_package_is_unpacked
echo down >"$work/net"
rm "$work/asked"
fetch && entry && [ ! -e "$work/asked" ]
result $? what_is_there_needs_no_network

for signal in INT TERM; do
	interrupted "$signal"
	result $? "interrupted_by_${signal}_it_leaves_nothing"
done
interrupted KILL
echo ok >"$work/net"
fetch && entry
result $? a_run_that_was_killed_goes_on

fresh slow
"$work/fetch" >"$work/first" 2>&1 &
wait_for "$work/slow"
"$work/fetch" >"$work/said" 2>&1 &
sleep 0.5
touch "$work/go"
wait %1 && wait %2 && entry && [ "$(grep -c download "$work/asked")" = 1 ] &&
	grep -q 'waiting for another run' "$work/said"
result $? two_at_once_fetch_it_once

fresh down
refused 'check the network and run again'
result $? no_network
fresh ok
fetch
rm -rf "$XDG_CACHE_HOME/grtrace/kernels"
echo down >"$work/net"
refused 'cannot download thing of Debian bookworm: .*; check the network and run again'
result $? no_network_any_more
fresh gone
refused 'cannot download thing of Debian bookworm: see apt.s message above' && grep -q 'Unable to locate' "$work/said"
result $? no_such_package
fresh room
refused 'has not enough room; free some, or set XDG_CACHE_HOME'
result $? less_room_than_apt_needs

fresh ok
if mkdir "$work/small" && mount -t tmpfs -o size=4m small "$work/small" 2>"$work/said"; then
	mounted="$work/small"
	XDG_CACHE_HOME="$work/small"
	refused 'has not enough room; free some, or set XDG_CACHE_HOME'
	result $? a_disk_that_becomes_full
else
	number=$((number + 1))
	echo "ok $number a_disk_that_becomes_full # SKIP nothing can be mounted here"
fi

# A step that fails is the end of filling, wherever that was asked for.
for where in substituted condition; do
	fresh ok
	! fetch "$where" && [ ! -e "$XDG_CACHE_HOME/grtrace/kernels/thing" ] && ! grep -q 'went on' "$work/said"
	result $? "a_step_that_fails_in_a_$where"
done
exit "$failed"
