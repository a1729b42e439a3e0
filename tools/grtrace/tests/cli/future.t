#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Captures of a later version: a reader skips some of it, refuses other parts, and
# shows unknown types by numbers.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

"$synth" - future << END
cpu none
info start=0 cpus=2 features=0x80000080
meta event 20 evict EV 48
meta class 9 npu
ring id=1 class=9 device=card0 name=npu0
cpu 0
unknown type=20 size=48
submit ctx=1 ring=1 seqno=1
complete ctx=1 ring=1 seqno=1
cpu 1
packet
info start=0 cpus=2 features=0x80000080
unknown type=21 size=48
END

# Features
for word in "$grparse" "$grtrace report --full" "$grtrace export --to csv"; do
	# shellcheck disable=SC2086
	on err check "${word##*/}: goes on without a feature" 0 'does not know and ignores: bit 7, bit 31$' $word future
	[ "$(grep -c 'bit 31' err)" = 1 ]
	result $? "${word##*/}: and says so once"
done
check "verify: a note" 0 'does not know \(bit 7, bit 31\).*\[note bad-value\]$' "$grtrace" verify future
[ "$(grep -c 'bit 31' both)" = 1 ]
result $? "verify: once"
printf 'cpu none\ninfo start=0 features=0x80000080\n' | "$synth" - one
check "verify: in the only STREAM_INFO" 0 'does not know \(bit 7, bit 31\).*\[note bad-value\]$' \
	"$grtrace" verify one
for word in "$grparse" "$grtrace report --full" "$grtrace export --to csv" "$grtrace verify"; do
	where=err
	[ "${word##* }" != verify ] || where=out
	# shellcheck disable=SC2086
	on $where check "${word##*/}: refuses what it has to know" 1 \
		'features that a reader has to know, and this program does not \(bit 40\)' \
		$word -D "$here/../captures/truth-known-features" x
	[ "$(grep -c 'bit 40' both)" = 1 ]
	result $? "${word##*/}: once"
done
refused="-D $here/../captures/truth-known-features x"
# Figures would look as if nothing had happened.
for word in "$grparse" "$grtrace report" "$grtrace report --full" "$grtrace report --json -" \
	"$grtrace timeline" "$grtrace timeline --jobs" "$grtrace timeline --latency-only"; do
	# shellcheck disable=SC2086
	run $word $refused
	[ "$code" = 1 ] && [ ! -s out ]
	result $? "${word##*/}: prints no figures"
done
for format in csv json text perfetto sqlite ctf; do
	# shellcheck disable=SC2086
	check "export --to $format: refuses it" 1 '\(bit 40\)' "$grtrace" export --to $format -o nothing $refused
	[ ! -e nothing ]
	result $? "export --to $format: leaves nothing"
	rm -rf nothing
done
# nothing WORD...: it prints and leaves nothing but the error.
nothing()
{
	run "$@"
	[ "$code" = 1 ] && [ ! -s out ] && [ ! -e nothing ] &&
		[ "$(grep -vc 'does not know and ignores: ' err)" = 1 ]
	result $? "${1##*/} $2: nothing but the error"
	rm -f nothing
}
# shellcheck disable=SC2086
nothing "$grtrace" explain 1:1 $refused
nothing "$grtrace" diff "$here/../captures/truth-known-features/x" "$PWD/future"
nothing "$grtrace" diff "$PWD/future" "$here/../captures/truth-known-features/x"
for output in --html --csv --json -o; do
	# shellcheck disable=SC2086
	nothing "$grtrace" report $output nothing $refused
done
# shellcheck disable=SC2086
"$grtrace" report --html page $refused "$PWD/future" > out 2> err
code=$?
[ "$code" = 1 ] && grep -q future page && ! grep -q truth-known-features page
result $? "a page of what is beside it"
printf 'cpu none\ninfo start=0 features=0x20000000000001\n' | "$synth" - bits
on out check "bits that no double has, beside another" 1 '"capture":"bits",.*"features":"9007199254740993"' \
	"$grtrace" export --to json bits future
# shellcheck disable=SC2086
on out check "one beside it is exported" 1 '^future,' "$grtrace" export --to csv --rows events $refused "$PWD/future"

# Names
check "an unknown event by its letter" 0 '^EV evict, of type 20, which this program does not know, 48 bytes$' \
	"$grparse" -q -f '%a %m\n' future
check "without one, by its number" 0 '^\? record of unknown type 21, 48 bytes$' \
	"$grparse" -q -v -f '%a %m\n' future
check "and then only where it is asked for" 0 '^EV' "$grparse" -q -f '%a %m\n' future
absent "it is not" 'unknown type 21'
check "by its name" 0 '(^|,)evict,EV,' "$grtrace" export --to csv --rows events future
check "an unknown class" 0 '^Ring 1 npu0 \(card0, npu\)' "$grparse" -s future
check "it can be chosen" 0 '^Ring 1 npu0 ' "$grparse" -s --engine npu future
check "or another, of which there is no ring" 2 '--engine copy: not in the capture; .*: card0/npu0 \(1, npu\)$' \
	"$grparse" --engine copy future
check "to JSON" 0 '"engine":"npu"' "$grtrace" export --to json future
check "to SQLite" 0 '' "$grtrace" export --to sqlite -o x.db future
[ "$(python3 -c 'import sqlite3
base = sqlite3.connect("x.db")
print(*base.execute("SELECT type, letter FROM event_row ORDER BY id LIMIT 1").fetchone(),
      *base.execute("SELECT engine FROM ring").fetchone())')" = "evict EV npu" ]
result $? "by their names, too"
check "a copy" 0 '' "$grparse" -q -O -d copy future
"$grparse" -q -f '%a\n' copy > out 2> err
grep -qx EV out
result $? "keeps the names"

finish
