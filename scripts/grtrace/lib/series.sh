# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The patch series: this checkout as a sequence of commits on a kernel.  A step is
# a patch of files of the kernel (possibly empty), and the files of ours that come
# with it, in the form they have in the tree.  The series becomes a small git
# repository with only the files that it touches: its first commit is the kernel,
# followed by a commit for each step, with the step's name as a tag.  The branch
# "series" ends with the last step; "checkout" also has files that belong to no
# step yet, so that they can be built before their step is chosen.
# Needs cache.sh, files.sh, and inherit_errexit.

# The scripts that source this file use what is set here.
# shellcheck disable=SC2034

. "$(dirname "${BASH_SOURCE[0]}")/series_stage.sh"

# Where the files of ours lie that may belong in the tree.
SERIES_TOPS=(Documentation drivers include tools)

# How many repositories are kept, each of one state of our files.
SERIES_KEPT=8

# source_version TREE: 7.3.4, as the tree's Makefile says.
source_version() {
	awk -F' *= *' '/^(VERSION|PATCHLEVEL|SUBLEVEL) =/ { part[$1] = $2 }
		/^EXTRAVERSION/ { exit }
		END { printf "%s.%s.%s\n", part["VERSION"], part["PATCHLEVEL"], part["SUBLEVEL"] }' "$1/Makefile"
}

# series_folder VERSION: the patches for it, from the checkout's top: those of
# its own X.Y, else of the newest before it; status 1 when there are none.
series_folder() {
	local wanted="${1%.*}" known
	known="$(find drivers/gpu/drm -mindepth 2 -maxdepth 2 -name series -printf '%h\n' 2>/dev/null |
		sed 's|.*/||' | { cat; printf '%s+\n' "$wanted"; } | sort -V |
		awk -v last="$wanted+" '$0 == last { print best; exit } { best = $0 }')"
	[ -n "$known" ] && printf 'drivers/gpu/drm/%s\n' "$known"
}

# series_read FOLDER: the table "series" of a folder, into these variables.  A
# line that begins with a blank has files of the step above it.
#   steps      names in order; step_thread ("1/drm-sched"), step_main, step_patch: by name
#   threads    in order; thread_rfc: by name
#   claims     lines "<step> <pattern>"; the step of what is left out is "-"
#   backport   not empty when the table is "like" that of another folder
# The table of a backport says what differs: "like X.Y", "without" what steps, and
# for steps that are there more files.  A patch that it has goes before the other's.
series_read() {
	steps=() claims=() threads=() backport=
	declare -gA step_thread=() step_main=() step_patch=() thread_rfc=()
	series_table "$1"
	local step
	for step in "${steps[@]}"; do
		[ ! -e "$1/$step.patch" ] || step_patch[$step]="$1/$step.patch"
		[ -n "${step_patch[$step]:-}" ] || die "$1/series: there is no $1/$step.patch"
		[[ " ${threads[*]} " == *" ${step_thread[$step]} "* ]] || threads+=("${step_thread[$step]}")
	done
}

# series_without STEP...: take steps out; their files are left out as well.
series_without() {
	local name step kept
	for name; do
		[ -n "${step_thread[$name]:-}" ] || return 1
		kept=()
		for step in "${steps[@]}"; do
			[ "$step" = "$name" ] || kept+=("$step")
		done
		steps=("${kept[@]}")
		unset "step_thread[$name]"
		claims=("${claims[@]/#"$name "/- }")
	done
}

# series_claim STEP PATTERN...: whose files these are, now.
series_claim() {
	local step="$1" pattern claim kept; shift
	for pattern; do
		if [ -n "$backport" ]; then
			kept=()
			for claim in "${claims[@]}"; do
				[ "${claim#* }" = "$pattern" ] || kept+=("$claim")
			done
			claims=("${kept[@]}")
		fi
		claims+=("$step $pattern")
	done
}

# series_table FOLDER: what series_read() does with the lines of one table.
series_table() {
	local line words number=0 step='' like
	while IFS= read -r line; do
		number=$((number + 1))
		read -ra words <<<"${line%%#*}"
		[ ${#words[@]} -gt 0 ] || continue
		case "$line" in
		like[[:blank:]]*)
			like="${1%/*}/${words[1]}"
			series_table "$like"
			for step in "${steps[@]}"; do
				[ ! -e "$like/$step.patch" ] || step_patch[$step]="$like/$step.patch"
			done
			backport=1 ;;
		without[[:blank:]]*)
			series_without "${words[@]:1}" || die "$1/series:$number: no such step" ;;
		[[:blank:]]*)
			[ -n "$step" ] || die "$1/series:$number: files of no step"
			series_claim "$step" "${words[@]}" ;;
		*)
			step="${words[0]}"
			[ "$step" != - ] || continue
			if [ -n "$backport" ] && [ -n "${step_thread[$step]:-}" ]; then
				continue
			fi
			[[ ${words[1]:-} == [0-4]/?* ]] || die "$1/series:$number: the step $step names no mailing and thread"
			[ -z "${step_thread[$step]:-}" ] || die "$1/series:$number: the step $step is there already"
			steps+=("$step")
			step_thread[$step]="${words[1]}"
			case " ${words[*]:2} " in *' main '*) step_main[$step]=main ;; *) step_main[$step]= ;; esac
			case " ${words[*]:2} " in *' rfc '*) thread_rfc[${words[1]}]=1 ;; esac ;;
		esac
	done <"$1/series"
}

# series_own_files: the files of ours that go into a kernel's tree. The Makefile of all
# selftests is there already; ours stands in for it where no kernel is.
series_own_files() {
	our_files "${SERIES_TOPS[@]}" | grep -vE '^(drivers/gpu/drm/[0-9]|tools/testing/selftests/Makefile$)'
}

# series_files FOLDER: lines "<step> <file>" for all files of ours. A name goes before a
# pattern (whose * takes a / as well), a long pattern before a short one; a file that
# nothing claims has the step "?".
series_files() {
	series_own_files | LC_ALL=C sort | awk '
	function regex(pattern) {
		gsub(/[.+^$(){}|\\]/, "\\\\&", pattern)
		gsub(/\*/, ".*", pattern)
		gsub(/\?/, ".", pattern)
		return "^" pattern "$"
	}
	FNR == NR {
		if ($2 ~ /[*?[]/) {
			pattern[++count] = regex($2)
			size[count] = length($2)
			step[count] = $1
		} else if ($2 in named) {
			print "! " $2 " (twice)"
		} else {
			named[$2] = $1
		}
		next
	}
	{
		found = $0 in named ? named[$0] : ""
		delete named[$0]
		best = 0
		for (i = found ? count + 1 : 1; i <= count; i++)
			if (size[i] > best && $0 ~ pattern[i]) {
				found = step[i]
				best = size[i]
			}
		print (found ? found : "?") " " $0
	}
	END {
		for (name in named)
			print "! " name " (no such file)"
	}' <(printf '%s\n' "${claims[@]}") -
}

# patch_message FILE, patch_diff FILE: the two halves of a patch of ours.
patch_message() { sed '/^---$/,$d' "$1"; }
# The maintainer in the patch of MAINTAINERS is whoever sends the series.
patch_diff() { sed -e '1,/^---$/d' -e "s/@SENDER@/${GIT_AUTHOR_NAME:-} <${GIT_AUTHOR_EMAIL:-}>/" "$1"; }

# patch_touches FILE...: the files that the diffs change.
patch_touches() { sed -nE 's/^\+\+\+ b\/([^\t]*).*/\1/p' "$@" | LC_ALL=C sort -u; }

# series_code: a sum over the code of the patches that mend and add trace events (mailings
# 0 and 1), which is what measurements of them depend on.
series_code() {
	local step
	for step in "${steps[@]}"; do
		if [[ ${step_thread[$step]} == [01]/* ]]; then
			patch_diff "${step_patch[$step]}" | grep -E '^([-+]|@@)' | sed 's/^@@.*/@@/'
		fi
	done | sha256sum | cut -c1-16
}

# series_git REPO ARGS: git, without the settings of whoever runs it.
series_git() {
	local repo="$1"; shift
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$repo" -c tar.umask=0022 "$@"
}

# series_c_files REPO [COMMIT]: the C files at a step, ours and patched ones.
series_c_files() { series_git "$1" ls-tree -r --name-only "${2:-checkout}" | grep '\.[ch]$'; }

# series_commit REPO TAG: all that changed; the message is on stdin.
series_commit() {
	series_git "$1" add -A -f
	series_git "$1" commit -q --allow-empty -F - --cleanup=whitespace
	series_git "$1" tag "$2"
}

# series_fill SOURCE DIR: the repository, in DIR.
series_fill() {
	local source="$1" dir="$2" version folder step file files
	version="$(source_version "$source")"
	folder="$(series_folder "$version")"
	series_read "$folder"
	files="$(series_files "$folder")"
	series_git "$dir" init -q -b checkout
	while read -r file; do
		if [ -e "$source/$file" ]; then
			mkdir -p "$(dirname "$dir/$file")"
			cp -p "$source/$file" "$dir/$file"
		fi
	done < <(patch_touches "${step_patch[@]}")
	echo "Linux $version" | series_commit "$dir" base
	for step in "${steps[@]}"; do
		series_patch "${step_patch[$step]}" "$dir" "$version"
		mapfile -t files_of_step < <(sed -n "s/^$step //p" <<<"$files")
		series_lay "$dir" "${files_of_step[@]}"
		series_rules "$dir"
		patch_message "${step_patch[$step]}" | series_commit "$dir" "$step"
	done
	series_git "$dir" branch series
	echo "$folder" >"$dir/.git/folder"
	mapfile -t files_of_step < <(sed -n "s/^? //p" <<<"$files")
	if [ ${#files_of_step[@]} -gt 0 ]; then
		note "in no step of $folder/series: ${files_of_step[*]}"
		series_lay "$dir" "${files_of_step[@]}"
		series_rules "$dir"
		echo "in no step" | series_commit "$dir" unlisted
	fi
}

# series_repo SOURCE: prints the repository of this checkout on the kernel
# source tree SOURCE; made when needed.  To be called from the checkout's top.
series_repo() {
	local source="$1" version folder key name email dir
	version="$(source_version "$source")"
	folder="$(series_folder "$version")" ||
		die "there are no patches for Linux $version: drivers/gpu/drm has them for $(find drivers/gpu/drm -mindepth 2 -maxdepth 2 -name series -printf '%h\n' | sed 's|.*/||' | sort -V | paste -sd' ')"
	series_read "$folder"
	# Who runs git here is who sends it.
	name="$(git config user.name || echo grtrace)"
	email="$(git config user.email || echo grtrace@localhost)"
	key="$({
		printf '%s\n' "$source" "$version" "$name" "$email"
		{ series_own_files; find "$folder" "${step_patch[@]}" -type f
			printf '%s\n' scripts/grtrace/lib/series.sh scripts/grtrace/lib/series_stage.sh; } | LC_ALL=C sort -u |
			tr '\n' '\0' | xargs -0 sha256sum
		# Of a tree that is somebody's own, what the series is made of.
		patch_touches "${step_patch[@]}" | ( cd "$source" && xargs -d '\n' sha256sum 2>&1 ) || true
	} | sha256sum | cut -c1-16)"
	dir="$CACHE/series/$version-$key"
	if [ ! -d "$dir" ]; then
		GIT_AUTHOR_NAME="$name" GIT_AUTHOR_EMAIL="$email" GIT_COMMITTER_NAME="$name" GIT_COMMITTER_EMAIL="$email" \
			cache_entry "$dir" series_fill "$source"
		find "$CACHE/series" -mindepth 1 -maxdepth 1 -name '[0-9]*' -printf '%T@ %p\n' | sort -rn |
			tail -n "+$((SERIES_KEPT + 1))" | cut -d' ' -f2- | while read -r old; do rm -rf "$old"; done
	fi
	touch "$dir"
	printf '%s\n' "$dir"
}
