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
mkdir -p "$to/decoder"

# of_hex FILE: without what stands behind a #.
of_hex()
{
	perl -ne 's/#.*//; s/\s+//g; print pack "H*", $_' "$1"
}

for fixture; do
	name=$(basename "$fixture" .txt)
	: > "$to/decoder/$name"
	"$O/synth" --stream "$fixture" "$to/decoder/$name"
done

for file in "$here"/corpus/*/*; do
	fuzzer=$(basename "$(dirname "$file")")
	mkdir -p "$to/$fuzzer"
	case "$file" in
	*.hex) of_hex "$file" > "$to/$fuzzer/$(basename "$file" .hex)" ;;
	*) cp "$file" "$to/$fuzzer/" ;;
	esac
done
