#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writes the patch series as mails for git send-email: a folder for each mailing, 0 to 4,
# and in it one for each thread, with a cover letter where it has more than one mail and
# the recipients that get_maintainer.pl names (git send-email has --to and --cc for more).
# The sender is git's user.name and user.email.
#
# Usage: series.sh [options] [BASE]
#        series.sh --check [BASE]
#
#   BASE             7.3 (default; a newer one when Debian has it), 6.12 for the
#                    backport, or a kernel source tree
#   -v N             version N; the file "changelog" in the folder of the patches has
#                    the changes since the previous version
#   --previous DIR   the mails of the version before, for a range-diff
#   --rfc            all as RFC PATCH; the table names threads that always are
#   --signoff        with your Signed-off-by, which the kernel requires of the sender
#   --trailer TEXT   a line "Name: value" for each patch, before the Signed-off-by
#   --statement FILE the sender's own statement, for the letters
#   --base COMMIT    the commit that the patches are for (default: what the file
#                    base-commit beside the patches says)
#   --thread M/T     only this thread of the mailing M, or all of M
#   -o DIR           where the mails go (default out/series)
#   --check          write no mails: check that the series is complete, that each patch
#                    applies without fuzz, that no mail is too long and that git am makes
#                    the tree, and run checkpatch. Ends with bars
#
# For an older kernel whose folder is a backport (its series begins with "like"), there
# are no letters and no recipients: all patches, for "git am".
#
# Exit status: 0; 1 when something is wrong, each with a sentence; 2 wrong usage.

# Variables of series_read() and overlay_with():
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache series overlay

version=1 previous='' rfc='' signoff='' trailers=() statement='' base='' thread='' out='' check=''
options '-v:version --previous: --rfc --signoff --trailer+trailers --statement: --base: --thread: -o:out --check' "$@"
set -- "${args[@]}"
[ -z "$previous" ] || previous="$(cd "$previous" && pwd)" || exit 2
for trailer in "${trailers[@]}"; do
	[[ $trailer =~ ^[A-Za-z-]+:\ .+ ]] || usage_error "--trailer '$trailer': it is no \"Name: value\""
done
if [ -n "$statement" ]; then
	[ -r "$statement" ] || usage_error "--statement $statement: it cannot be read"
	statement="$(realpath "$statement")"
fi
[ -z "$base" ] || [[ $base =~ ^[0-9a-f]{12,40}$ ]] || usage_error "--base $base: not the id of a commit"
[ $# -le 1 ] || usage_error "one base at a time"
[[ $version =~ ^[1-9][0-9]*$ ]] || usage_error "-v $version: not a number"
"$here/deps.sh" series
source="$(overlay_source "${1:-7.3}")"
if [ -n "$out" ]; then
	mkdir -p "$out"
	out="$(cd "$out" && pwd)"
fi
cd "$checkout"
out="${out:-$PWD/out/series}"
linux="Linux $(source_version "$source")"
repo="$(series_repo "$source")"
folder="$(cat "$repo/.git/folder")"
series_read "$folder"
[[ " ${threads[*]/%//}" == *" ${thread:+${thread%/}/}"* ]] || usage_error "--thread $thread: it is one of ${threads[*]}"
[ -n "$base" ] || ! [ -e "$folder/base-commit" ] || base="$(grep -v '^#' "$folder/base-commit")"

arguments=(--cache "$CACHE" -v "$version" ${rfc:+--rfc} ${signoff:+--signoff} "${trailers[@]/#/--trailer=}")
for name in work repo folder linux out previous statement base thread; do
	arguments+=("--$name" "${!name}")
done

if [ -n "$check" ]; then
	python3 -B "$here/series/checks.py" "${arguments[@]}" --tree "$source"
	exit
fi

{ git config user.name && git config user.email; } >/dev/null ||
	die "git does not know who sends the series: set user.name and user.email"
! series_py files "$folder" | grep -q '^?' ||
	die "the series is not whole; see $(basename "$0") --check"

if [ -n "$backport" ]; then
	rm -rf "$out/backport"
	series_git "$repo" format-patch -q --no-signature -N ${signoff:+-s} -o "$out/backport" base..series
	note "${#steps[@]} patches for $linux, for git am: $out/backport"
	exit
fi

if [ "$version" -gt 1 ] && ! grep -qx "v$version:" "$folder/changelog" 2>/dev/null; then
	die "-v $version: $folder/changelog has no paragraph \"v$version:\" that says what changed"
fi
[ -n "$base" ] ||
	note "no mail has a base-commit: give --base, or write the id of the kernel's commit into $folder/base-commit"

make_mails() { python3 -B "$here/series/mails.py" "${arguments[@]}" --tree "$tree"; }
overlay_with "$source" work make_mails
