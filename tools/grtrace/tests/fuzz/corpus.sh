#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The fuzzers' corpora, into $O/corpus/FUZZER/NAME.
#
#	corpus.sh FIXTURE...
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=$O/corpus

rm -rf "$to"
mkdir -p "$to/decoder" "$to/diff" "$to/export" "$to/merge" "$to/splitter"
formats=7 # of export
number=0

# of_hex FILE: without what comes after a #.
of_hex()
{
	perl -ne 's/#.*//; s/\s+//g; print pack "H*", $_' "$1"
}

for fixture; do
	name=$(basename "$fixture" .txt)
	: > "$to/decoder/$name"
	"$O/synth" --stream "$fixture" "$to/decoder/$name"
	# In one format or another, beside itself in one way or another, merged with
	# itself, and in pieces of 8 and 100.
	number=$((number + 1))
	printf '%02x' $((number % formats)) | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" > "$to/export/$name"
	printf '80%02x' $((1 << number % 8)) | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" "$to/decoder/$name" > "$to/diff/$name"
	printf '80%016x' 0 | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" "$to/decoder/$name" > "$to/merge/$name"
	printf '020763' | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" > "$to/splitter/$name"
done

# The beginnings of stored captures: the fuzzers are the slower, the longer their inputs are.
for file in "$here"/../captures/*/*.grtrace.*; do
	xz -dcf "$file" 2> "$to/err" | head -c 4096 \
		> "$to/decoder/$(basename "$(dirname "$file")")-$(basename "$file" .xz)"
done
rm "$to/err"
mkdir "$to/analysis"
cp "$to"/decoder/* "$to/analysis"

# Enough jobs for an interval, and one of centuries.
{
	printf '%s\n' 'cpu none' 'info start=1' 'ring id=1 name=gfx' 'cpu 0' \
		'submit ts=1 ctx=1 ring=1 seqno=33'
	for job in $(seq 32); do
		printf '%s ctx=1 ring=1 seqno='"$job"'\n' submit complete
	done
	printf '%s\n' packet 'complete ts=18446744073709551613 ctx=1 ring=1 seqno=33'
} | "$O/synth" --stream - "$to/jobs"
printf '8089' | perl -ne 'print pack "H*", $_' |
	cat - "$to/jobs" "$to/jobs" > "$to/diff/jobs"
rm "$to/jobs"

for file in "$here"/corpus/*/*; do
	fuzzer=$(basename "$(dirname "$file")")
	mkdir -p "$to/$fuzzer"
	case "$file" in
	*.hex) of_hex "$file" > "$to/$fuzzer/$(basename "$file" .hex)" ;;
	*) cp "$file" "$to/$fuzzer/" ;;
	esac
done
