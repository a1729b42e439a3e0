# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The patch series as a git repository in the cache: see series.py, which makes it.
# Needs cache.sh, and inherit_errexit.

# How many repositories are kept, each of one state of our files.
SERIES_KEPT=8

# series_py COMMAND ARG...: from the checkout's top.
# shellcheck disable=SC2154
series_py() { CALLER="${0##*/}" python3 -B "$here/lib/series.py" "$@"; }

# series_read FOLDER: the table "series" of a folder, into these variables.
#   steps      names in order; step_main: by name
#   threads    in order ("1/drm-sched")
#   backport   not empty when the table is "like" that of another folder
# shellcheck disable=SC2034
series_read() {
	local step thread main table
	table="$(series_py steps "$1")" || exit
	steps=() threads=() backport="$(grep '^like' "$1/series" || true)"
	declare -gA step_main=()
	while read -r step thread main _; do
		steps+=("$step")
		step_main[$step]="${main#-}"
		[[ " ${threads[*]} " == *" $thread "* ]] || threads+=("$thread")
	done <<<"$table"
}

# source_version TREE: 7.3.4, as the tree's Makefile says.
source_version() {
	awk -F' *= *' '/^(VERSION|PATCHLEVEL|SUBLEVEL) =/ { part[$1] = $2 }
		/^EXTRAVERSION/ { exit }
		END { printf "%s.%s.%s\n", part["VERSION"], part["PATCHLEVEL"], part["SUBLEVEL"] }' "$1/Makefile"
}

# patch_touches FILE...: the files that the diffs change.
patch_touches() { sed -nE 's/^\+\+\+ b\/([^\t]*).*/\1/p' "$@" | LC_ALL=C sort -u; }

# series_git REPO ARGS: git, without the settings of the user.
series_git() {
	local repo="$1"; shift
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$repo" -c tar.umask=0022 "$@"
}

# series_c_files REPO [COMMIT]: the C files at a step, ours and patched ones.
series_c_files() { series_git "$1" ls-tree -r --name-only "${2:-checkout}" | grep '\.[ch]$'; }

series_fill() { series_py fill "$1" "$2"; }

# series_repo SOURCE: prints the repository of this checkout on the kernel
# source tree SOURCE; made when needed.  To be called from the checkout's top.
series_repo() {
	local dir
	# The user of git is the sender.
	GIT_AUTHOR_NAME="$(git config user.name || echo grtrace)"
	GIT_AUTHOR_EMAIL="$(git config user.email || echo grtrace@localhost)"
	export GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
	dir="$CACHE/series/$(series_py key "$1")"
	if [ ! -d "$dir" ]; then
		cache_entry "$dir" series_fill "$1"
		cache_prune "$SERIES_KEPT" "$CACHE/series"/[0-9]*
	fi
	touch "$dir"
	printf '%s\n' "$dir"
}
