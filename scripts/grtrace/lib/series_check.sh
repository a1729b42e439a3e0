# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The checks of series.sh --check: the table of the steps, the letters, the form of the
# files in the tree, each tree's part by itself, the mails' length, and checkpatch. Needs
# report.sh, cache.sh, files.sh, series.sh, checkpatch.sh, and each_patch().

# It uses these variables of its caller: repo, folder, steps, trees, work, version and what else it found.
# shellcheck disable=SC2034,SC2154

broken=0
wrong() { printf '%s\n' "$*"; broken=1; }

# What the table says, and what is there.
check_table() {
	local step file patch last=''
	while read -r step file; do
		case "$step" in
		\?) wrong "$file is in no step of $folder/series, nor among those that are left out" ;;
		!) wrong "$folder/series: $file" ;;
		esac
	done < <(series_files "$folder")
	for patch in "$folder"/*.patch; do
		step="$(basename "$patch" .patch)"
		[ -n "${step_tree[$step]:-}" ] || wrong "$patch is not listed in $folder/series"
		! patch_diff "$patch" | grep -qE '^(new file mode|--- /dev/null|rename |copy )' ||
			wrong "$patch adds or moves a file: files of ours lie in the checkout, at their place in the tree"
		[ "$(sed -n 2p "$patch")" = "" ] || wrong "$patch: the line after the subject is not blank"
	done
	for step in "${steps[@]}"; do
		[[ $step > $last ]] || wrong "$folder/series: $step comes after $last"
		last="$step"
	done
}

# The letters have all their parts, and numbers of these patches.
check_letters() {
	local name text file
	# A backport is sent to nobody.
	[ -z "$backport" ] || return 0
	for name in '' "${trees[@]}"; do
		text="$folder/cover${name:+.$name}"
		if [ ! -e "$text" ]; then
			wrong "there is no $text: the cover letter"
			continue
		fi
		while read -r file; do
			[ -e "$folder/$file" ] || wrong "$text wants $folder/$file, which is not there"
		done < <(sed -n 's/^@\(.*\)@$/\1/p' "$text")
	done
	for file in "$folder"/offcost*; do
		grep -qx "# Of these patches: $(series_code)" "$file" ||
			wrong "$file was measured with other patches: run scripts/grtrace/series/offcost.sh --save"
	done
}

# What was for building outside the tree is gone, what make wants is there.
check_form() {
	local core=drivers/gpu/grtrace
	local outside='GRTRACE_EXTERNAL|[ (]GRTRACE_COMPAT|KBUILD_EXTMOD|make demo'
	[ -n "$backport" ] || outside+='|LINUX_VERSION_CODE|compat\.h'
	if series_git "$repo" grep -nE "$outside" series -- \
		drivers/gpu/grtrace tools/testing/selftests/grtrace/modules include/linux/grtrace.h \
		include/uapi/drm/grtrace_drm.h | sed 's/^series:/in the tree: /'; then
		wrong "the lines above belong outside the tree"
	fi
	if series_git "$repo" grep -nE '(^|[^[:alnum:]/])scripts/grtrace' series -- . ':!Makefile' | sed 's/^series:/in the tree: /'; then
		wrong "the lines above name scripts/grtrace, which is not in the tree"
	fi
	# A backport may do without some.
	[ -z "$backport" ] || return 0
	# A folder in which every file is there.
	mkdir -p "$work/whole/$core/tests"
	sed '/lookup_name\.o/d' "$core/Makefile" | grep -oE '(^|[[:space:],])[a-z0-9_/]+\.o' | sed 's/^[[:space:],]//' |
		while read -r file; do : >"$work/whole/$core/${file%.o}.c"; done
	if ! diff <(intree_makefile "$work/whole" <"$core/Makefile") <(series_git "$repo" show "series:$core/Makefile") >"$work/said"; then
		sed -n 's/^< //p' "$work/said"
		wrong "$core/Makefile: no step has all files for the lines above"
	fi
	if ! diff "$core/Kconfig" <(series_git "$repo" show "series:$core/Kconfig") >"$work/said"; then
		sed -n 's/^< config/config/p' "$work/said"
		wrong "$core/Kconfig: no step has what the entries above are for"
	fi
}

check_parts() {
	local name
	clone
	for name in "${trees[@]}"; do
		part_branch "$name" >"$work/part" || wrong "$(cat "$work/part")"
	done
}

# What "git am" makes of the mails has to be what they were made of: the same
# files at each step, with the same words.
check_mails() {
	local log='--format=%T%n%an <%ae>%n%B'
	series_git "$repo" format-patch -q --no-signature --zero-commit -N -o "$work/check" base..series
	series_git "$work/repo" checkout -q -B mails base
	if ! series_git "$work/repo" am -q "$work"/check/*.patch >"$work/said" 2>&1; then
		head -n 5 "$work/said"
		series_git "$work/repo" am --abort
		wrong "git am cannot read the mails: see above"
	elif ! diff <(series_git "$work/repo" log "$log" base..series) <(series_git "$work/repo" log "$log" base..mails) >"$work/said"; then
		head -n 5 "$work/said"
		wrong "git am makes something else of the mails, first where it says so above"
	fi
}

# One patch as a mail, with a stamp for what passed.
check_patch() {
	local patch="$1" stamp
	stamp="$CACHE/checks/series-$({ sed 1d "$patch" | grep -v '^Date: '; cat "$tree/scripts/checkpatch.pl" "$here/lib/checkpatch.sh"; } |
		sha256sum | cut -c1-16)"
	if [ -e "$stamp" ]; then
		touch "$stamp"
		return
	fi
	mkdir -p "${stamp%/*}"
	if ( cd "$tree" && checkpatch "$tree" --no-signoff --showfile "$patch" ) >"$patch.said"; then
		touch "$stamp"
	fi
}

check_patches() {
	local patch
	# What is right in a backport is what its kernel has, not what is best today.
	[ -z "$backport" ] || return 0
	each_patch check_patch "$work"/check/*.patch
	for patch in "$work"/check/*.patch; do
		[ -s "$patch.said" ] || continue
		cat "$patch.said"
		wrong "checkpatch on $(basename "$patch"): see above"
	done
}
