#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The table of delays in grtrace report. The truth tests compute whether it is
# true.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

report()
{
	"$grtrace" report "$@"
}

"$synth" "$fixtures/delays.txt" two
"$synth" "$fixtures/two_cpus.txt" alone

# Tables
check "a ring that is shared" 0 '^Who delayed whom on card0 gfx: ' report --full two
check "its matrix" 0 '^VICTIM +JOBS +WAIT BY OTHERS +itself +ollama +no job$' report --full two
check "delayed by another" 0 '^glxgears \(690\) +1 +2\.095 ms +100\.0 % +- +2\.095 ms +-$' report --full two
check "delayed by itself" 0 '^ollama \(712\) +2 +98\.000 us +0\.0 % +97\.000 us +- +1\.000 us$' report --full two
check "and the proof" 0 '^  glxgears \(690\) 5:1 waited 2\.095 ms at 0\.000005000 s, 2\.095 ms of it for ollama \(712\): 7:2 ran$' \
	report --full two
absent "no ring of one process" 'whom on card1'
check "all rings with --delays" 0 '^Who delayed whom on card1 gfx: ' report --delays two
check "blocked by a fence" 0 '6:1 waited .*, 94\.000 us of it for ollama \(712\): 7:1 blocked it$' \
	report --delays two
absent "nothing else then" '^Stages'
check "--proofs" 0 'whom on card0' report --delays --proofs 0 two
absent "no jobs" ' waited '
check "nobody shares a ring" 0 '^Stages' report --full alone
absent "no matrix" 'Who delayed'

# A name as long as they get, in front of figures that end where others do.
sed 's/^\(.*\)glxgears/\1chromium-browse/; s/\<690\>/4194303/g' "$fixtures/delays.txt" > long.txt
"$synth" long.txt long
check "a long name" 0 '^chromium-browse \(4194303\) ' report --full long
ends=$(sed -n '/^VICTIM/,/^ollama/p' out | sed 's/ *$//' | awk 'NR != 2 { print length($0) }' | uniq | wc -l)
[ "$ends" = 1 ]
result $? "moves no figure"

# CSV
check "header" 0 '^dev,ring,victim_tgid,victim,kind,culprit_tgid,culprit,ns,jobs,touched,ctx,seqno,submit_ts,wait,part,culprit_ctx,culprit_seqno,how$' \
	report --delays-csv - two
check "a cell" 0 '^card0,gfx,690,glxgears,process,712,ollama,2095000,1,0,5,1,1005000,2095000,2095000,7,2,ran$' \
	report --delays-csv - two
check "nobody's" 0 '^card1,gfx,690,glxgears,nobody,NA,NA,2000,1,0,6,1,1007000,96000,2000,NA,NA,NA$' \
	report --delays-csv - two
check "cards of one model are two" 0 '^card1,gfx,690,glxgears,process,712,ollama,94000,1,0,6,1,1007000,96000,94000,7,1,blocked$' \
	report --delays-csv - two
report --delays-csv cells.csv two > tables 2> err
[ "$(wc -l < cells.csv)" = 7 ] && grep -q Records: tables
result $? "--delays-csv FILE"

# Wrong usage
check "bad --proofs" 2 '--proofs wants' report --proofs x two
check "two on stdout" 2 'only one of --csv' report --csv - --delays-csv - two
check "disk full" 1 'cannot write' report --delays-csv /dev/full two
check "--help" 0 '--delays-csv FILE' report --help

finish
