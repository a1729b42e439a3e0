#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The pages: each option that a command in them has is one of the word; each command is
# run, here on captures with the output that the page shows, or in a guest, or is on a
# list with the reason why it is not.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

pages=$here/../../../../Documentation/gpu/grtrace
abi=$pages/../../ABI/testing/debugfs-grtrace
if [ ! -d "$pages" ]; then
	echo "1..0 # SKIP the pages are not here"
	exit 0
fi
# capture NAME STORED: one of those that are stored, by the name that pages use.
capture()
{
	for file in "$here/../captures/$2"/*.xz; do
		rest=${file##*/x}
		xz -dc "$file" > "$1${rest%.xz}"
	done
}
for name in game all base mine guest hang check boot; do
	capture $name demo-7.3
done
# A capture of another boot, which began earlier.
for name in new host stuck; do
	capture $name demo-6.12
done
# A trace by another program.
xz -dc "$here/../foreign/6.12/trace.txt.xz" > trace.txt
# A session and the ioctls of the same time.
printf '%s\n' 'cpu none' 'info start=1000 real=1000001000 boot=1' 'ring id=1 name=gfx device=card0' 'cpu 0' \
	'task ts=1500 pid=7 tgid=6 comm=game' 'submit ts=4050 pid=7 ctx=5 ring=1 seqno=1' | "$synth" - gpu
printf '%s\n' 'session 0xabc' 'cpu none' 'info start=3000 real=1000003000 boot=1' 'cpu 0' \
	'task ts=3500 pid=7 tgid=6 comm=game' 'ioctl ts=4100 pid=7 cmd=0xc00c64b2 duration=100' \
	'complete ts=7000 ctx=5 ring=1 seqno=1' | "$synth" - calls
PATH=$build:$PATH
ln -s "$here/../../../../tools" tools
LC_ALL=C.UTF-8
readme=$here/../../../../README.md
# In the kernel's tree that is another file.
grep -q '^# grtrace$' "$readme" 2> err && pages_and_readme=$readme
for page in "$pages"/*.rst ${pages_and_readme:-}; do
	check "$(basename "$page")" 0 '' python3 -B "$here/pages.py" "$page"
done

check "keys: defaults and ranges are those of config --help" 0 '^29 keys$' \
	python3 -B "$here/pages.py" --keys "$abi"
check "the exit statuses of diff" 0 '^6 exit statuses$' python3 -B "$here/pages.py" --exits "$pages/ci.rst" diff
check "the monitors" 0 '^6 are the same$' \
	python3 -B "$here/pages.py" --same "$pages/monitors.rst" '^([a-z0-9-]+)\n\t' monitor '^  ([a-z0-9-]+) +[a-z]'
# shellcheck disable=SC2016 # they are the page's
check "the formats of export" 0 '^7 are the same$' \
	python3 -B "$here/pages.py" --same "$pages/export.rst" '--to ([a-z-]+)' export '^  ([a-z-]+) +[A-Za-z]'

# Mistakes that it has to see.
# shellcheck disable=SC2016 # they are the page's
printf 'A page, with ``--nosuch``::\n\n\t$ grtrace report --no-such game\n' > option.rst
on out check "an option that a word lacks is found" 1 'report has no --no-such' python3 -B "$here/pages.py" option.rst
grep -q 'no word has --nosuch' out
result $? "in the text, too"
printf 'A page::\n\n\t$ grtrace report game\n\tgame: 1 s\n' > shown.rst
on out check "an output that is another is found" 1 'does not print "game: 1 s"' python3 -B "$here/pages.py" shown.rst
# shellcheck disable=SC2016 # they are the page's
printf 'A page: ``grtrace verify game``.\n' > inline.rst
check "a command of the text runs, too" 0 '1 commands ran' python3 -B "$here/pages.py" inline.rst
printf 'A page::\n\n\t$ grtrace verify nothing\n' > fails.rst
on out check "a command that fails is found" 1 'exit status 1' python3 -B "$here/pages.py" fails.rst
printf 'A page::\n\n\t# grtrace record -o x -- true\n' > none.rst
on out check "a command that no test runs is found" 1 'is run by no test' python3 -B "$here/pages.py" none.rst
printf 'Nothing.\n' > hang.rst
on out check "and a row of the list that is not needed" 1 'dmesg >hang.dmesg" is in pages.txt, but not in' \
	python3 -B "$here/pages.py" hang.rst
sed '/^\t0) echo passed/s/passed/fine/' "$pages/ci.rst" > script.rst
on out check "a script that is another is found" 1 'its script is not ci_gate.sh' python3 -B "$here/pages.py" script.rst
sed '/\tburst  /{s/0 /1 /;n;s/1/2/;}' "$abi" > changed
on out check "a wrong default is found" 1 'burst: the default is 0, not 1' python3 -B "$here/pages.py" --keys changed
on out check "a wrong range is found" 1 'burst: 100000000 is missing' python3 -B "$here/pages.py" --keys changed
sed '/^5  /d' "$pages/ci.rst" > exits.rst
on out check "a missing exit status is found" 1 'but diff has' python3 -B "$here/pages.py" --exits exits.rst diff
finish
