#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The files that the packages install for systemd: units, and the export of an incident.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

service=$here/../../service
mkdir units dir bin
ln -s "$grtrace" bin/grtrace
PATH=$work/bin:$PATH

# Programs in place of those that the packages install.
for unit in "$service"/*.service "$service"/*.path; do
	sed "s|/usr/bin/grtrace|$work/bin/grtrace|; s|/usr/libexec/grtrace/|$service/|; s|/sbin/modprobe|/bin/true|" \
		"$unit" > "units/$(basename "$unit")"
done
if has_program "the units are right" systemd-analyze; then
	check 'the units are right' 0 '' systemd-analyze verify --man=no units/*.service units/*.path
	[ ! -s out ] && [ ! -s err ]
	result $? 'without a warning'
fi
# All that they give to grtrace, with an option at the end that reads nothing.
options=$(sed -n 's/^Environment=LIMITS="\(.*\)" TRIGGERS="\(.*\)"/\1 \2/p' "$service/grtrace-record.service")
# shellcheck disable=SC2086 # they are words
check 'the options exist' 0 'Usage: grtrace record' "$grtrace" record --source relay $options \
	-D /nowhere -o flight --help
check 'there are some' 0 '--keep' echo "$options"

for name in flight.snapshot flight.snapshot.2; do
	"$synth" "$fixtures/sampling.txt" "dir/$name"
	touch -d '2026-03-02 10:20:30' "dir/$name".grtrace.*
done
: > dir/flight.000001.grtrace.0
check 'incidents are exported' 0 '' "$service/grtrace-incidents" dir
printf '%s\n' 20260302-102030-again.csv 20260302-102030.csv > want
(cd dir/incidents && ls ./*.csv) | sed 's|^./||' | sort > got
same 'to rows' got want
check 'of a fleet' 0 '^host,boot,' head -n 1 dir/incidents/20260302-102030.csv
check 'beside the capture' 0 'Records: ' "$grparse" -i dir/incidents/20260302-102030
check 'once' 0 '^flight.000001.grtrace.0 incidents $' sh -c 'ls dir | tr "\n" " "'
check 'then there is none' 0 '' "$service/grtrace-incidents" dir
echo rubbish > dir/flight.snapshot.grtrace.0
check 'one that is damaged fails' 1 '' "$service/grtrace-incidents" dir
check 'once' 0 '' "$service/grtrace-incidents" dir
check 'no folder' 2 "can't cd" "$service/grtrace-incidents" nowhere
finish
