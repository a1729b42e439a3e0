#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The test runner: its result does not depend on how it was started, a test that takes
# too long is ended and named, and a test without a result has failed. The test uses small
# parts of its own instead of the file "parts", in a copy whose path has a space.
. "$(dirname "$0")/../../lib/use.sh" result
set +e
chmod 755 "$work"
shows "$work/out"
# A sleep that does not end, with a number of its own.
export LONG=$((100000 + $$))

# A part that waits for what nohup, a terminal, a shell's background or a locale could
# take away; parts in each of the languages that hang or take long; parts that show
# nothing.
copy="$work/a checkout/scripts/grtrace"
mkdir -p "$copy/test"
cp -r "$here/lib" "$copy"
cp -r "$here/test/test.sh" "$here/test/parts.py" "$here/test/quick.py" "$here/test/limit.py" "$here/test/cases" "$copy/test"
cat >"$copy/test/skips" <<'LIST'
allowed-skips  -  b  no device
only-skips     -  *  no device
LIST
cat >"$copy/test/parts" <<'PARTS'
# a comment
every every-set    tap   1 30 first  toy real
user manner        tap   1 30 main   toy manner
user beside        check 1  0 beside toy beside
developer shell-hangs   tap   1 2 main toy shell-hangs
developer c-hangs       tap   1 2 main toy c-hangs
developer gtest-hangs   gtest 1 2 main toy gtest-hangs
developer python-hangs  tap   1 2 main toy python-hangs
developer leaves        tap   1 2 main toy leaves
developer allowed-skips tap   1 0 main toy allowed-skips
developer unknown-skips tap   1 0 main toy unknown-skips
developer only-skips    tap   1 0 main toy only-skips
developer nothing       tap   1 0 main toy nothing
developer bars          tap   1 0 main SAID="# BAR rate 0.92 M/s 1 short" \
	toy said
developer bars-and-more check 1 0 main SAID="BAR rate 1.2 M/s 1 ok" toy said
kernel burns       check 1  0 main   toy burns
kernel fills       check 1  0 main   toy fills
debug main-1       check 1  0 main   toy at_once main
debug main-2       check 1  0 main   toy at_once main
debug beside-1     check 1  0 beside toy at_once
debug slow         tap   1  0 beside toy slow
debug another      check 1  0 beside toy beside
PARTS
cat >"$copy/toy" <<'TOY'
#!/bin/bash
case "$1" in
# however busy the machine is: ended after two seconds of a processor
burns) ! sh -c 'ulimit -c 0; ulimit -t 2; while :; do :; done' ;;
fills)
	XDG_CACHE_HOME="$(mktemp -d)"
	. "${0%/*}/lib/cache.sh"
	cache_entry "$CACHE/a/b" touch ;;
real) printf '1..2\nok 1 a\nok 2 b\n' ;;
manner)
	# A program that keeps a signal ignored, as it should, waits for ever.
	sleep 60 &
	kill -HUP $!
	wait $!
	echo 1..6
	for signal in HUP INT QUIT PIPE TERM; do
		( exec sh -c 'kill -"$1" $$' sh "$signal" ) && printf 'not '
		echo "ok $signal"
	done
	[ "$(printf %.1f 1.5) $(readlink /proc/self/fd/0)" = "1.5 /dev/null" ] && ! : 2>/dev/null </dev/tty ||
		printf 'not '
	echo "ok number, input and terminal" ;;
shell-hangs) sh -c 'echo 1..2; echo ok 1 first; echo "# half way"; setsid sleep "$1"' sh "$LONG.1" ;;
c-hangs) printf '# 1..1\n# #  RUN           fixture.test ...\n# # half way\n'; sleep $LONG.2 ;;
gtest-hangs) printf '[==========] Running 1 test from 1 test suite.\n[ RUN      ] Suite.test\nhalf way\n'; sleep $LONG.3 ;;
python-hangs)
	python3 -uc '
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("1..1\n# half way")
time.sleep(1e9)' ;;
leaves) echo 1..1; echo ok 1; sleep $LONG.5 & ;;
allowed-skips) printf '1..2\nok 1 a\nok 2 b # SKIP no device\n' ;;
unknown-skips) printf '1..2\nok 1 a\nok 2 b # SKIP the module cannot be loaded\n' ;;
only-skips) printf '1..1\nok 1 a # SKIP no device\n' ;;
nothing) echo 1..0 ;;
said) printf '%s\n' "$SAID" 1..1 'ok 1 a' ;;
slow) printf '# selftests: grtrace: slow_test\n# ok 1 a\n'; sleep 2; printf 'ok 1 selftests: grtrace: slow_test\n# quick.t\n1..1\n' ;;
beside) sleep 0.2 ;;
at_once)
	# Two of "main" are never at work together; a third one is beside them.
	mkdir "${0%/*}/at_work${2:-}" || exit
	for _ in $(seq 100); do
		! ls "${0%/*}/at_work" "${0%/*}/at_workmain" >/dev/null 2>&1 || touch "${0%/*}/together"
		sleep 0.01
	done
	rmdir "${0%/*}/at_work${2:-}" ;;
esac
TOY
chmod 755 "$copy/toy"

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
small=(every-set manner beside)
all="9 passed, 0 failed, 0 skipped"

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

ends "a bar that is short" bars '# BAR rate 0.92 M/s 1 short' '1 passed, 1 failed, 0 skipped'
status=0
"$run" bars-and-more >"$work/out" 2>&1 || status=$?
ran 0 '1 passed, 0 failed, 0 skipped'
result $? "a bar that is met is no failure"

# A part that this program itself cannot run, as the list of skips is missing.
mv "$copy/test/skips" "$copy/test/kept"
ends "a part that was lost" beside '0 passed, 1 failed, 0 skipped'
mv "$copy/test/kept" "$copy/test/skips"

status=0
"$run" --kernel >"$work/out" 2>&1 || status=$?
awk -F, '
	NR == 1 { ok = $0 == "part,passed,failed,skipped,seconds,cpu_seconds,cache" }
	$1 == "burns" { ok += $5 >= 1 && $6 >= 1 && $6 <= 5 && $7 == "warm" }
	$1 == "fills" { ok += $6 == 0 && $7 == "cold" }
	END { exit ok != 3 || NR != 4 }' "$copy/../../out/test/times.csv" && ran 0 "4 passed, 0 failed, 0 skipped" &&
	! grep -q ^BAR "$work/out"
result $? "what each part took, and whether it had to fill a cache"

# The processes when test.sh is asked to end: for a moment, one more of the last part.
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

status=0
"$run" --debug >"$work/out" 2>&1 || status=$?
ran 0 "7 passed, 0 failed, 0 skipped" && [ -e "$copy/together" ]
result $? "two parts at a time, of which no two are of main"
grep -qE '^    slow +slow_test +[2-9]$' "$work/out" && ! grep -q quick.t "$work/out"
result $? "what took long is named"

# with FROM TO MINUTES: the table with another word, and the bars of the set that has it.
with() {
	sed -i "s/^$1 /$2 /" "$copy/test/parts"
	status=0
	"$run" ${3:+"$3"} >"$work/out" 2>&1 || status=$?
	[ "$status" = 0 ] && [ "$(grep -c ^BAR "$work/out")" = 2 ] && grep -qE "^BAR $4 0\.[0-9] minutes $5 ok$" "$work/out" &&
		grep -qx "BAR ${4%_*}_skipped 0 of 40 ok" "$work/out"
}
sed -i '/^developer bars /,/said$/d; /^developer/d' "$copy/test/parts"
with user user "" test_warm 8
result $? "what users run has its bars"
with kernel kernel --all test_all_warm 20
result $? "all has other ones"
sed -i '/ burns /d' "$copy/test/parts"
with kernel kernel --all test_all_cold 70
result $? "and others where at least half of the work was to fill a cache"

# A second is how long one look at the output lasts: reading lines of this length, byte
# by byte, takes until after its end.
long="$(head -c 60000 /dev/zero | tr '\0' x)"
for at in 0.85 0.90 0.95 0.98; do
	# shellcheck disable=SC2016
	"$copy/test/limit.py" 20 part -- sh -c 'sleep "$1"; printf "ok 1 %s\n" "$2"' sh "$at" "$long" >"$work/at.$at" &
	# shellcheck disable=SC2016
	"$copy/test/limit.py" 20 part -- sh -c 'sleep "$1"; printf "ok 1 %s\n" "$2"' sh "$at" "$long" >"$work/again.$at" &
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
