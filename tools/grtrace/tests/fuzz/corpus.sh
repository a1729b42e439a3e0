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
mkdir -p "$to/decoder" "$to/export" "$to/merge"
formats=7 # of export
number=0

# of_hex FILE: without what stands behind a #.
of_hex()
{
	perl -ne 's/#.*//; s/\s+//g; print pack "H*", $_' "$1"
}

for fixture; do
	name=$(basename "$fixture" .txt)
	: > "$to/decoder/$name"
	"$O/synth" --stream "$fixture" "$to/decoder/$name"
	# In one format or another, and merged with itself.
	number=$((number + 1))
	printf '%02x' $((number % formats)) | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" > "$to/export/$name"
	printf '80%016x' 0 | perl -ne 'print pack "H*", $_' |
		cat - "$to/decoder/$name" "$to/decoder/$name" > "$to/merge/$name"
done

for file in "$here"/corpus/*/*; do
	fuzzer=$(basename "$(dirname "$file")")
	mkdir -p "$to/$fuzzer"
	case "$file" in
	*.hex) of_hex "$file" > "$to/$fuzzer/$(basename "$file" .hex)" ;;
	*) cp "$file" "$to/$fuzzer/" ;;
	esac
done
