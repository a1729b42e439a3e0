#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The test runner: its result does not depend on how it was started, a test that takes
# too long is ended and named, and a test without a result has failed. The test uses small
# parts of its own instead of lib/parts.sh, in a copy whose path has a space.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
chmod 755 "$work"
shows "$work/out"
# For ever, and nobody else's.
export LONG=$((100000 + $$))

# A part that waits for what nohup, a terminal, a shell's background or a locale could
# take away; parts in each of the languages that hang or take long; parts that show
# nothing.
copy="$work/a checkout/scripts/grtrace"
mkdir -p "$copy/test"
cp -r "$here/lib" "$copy"
cp -r "$here/test/test.sh" "$here/test/limit.sh" "$here/test/cases" "$copy/test"
cat >"$copy/test/skips" <<'LIST'
allowed-skips  -  b  no device
only-skips     -  *  no device
LIST
cat >"$copy/lib/parts.sh" <<'PARTS'
parts=(
	"real tap 1 30"
	"manner tap 1 30"
	"shell-hangs tap 1 2"
	"c-hangs tap 1 2"
	"gtest-hangs gtest 1 2"
	"python-hangs tap 1 2"
	"leaves tap 1 2"
	"allowed-skips tap 1"
	"unknown-skips tap 1"
	"only-skips tap 1"
	"nothing tap 1"
	"beside check 1 0 background"
)
debug_parts=()
kernel_parts=("real tap 1" "burns check 1" "fills check 1")
# however busy the machine is: ended after two seconds of a processor
part_burns() { ! sh -c 'ulimit -c 0; ulimit -t 2; while :; do :; done'; }
part_fills() { XDG_CACHE_HOME="$(mktemp -d)" && . "$here/lib/cache.sh" && cache_entry "$CACHE/a/b" touch; }
part_real() { "$here/test/cases/tap.t"; }
part_manner() {
	local signal
	# A program that keeps a signal ignored, as it should, waits for ever.
	sleep 60 &
	kill -HUP $!
	wait $! || true
	echo 1..6
	for signal in HUP INT QUIT PIPE TERM; do
		# shellcheck disable=SC2016
		( exec sh -c 'kill -"$1" $$' sh "$signal" ) && printf 'not '
		echo "ok $signal"
	done
	[ "$(printf %.1f 1.5) $(readlink /proc/self/fd/0)" = "1.5 /dev/null" ] && ! : 2>/dev/null </dev/tty ||
		printf 'not '
	echo "ok number, input and terminal"
}
part_shell-hangs() { sh -c 'echo 1..2; echo ok 1 first; echo "# half way"; setsid sleep "$1"' sh "$LONG.1"; }
part_c-hangs() { printf '# 1..1\n# #  RUN           fixture.test ...\n# # half way\n'; sleep $LONG.2; }
part_gtest-hangs() { printf '[==========] Running 1 test from 1 test suite.\n[ RUN      ] Suite.test\nhalf way\n'; sleep $LONG.3; }
part_python-hangs() {
	python3 -uc '
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("1..1\n# half way")
time.sleep(1e9)'
}
part_leaves() { echo 1..1; echo ok 1; sleep $LONG.5 & }
part_allowed-skips() { printf '1..2\nok 1 a\nok 2 b # SKIP no device\n'; }
part_unknown-skips() { printf '1..2\nok 1 a\nok 2 b # SKIP the module cannot be loaded\n'; }
part_only-skips() { printf '1..1\nok 1 a # SKIP no device\n'; }
part_nothing() { echo 1..0; }
part_beside() { sleep 1; }
PARTS

# ran STATUS LAST_LINE: of the run whose output is in $work/out.
ran() {
	[ "$status" = "$1" ] || echo "exit status $status, not $1" >>"$work/out"
	[ "$status" = "$1" ] && [ "$(tail -n 1 "$work/out")" = "$2" ]
}

# started NAME CMD...: CMD, which ends with test.sh, in its time and as always.
started() {
	local name="$1"
	shift
	status=0
	( cd "$work/a checkout" && timeout -k 5 60 "$@" ) >"$work/out" 2>&1 || status=$?
	ran 0 "$all"
	result $? "started $name"
}
run="$copy/test/test.sh"
small=(real manner beside)
plan="$("$here/test/cases/tap.t" | sed -n 's/^1\.\.//p')"
all="$((plan + 6 + 1)) passed, 0 failed, 0 skipped"

started "as it is" "$run" "${small[@]}"
started "by make" make -sf "$here/../../Makefile" test "PARTS=${small[*]}"
started "by nohup" nohup "$run" "${small[@]}"
started "without a terminal" setsid -w "$run" "${small[@]}"
# shellcheck disable=SC2016
started "on a terminal" sh -c 'script -qec "$1" /dev/null | tr -d "\r"' sh "'$run' ${small[*]}"
started "with all signals ignored" sh -c 'trap "" HUP INT QUIT PIPE TERM; "$@"' sh "$run" "${small[@]}"
started "with its input closed" sh -c 'exec "$@" <&-' sh "$run" "${small[@]}"
started "with all closed but its output" sh -c 'exec "$@" <&- 2>&1' sh "$run" "${small[@]}"
started "with LC_ALL=C" env LC_ALL=C "$run" "${small[@]}"
if mkdir "$work/locale" && localedef -i de_DE -f UTF-8 "$work/locale/de_DE.UTF-8" >/dev/null 2>&1; then
	started "with LC_ALL=de_DE.UTF-8" env LC_ALL=de_DE.UTF-8 LOCPATH="$work/locale" "$run" "${small[@]}"
else
	skip "started with LC_ALL=de_DE.UTF-8" "no German locale can be made"
fi
if [ "$(id -u)" = 0 ]; then
	chown -R nobody "$work/a checkout"
	started "by a user" setpriv --reuid nobody --clear-groups env HOME="$work/a checkout" "$run" "${small[@]}"
	chown -R root "$work/a checkout"
	if command -v sudo >/dev/null; then
		started "by sudo" sudo -n "$run" "${small[@]}"
	else
		skip "started by sudo" "there is no sudo"
	fi
fi

# ends NAME PART TEXT...: it fails in its time, and says TEXT.
ends() {
	local name="$1" part="$2" text ret=0
	shift 2
	status=0
	timeout -k 5 60 "$run" "$part" >"$work/out" 2>&1 || status=$?
	[ "$status" = 1 ] || ret=1
	for text; do
		grep -qF -- "$text" "$work/out" || { echo "no '$text'" >>"$work/out"; ret=1; }
	done
	result $ret "$name"
}
ends "a shell test that hangs" shell-hangs 'what comes after "ok 1 first" # not done after 2 s' '# half way' "sleep $LONG.1"
ends "a C test that hangs" c-hangs 'fixture.test # not done after 2 s' 'half way' "sleep $LONG.2"
ends "a C++ test that hangs" gtest-hangs 'Suite.test # not done after 2 s' 'half way' "sleep $LONG.3"
ends "a Python test that hangs" python-hangs 'what comes after "the plan" # not done after 2 s' 'half way'
ends "a skip that is not on the list" unknown-skips 'may not be skipped on unknown-skips: the module cannot be loaded'
ends "nothing but skips" only-skips '0 passed, 1 failed, 1 skipped'
ends "no test at all" nothing '0 passed, 1 failed, 0 skipped'

status=0
"$run" leaves allowed-skips >"$work/out" 2>&1 || status=$?
ran 0 '2 passed, 0 failed, 1 skipped'
result $? "what a part leaves running is ended, a skip on the list is one"

status=0
"$run" --all real burns fills >"$work/out" 2>&1 || status=$?
cp "$copy/../../out/test/times.csv" "$work/times"
awk -F, -v plan="$plan" '
	NR == 1 { ok = $0 == "part,passed,failed,skipped,seconds,cpu_seconds,cache" }
	$1 == "real" { ok += $2 == plan && $7 == "warm" }
	$1 == "burns" { ok += $5 >= 1 && $6 >= 1 && $6 <= 5 && $7 == "warm" }
	$1 == "fills" { ok += $6 == 0 && $7 == "cold" }
	END { exit ok != 4 || NR != 4 }' "$work/times" && ran 0 "$((plan + 2)) passed, 0 failed, 0 skipped"
result $? "what each part took, of both sets"

status=0
"$run" --kernel >"$work/out" 2>&1 || status=$?
ran 0 "$((plan + 2)) passed, 0 failed, 0 skipped" && grep -qE '^BAR test_kernel_cold 0\.[0-9] minutes 25 ok$' "$work/out"
result $? "a set that had to fill a cache has the bar for that"

# What runs when test.sh is told to end: for a moment, one more of the last part.
"$run" shell-hangs >"$work/out" 2>&1 &
pid=$!
for _ in $(seq 100); do
	! pgrep -f "sleep $LONG" >/dev/null || break
	sleep 0.1
done
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
for _ in $(seq 200); do
	pgrep -f "sleep $LONG" >"$work/left" || break
	sleep 0.1
done
cat "$work/left" >>"$work/out"
[ "$status" = 143 ] && [ ! -s "$work/left" ]
result $? "nothing of it runs when it is over"

cat >"$copy/lib/parts.sh" <<'PARTS'
parts=("first tap 1")
kernel_parts=("first tap 1" "second check 1")
part_first() { printf '# selftests: grtrace: slow_test\n# ok 1 a\n'; sleep 2; printf 'ok 1 selftests: grtrace: slow_test\n# quick.t\n1..1\n'; }
part_second() { :; }
PARTS
status=0
"$run" --all >"$work/out" 2>&1 || status=$?
ran 0 "2 passed, 0 failed, 0 skipped" && grep -qE '^BAR test_all_warm 0\.[0-9] minutes 16 ok$' "$work/out" &&
	grep -qx 'BAR test_all_skipped 0 of 40 ok' "$work/out"
result $? "both sets at once have the bar of both, and of empty caches none"
grep -qE '^    first +slow_test +[2-9]$' "$work/out" && ! grep -q quick.t "$work/out"
result $? "what took long is named"

# A second is how long one look at the output lasts: reading lines of this length, byte
# by byte, takes until after its end.
long="$(head -c 60000 /dev/zero | tr '\0' x)"
for at in 0.85 0.90 0.95 0.98; do
	# shellcheck disable=SC2016
	"$copy/test/limit.sh" 20 part -- sh -c 'sleep "$1"; printf "ok 1 %s\n" "$2"' sh "$at" "$long" >"$work/at.$at" &
	# shellcheck disable=SC2016
	"$copy/test/limit.sh" 20 part -- sh -c 'sleep "$1"; printf "ok 1 %s\n" "$2"' sh "$at" "$long" >"$work/again.$at" &
done
wait
cat "$work"/at.* "$work"/again.* | cut -c -60 >"$work/out"
[ "$(cat "$work"/at.* "$work"/again.* | grep -cx "ok 1 $long")" = 8 ]
result $? "a line that is being read when its writer ends is read to its end"

# Each command that "make help" lists is a rule that runs something.
make -s -C "$here/../.." help | sed -n 's/^make \([a-z-]*\).*/\1/p' | sort -u >"$work/targets"
: >"$work/out"
while read -r target; do
	case "$(make -n -C "$here/../.." "$target" 2>/dev/null)" in
	*scripts/grtrace*|*'rm '*) ;;
	*) echo "make $target: nothing" >>"$work/out" ;;
	esac
done <"$work/targets"
[ "$(wc -l <"$work/targets")" -gt 10 ] && [ ! -s "$work/out" ]
result $? "each command of make help does something"

plan
