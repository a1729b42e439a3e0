#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Writes the patch series as mails for git send-email: the whole series, and the part
# for each maintainer tree by itself, with a cover letter and the recipients that
# get_maintainer.pl names (git send-email has --to and --cc for more). The sender
# is git's user.name and user.email.
#
# Usage: series.sh [options] [BASE]
#        series.sh --check [BASE]
#
#   BASE        7.3 (default; a newer one when Debian has it), 6.12 for the
#               backport, or a kernel source tree
#   -v N        version N; the file "changelog" in the folder of the patches has
#               the changes since the previous version
#   --rfc       as RFC PATCH
#   --signoff   with your Signed-off-by, which the kernel requires of the sender
#   --tree T    only what goes through the maintainer tree T
#   -o DIR      where the mails go (default out/series); a folder for each
#               maintainer tree, and "all"
#   --check     write no mails: check that the series is complete, that each patch
#               and each tree's part applies without fuzz, and run checkpatch
#
# For an older kernel whose folder is a backport (its series begins with "like"), there
# are no letters and no recipients: all patches, for "git am".
#
# Exit status: 0; 1 when something is wrong, each with a sentence; 2 wrong usage.

# ShellCheck does not see that the cache calls some functions by name, nor that they use
# variables of their caller:
# shellcheck disable=SC2317,SC2154
set -euo pipefail
shopt -s inherit_errexit
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
. "$here/lib/use.sh" report cache files series overlay checkpatch series_check

version=1 rfc='' signoff='' only='' out='' check=''
while [ $# -gt 0 ]; do
	case "$1" in
	-v|--tree|-o)
		[ $# -ge 2 ] || usage_error "$1 needs a value" ;;
	esac
	case "$1" in
	-h|--help) usage "$0"; exit ;;
	-v) version="$2"; shift ;;
	--rfc) rfc=1 ;;
	--signoff) signoff=1 ;;
	--tree) only="$2"; shift ;;
	-o) out="$2"; shift ;;
	--check) check=1 ;;
	-*) usage_error "unknown option '$1'" ;;
	*) break ;;
	esac
	shift
done
[ $# -le 1 ] || usage_error "one base at a time"
[[ $version =~ ^[1-9][0-9]*$ ]] || usage_error "-v $version: not a number"
"$here/deps.sh" series
source="$(overlay_source "${1:-7.3}")"
if [ -n "$out" ]; then
	mkdir -p "$out"
	out="$(cd "$out" && pwd)"
fi
cd "$here/../.."
out="${out:-$PWD/out/series}"
linux="Linux $(source_version "$source")"
repo="$(series_repo "$source")"
folder="$(cat "$repo/.git/folder")"
series_read "$folder"
mapfile -t trees < <(for step in "${steps[@]}"; do echo "${step_tree[$step]}"; done | awk '!seen[$0]++')
[ -z "$only" ] || [[ " ${trees[*]} " == *" $only "* ]] ||
	usage_error "--tree $only: it is one of ${trees[*]}"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# part_branch TREE: a branch of its steps; prints the commit that it begins after.
# The last tree's are for a topic branch, on top of all others; these stand on
# the kernel itself.
part_branch() {
	local name="$1" step mine=()
	for step in "${steps[@]}"; do
		[ "${step_tree[$step]}" != "$name" ] || mine+=("$step")
	done
	if [ "$name" = "${trees[-1]}" ]; then
		series_git "$work/repo" branch -q -f "part-$name" series
		series_git "$work/repo" rev-parse "${mine[0]}^"
		return
	fi
	series_git "$work/repo" checkout -q -B "part-$name" base
	if ! series_git "$work/repo" cherry-pick --allow-empty "${mine[@]}" >"$work/said" 2>&1; then
		step="$(series_git "$work/repo" log -1 --format=%s CHERRY_PICK_HEAD)"
		series_git "$work/repo" cherry-pick --abort
		printf 'the part for %s does not stand alone: "%s" needs a patch of another tree\n' "$name" "$step"
		return 1
	fi
	series_git "$work/repo" rev-parse base
}

# clone: of the repository, to make branches in.
clone() {
	cp -a "$repo" "$work/repo"
	series_git "$work/repo" config user.name "$(git config user.name || echo grtrace)"
	series_git "$work/repo" config user.email "$(git config user.email || echo grtrace@localhost)"
}

# each_patch COMMAND FILE...: COMMAND on each file, as many at a time as there are
# processors.
each_patch() {
	local command="$1" file jobs=0; shift
	for file; do
		"$command" "$file" >/dev/null &
		jobs=$((jobs + 1))
		if [ "$jobs" -ge "$(nproc)" ]; then
			wait -n
			jobs=$((jobs - 1))
		fi
	done
	wait
}

# ------------------------------------------------------------------- the checks
if [ -n "$check" ]; then
	tree="$source"
	check_table
	check_letters
	check_form
	check_parts
	check_mails
	check_patches
	if [ "$broken" = 0 ]; then
		printf '%s patches for %s apply without fuzz, for %s\n' "${#steps[@]}" "$linux" "${trees[*]}"
	fi
	exit "$broken"
fi

# -------------------------------------------------------------------- the mails
{ git config user.name && git config user.email; } >/dev/null ||
	die "git does not know who sends the series: set user.name and user.email"
[ "$(wc -l < <(sed -n 's/^? //p' <(series_files "$folder")))" = 0 ] ||
	die "the series is not whole; see $(basename "$0") --check"

if [ -n "$backport" ]; then
	rm -rf "$out/backport"
	series_git "$repo" format-patch -q --no-signature -N ${signoff:+-s} -o "$out/backport" base..series
	note "${#steps[@]} patches for $linux, for git am: $out/backport"
	exit
fi

if [ "$version" -gt 1 ] && ! grep -qx "v$version:" "$folder/changelog" 2>/dev/null; then
	die "-v $version: $folder/changelog has no paragraph \"v$version:\" that tells what changed"
fi

# changes: of this version and those before it, newest first.
changes() {
	[ "$version" -gt 1 ] || return 0
	echo
	sed -E '/^#/d; s/^v([0-9]+):$/Changes in v\1:/' "$folder/changelog"
}

# expand FILE: with the files of the patches' folder in the place of lines that
# are "@NAME@": what several letters say, and tables that are measured, without
# their head.  @LINUX@ in a line is the kernel that the patches are for.
expand() {
	local line
	while IFS= read -r line; do
		case "$line" in
		@*@)
			line="${line//@/}"
			if [ -e "$folder/$line" ]; then
				expand "$folder/$line"
			else
				note "$1 wants $folder/$line, which is not there"
			fi ;;
		*) printf '%s\n' "${line//@LINUX@/$linux}" ;;
		esac
	done < <(sed '/^# /d' "$1")
}

# cover FILE TEXT: subject and body into git's cover letter.
cover() {
	local file="$1" text="$2"
	expand "$text" | sed 1,2d >"$work/blurb"
	changes >>"$work/blurb"
	awk -v subject="$(head -n 1 "$text")" -v blurb="$work/blurb" '
		/\*\*\* SUBJECT HERE \*\*\*/ {
			line = substr($0, 1, index($0, "***") - 1) subject
			# One that is too long goes on in the next.
			if (length(line) > 76 && match(substr(line, 1, 76), /.* /))
				line = substr(line, 1, RLENGTH - 1) "\n " substr(line, RLENGTH + 1)
			print line
			next
		}
		/\*\*\* BLURB HERE \*\*\*/ { while ((getline line <blurb) > 0) print line; next }
		{ print }' "$file" >"$file.new"
	mv "$file.new" "$file"
}

# recipients PATCH: lines "to ADDRESS" and "cc ADDRESS".  Each run of
# get_maintainer.pl takes seconds, and a patch is in two folders: kept by what it
# depends on.
recipients() {
	local known
	known="$CACHE/checks/who-$({ sed '1,/^---$/d' "$1" | grep -v '^index '; git config user.email
		cat "$tree/MAINTAINERS" "$tree/scripts/get_maintainer.pl"; } | sha256sum | cut -c1-16)"
	if [ ! -e "$known" ]; then
		mkdir -p "${known%/*}"
		ask_maintainers "$1" >"$known.$BASHPID"
		mv "$known.$BASHPID" "$known"
	fi
	touch "$known"
	cat "$known"
}

ask_maintainers() {
	# One who is not in the tree yet is who sends this.
	( cd "$tree" && perl scripts/get_maintainer.pl --no-git --no-git-fallback --roles --no-rolestats "$1" 2>/dev/null ) |
		awk -v me="$(git config user.email)" '
			index($0, me) { next }
			match($0, / \((maintainer|supporter)[^(]*\)?.*$/) { print "to " substr($0, 1, RSTART - 1); next }
			match($0, / \(.*$/) { print "cc " substr($0, 1, RSTART - 1) }'
}

# address MAIL LIST: the recipients into the mail's header.  A mail that is
# nobody's goes to the lists.
address() {
	awk -v list="$2" '
		function header(name, who, count,   i) {
			for (i = 1; i <= count; i++)
				print (i == 1 ? name ": " : "\t") who[i] (i < count ? "," : "")
		}
		BEGIN {
			while ((getline line <list) > 0) {
				who = substr(line, 4)
				if (who in seen)
					continue
				seen[who] = 1
				if (line ~ /^to /)
					to[++tos] = who
				else
					cc[++ccs] = who
			}
		}
		/^$/ && !done && !tos { header("To", cc, ccs); done = 1 }
		/^$/ && !done { header("To", to, tos); header("Cc", cc, ccs); done = 1 }
		{ print }' "$1" >"$1.new"
	mv "$1.new" "$1"
}

# mails NAME FROM BRANCH: the folder NAME.
mails() {
	local name="$1" dir="$out/$1" mail text list options=() prefix=PATCH plain=()
	text="$folder/cover"
	[ "$name" = all ] || text="$text.$name"
	[ -e "$text" ] || die "the part for $name has no cover letter: write $text"
	[ -z "$rfc" ] || prefix="RFC PATCH"
	[ "$version" = 1 ] || options+=(-v "$version")
	[ -z "$signoff" ] || options+=(-s)
	rm -rf "$dir"
	series_git "$work/repo" format-patch -q -n --no-signature --cover-letter --thread=shallow --subject-prefix="$prefix" \
		"${options[@]}" -o "$dir" "$2..$3"
	mapfile -t plain < <(find "$dir" -name '*.patch' ! -name '*0000-cover-letter.patch' | LC_ALL=C sort)
	each_patch recipients "${plain[@]}"
	list="$work/list"
	: >"$list.all"
	for mail in "${plain[@]}"; do
		recipients "$mail" >"$list"
		cat "$list" >>"$list.all"
		address "$mail" "$list"
	done
	for mail in "$dir"/*0000-cover-letter.patch; do
		cover "$mail" "$text"
		# "to" first: who has one patch in copy and another as its maintainer.
		LC_ALL=C sort -r "$list.all" >"$list"
		address "$mail" "$list"
	done
	printf '%s\n' "$dir"
}

make_mails() {
	local name from
	clone
	if [ -z "$only" ]; then
		mails all base series
	fi
	for name in ${only:-"${trees[@]}"}; do
		from="$(part_branch "$name")" || die "$from"
		mails "$name" "$from" "part-$name"
	done
}
overlay_with "$source" work make_mails
