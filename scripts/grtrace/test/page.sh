#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the page of "grtrace report --html" in a headless Chromium: it opens, zooms,
# finds and shows jobs, sums up a chosen time as the report does, has room in narrow and
# wide windows and names for a screen reader, prints nothing on the console, and opens no
# connection. Prints TAP; screenshots and pages are in out/page.
#
# Usage: page.sh [JOBS]
#
#   JOBS  of the large page (1000000)
. "$(dirname "$0")/../lib/use.sh" report
options '' "$@"
jobs="${1:-1000000}"

if ! "$here/deps.sh" browser; then
	printf "1..1\nok 1 - page # SKIP no Chromium could be installed on this machine\n"
	exit
fi
tests="$checkout/tools/grtrace/tests"
out="$checkout/out/page"
"$here/tools.sh" synth workload >&2
build="$("$here/tools.sh")"
rm -rf "$out"
mkdir -p "$out"
cd "$out"

# page NAME CAPTURE...
page() { "$build/grtrace" report --html "$1.html" "${@:2}" >"$1.txt" 2>&1; }
# synth NAME FILE, workload NAME OPTION...: a capture that these programs make, and its page.
synth() { "$build/synth" "$2" "$1"; page "$1" "$1"; }
workload() { "$build/workload" "${@:2}" "$1" 2>&1; page "$1" "$1"; }

synth two "$tests/fixtures/two_cpus.txt"
synth stages "$tests/fixtures/stages.txt"
awk -f "$tests/fixtures/spread.awk" | synth spread -
"$build/synth" "$tests/fixtures/loss.txt" loss
page both two loss
workload busy --jobs 3000 --depend 200 --wait 100 --fail 10 --processes 6
workload lanes --jobs 2000 --depend 100 --out-of-order --processes 5
workload lossy --jobs 3000 --depend 100 --drop 5 --overwrite 20 --subbuf 8192 --out-of-order
python3 -B "$tests/cli/planted.py" hang 1 hang.txt
synth hang hang.txt
# Two GPUs, one of which reports no START.
for file in "$tests"/captures/demo-7.3/*.xz; do
	rest="${file##*/x}"
	xz -dc "$file" >"demo${rest%.xz}"
done
page demo demo
# Jobs that stand for several, and one that is still on its ring at the end.
synth sampled - <<'FIXTURE'
cpu 0
ring id=1 class=1 device=card0 name=gfx
ring id=2 class=3 device=card0 name=copy
sampling 4
submit pid=7 ctx=1 ring=1 seqno=1 ts=1000
start ctx=1 ring=1 seqno=1 ts=2000
end ctx=1 ring=1 seqno=1 ts=5000
complete ctx=1 ring=1 seqno=1 arg=-5 ts=5000
submit pid=7 ctx=2 ring=2 seqno=1 ts=1000
start ctx=2 ring=2 seqno=1 ts=3000
submit pid=7 ctx=1 ring=1 seqno=2 ts=90000
FIXTURE
"$build/grtrace" report --groups-csv sampled.csv sampled >sampled.groups.txt 2>&1
# A name has 16 bytes at most, a ring's 32.
synth hostile - <<'FIXTURE'
cpu 0
task pid=7 comm=</script><b>&"'
ring id=1 class=1 device=</title><b>x name=<img/src=x/onerror=pwned=1>
submit pid=7 ctx=1 ring=1 seqno=1 ts=1000
start ctx=1 ring=1 seqno=1 ts=2000
end ctx=1 ring=1 seqno=1 ts=9000
FIXTURE
# A finished recording without its end, and a task to blame.
synth ended - <<'FIXTURE' || [ $? = 1 ]	# it is damaged
cpu none
meta state stopped
cpu 0
ring id=1 class=1 device=card0 name=gfx
submit pid=7 ctx=1 ring=1 seqno=1 ts=1000
start ctx=1 ring=1 seqno=1 ts=2000
error ctx=1 ring=1 seqno=1 kind=1 code=-62 guilty=71 comm=<b>game ts=8000
end ctx=1 ring=1 seqno=1 ts=9000
complete ctx=1 ring=1 seqno=1 arg=-62 ts=9000
FIXTURE
synth mad - <<'FIXTURE'
cpu 0
submit ctx=1 ring=1 seqno=1 ts=0
end ctx=1 ring=1 seqno=1 ts=18446744073709551000
submit ctx=18446744073709551615 ring=70000 seqno=4294967295 ts=5
FIXTURE
workload big --jobs "$jobs" --depend 50 --wait 50 --fail 1 --processes 12 --rings 4
rm -f ./*.grtrace.*
status=0
python3 "$tests/page/page_test.py" . . || status=$?
# The pages remain for a look, except for the large one.
rm -f big.html
exit "$status"
