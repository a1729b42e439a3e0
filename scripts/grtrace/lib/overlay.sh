# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Whole kernel trees with the series in them.  A tree consists of hard links to the
# unpacked source, except for copies of the files that the series touches.  It follows
# the checkout: a file gets a new time when its content changes, and at no other time,
# so that make builds what is needed.  Each use has a tree of its own, and a lock keeps
# that tree unchanged while something is built from it.
# Needs cache.sh, series.sh.

# It uses these variables of its caller: here, and for overlay_key() source; set for what runs under the
# lock: source, tree, entry, repo.
# shellcheck disable=SC2034,SC2154

# overlay_source BASE: the unpacked source of a base, or the folder that is one.
overlay_source() {
	if [ -d "$1" ]; then
		[ -e "$1/MAINTAINERS" ] || die "$1 is not a kernel source tree"
		( cd "$1" && pwd )
	else
		"$here/kernel/kernel.sh" "$1" source
	fi
}

# overlay_entry SOURCE NAME: the folder of a tree, with the tree in "src".
overlay_entry() {
	printf '%s/overlay/%s-%s-%s\n' "$CACHE" "$(source_version "$1")" "$2" \
		"$(printf '%s\n' "$1" "$PWD" | sha256sum | cut -c1-8)"
}

# overlay_own SOURCE: is it somebody's own tree, which may change?
overlay_own() { case "$1" in "$CACHE"/*) return 1 ;; esac; }

# overlay_fill SOURCE DIR: a new tree.
overlay_fill() {
	note "laying out a source tree ($use)"
	mkdir "$2/src"
	: >"$2/laid"
	overlay_follow "$1" "$2"
}

# overlay_follow SOURCE ENTRY: ENTRY/src has what SOURCE has, except for what was laid
# over it; by links where both are on one file system.
overlay_follow() {
	rsync -a --delete --exclude=/.git --exclude-from=<(sed 's|^|/|' "$2/laid") --link-dest="$1/" "$1/" "$2/src/"
}

# overlay_lay ENTRY SOURCE REPO COMMIT: make ENTRY/src the source at COMMIT.
overlay_lay() {
	local entry="$1" source="$2" repo="$3" commit="$4" stage="$1/stage" content file
	content="$(series_git "$repo" rev-parse "$commit^{tree}")"
	[ "$content" != "$(cat "$entry/content" 2>/dev/null)" ] || return 0
	rm -rf "$stage" "$entry/content"
	mkdir "$stage"
	series_git "$repo" archive "$commit" | tar -x -C "$stage"
	( cd "$stage" && find . -type f -printf '%P\n' | LC_ALL=C sort ) >"$entry/new"
	# Files that are no longer laid over it: gone, or again the kernel's.
	LC_ALL=C comm -23 "$entry/laid" "$entry/new" | while read -r file; do
		rm -f "$entry/src/$file"
		[ ! -e "$source/$file" ] || cp --preserve=mode "$source/$file" "$entry/src/$file"
	done
	# Until it is done, both may be there.
	LC_ALL=C sort -u -o "$entry/laid" "$entry/laid" "$entry/new"
	rsync -rlc --executability "$stage/" "$entry/src/"
	mv "$entry/new" "$entry/laid"
	rm -rf "$stage"
	printf '%s\n' "$content" >"$entry/content"
}

# overlay_key REPO FILE...: a name for the kernel that is built from a state of the series
# and from these files (its configuration) on the tree "source". Our tools, tests and pages
# are no part of it.
overlay_key() {
	{
		series_git "$1" ls-tree -r checkout |
			awk -F'\t' '$2 ~ "^" tests "/modules/" || $2 !~ "^(Documentation|MAINTAINERS|tools)"' tests=tools/testing/selftests/grtrace
		cat "${@:2}"
		if overlay_own "$source"; then
			find "$source" -name .git -prune -o -type f -printf '%p %s %T@\n' | LC_ALL=C sort
		fi
	} | sha256sum | cut -c1-16
}

# overlay_with SOURCE NAME CMD...: the tree NAME as the checkout is, then CMD
# with the lock of the tree held, and in "tree" where it is, in "entry" the folder
# around it, in "repo" the series.  With "overlay_at" set, the tree is as it is at
# that step.
overlay_with() {
	local source="$1" use="$2" entry tree repo; shift 2
	repo="$(series_repo "$source")"
	entry="$(overlay_entry "$source" "$use")"
	tree="$entry/src"
	cache_entry "$entry" overlay_fill "$source"
	cache_lock "${entry##*/}" overlay_do "$@"
}

# overlay_do CMD...: overlay_with() with the lock held.
overlay_do() {
	if overlay_own "$source"; then
		overlay_follow "$source" "$entry"
	fi
	overlay_lay "$entry" "$source" "$repo" "${overlay_at:-checkout}"
	"$@"
}
