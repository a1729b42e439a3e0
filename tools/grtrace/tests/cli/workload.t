#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Simulated GPUs, from the program that simulates them to both that read.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
workload=$build/workload

on err check "a file for each CPU" 0 '^[1-9][0-9]* records, [0-9]+ bytes, 0 lost, 0 overwritten$' \
	"$workload" --jobs 500 --cpus 2 --truth truth.csv files
read -r records _ < err
[ "$(echo files.grtrace.*)" = "files.grtrace.0 files.grtrace.1" ]
result $? "named by CPU"
check "all jobs are found" 0 '^Jobs: 500 seen, 0 incomplete, 0 begun' "$grtrace" report --full files
[ "$(wc -l < truth.csv)" = 501 ]
result $? "and are in the truth"
"$grparse" -q -f '%a\n' files > lines 2> err
[ "$(wc -l < lines)" -gt 3000 ] && [ "$(wc -l < lines)" -lt "$records" ]
result $? "every event is a line, but no table is"

"$workload" --jobs 500 --cpus 2 --stream - > stream 2> err
"$grparse" -q -f '%a %x:%S\n' stream > one
"$grparse" -q -f '%a %x:%S\n' files > two
same "one stream tells the same" one two

"$workload" --jobs 2000 --drop 50 lossy 2> err
check "records lost are told" 3 '^Lost: [1-9]' "$grtrace" report --full --strict lossy
check "an unknown option" 2 '^usage: workload' "$workload" --what 1 name
check "no name" 2 '^usage: workload' "$workload" --jobs 1
check "a folder that is not there" 1 'cannot write none/name' "$workload" none/name
finish
