# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The checks of series.sh --check: the table of the steps, the letters, the form of the
# files in the tree, the threads as they are sent, the mails' length, and checkpatch. Needs
# report.sh, cache.sh, series.sh, checkpatch.sh, series_mail.sh, and each_patch().

# It uses these variables of its caller: repo, folder, steps, threads, work, commit and what else it found.
# shellcheck disable=SC2034,SC2154

broken=0 bars=()
wrong() { printf '%s\n' "$*"; broken=1; }

# What the table says, and what is there.
check_table() {
	local step file patch last='' thread before='' seen=''
	while read -r step file; do
		case "$step" in
		\?) wrong "$file is in no step of $folder/series, nor among those that are left out" ;;
		!) wrong "$folder/series: $file" ;;
		esac
	done < <(series_py files "$folder")
	for patch in "$folder"/*.patch; do
		step="$(basename "$patch" .patch)"
		[ -n "${step_thread[$step]:-}" ] || wrong "$patch is not listed in $folder/series"
		! sed '1,/^---$/d' "$patch" | grep -qE '^(new file mode|--- /dev/null|rename |copy )' ||
			wrong "$patch adds or moves a file: files of ours lie in the checkout, at their place in the tree"
		[ "$(sed -n 2p "$patch")" = "" ] || wrong "$patch: the line after the subject is not blank"
	done
	for step in "${steps[@]}"; do
		[[ $step > $last ]] || wrong "$folder/series: $step comes after $last"
		thread="${step_thread[$step]}"
		[[ $thread == "$before" || " $seen " != *" $thread "* ]] || wrong "$folder/series: $step is apart from the rest of its thread"
		[[ ! ${thread%%/*} < ${before%%/*} ]] || wrong "$folder/series: $step comes after a later mailing"
		seen+=" $thread" before="$thread"
		last="$step"
	done
}

# The letters have all their parts, are short, and have numbers of these patches.
check_letters() {
	local thread text file lines
	# A backport is sent to nobody.
	[ -z "$backport" ] || return 0
	for thread in "${threads[@]}"; do
		text="$folder/cover.${thread/\//-}"
		if [ "$(thread_steps "$thread" | wc -l)" = 1 ]; then
			[ ! -e "$text" ] || wrong "$text: $thread is one mail, whose message is its letter"
			continue
		fi
		if [ ! -e "$text" ]; then
			wrong "there is no $text: the cover letter of $thread"
			continue
		fi
		while read -r file; do
			[ -e "$folder/$file" ] || wrong "$text wants $folder/$file, which is not there"
		done < <(sed -n 's/^@\(.*\)@$/\1/p' "$text")
		lines="$(expand "$text" | wc -l)"
		[ "$lines" -le 120 ] || wrong "$text has $lines lines; 120 are read"
	done
	for file in "$folder"/cover.*; do
		[[ " ${threads[*]} " == *" $(basename "$file" | sed 's/^cover\.//; s/-/\//') "* ]] || wrong "$file is the letter of no thread"
	done
	for file in "$folder"/offcost*; do
		grep -qx "# Of these patches: $(series_py code "$folder")" "$file" ||
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
	if ! diff <(series_py makefile "$core") <(series_git "$repo" show "series:$core/Makefile") >"$work/said"; then
		sed -n 's/^< //p' "$work/said"
		wrong "$core/Makefile: no step has all files for the lines above"
	fi
	if ! diff "$core/Kconfig" <(series_git "$repo" show "series:$core/Kconfig") >"$work/said"; then
		sed -n 's/^< config/config/p' "$work/said"
		wrong "$core/Kconfig: no step has what the entries above are for"
	fi
}

# Each thread as it is sent, but for the recipients. What "git am" makes of all these mails
# has to be what they were made of: the same files at each step, with the same words.
check_mails() {
	local thread mails=() all=("${threads[@]}") log='--format=%T%n%an <%ae>%n%B'
	clone
	if [ -n "$backport" ]; then
		all=(all)
		series_git "$repo" format-patch -q --no-signature -N -o "$work/out/all" base..series
	fi
	for thread in "${all[@]}"; do
		[ -n "$backport" ] || ( thread_mails "$thread" "$work/out/$thread" ) >"$work/said.thread" 2>&1 || wrong "$(cat "$work/said.thread")"
		mapfile -t -O ${#mails[@]} mails < <(find "$work/out/$thread" -name '*.patch' ! -name '*0000-cover-letter.patch' | LC_ALL=C sort)
	done
	[ "$broken" = 0 ] || return 0
	series_git "$work/repo" checkout -q -B mails base
	if ! series_git "$work/repo" am -q "${mails[@]}" >"$work/said" 2>&1; then
		head -n 5 "$work/said"
		series_git "$work/repo" am --abort
		wrong "git am cannot read the mails: see above"
	elif ! diff <(series_git "$work/repo" log "$log" base..series) <(series_git "$work/repo" log "$log" base..mails) >"$work/said"; then
		head -n 5 "$work/said"
		series_git "$work/repo" diff --name-status series mails
		wrong "git am makes something else of the mails, first where it says so above"
	fi
}

# Nobody reads a mail that is too long. Those that still are, and mailings that are, stand in
# the file "open" with their size, which may only shrink: lines "<step> <lines> <KB>" and
# "mailing <number> <lines> <mails>", "thread-<thread> <lines> <mails>".
SERIES_LINES=1500 SERIES_KB=60

# opened NAME FIELD: what the file has for it, or nothing.
opened() { awk -v name="$1" -v field="$2" '$1 == name { print $field }' <(sed 's/^mailing /mailing-/' "$folder/open"); }

check_sizes() {
	local thread step mail lines bytes kb number sum count most=0 fattest=0 at at_once
	declare -A lines_of=() mails_of=()
	[ -z "$backport" ] || return 0
	for thread in "${threads[@]}"; do
		mapfile -t at < <(thread_steps "$thread")
		count=0
		for mail in "$work/out/$thread"/*.patch; do
			[[ $mail != *0000-cover-letter.patch ]] || continue
			step="${at[count]}"
			count=$((count + 1))
			lines="$(series_git "$repo" diff --numstat "$step^" "$step" | awk '{ n += $1 + $2 } END { print n + 0 }')"
			bytes="$(wc -c <"$mail")"
			kb=$(((bytes + 1023) / 1024))
			for at_once in "${thread%%/*}" "$thread"; do
				lines_of[$at_once]=$((${lines_of[$at_once]:-0} + lines))
				mails_of[$at_once]=$((${mails_of[$at_once]:-0} + 1))
			done
			[ "$lines" -le "$most" ] || most="$lines"
			[ "$kb" -le "$fattest" ] || fattest="$kb"
			if [ "$lines" -le "$SERIES_LINES" ] && [ "$kb" -le "$SERIES_KB" ]; then
				continue
			elif [ "$lines" -le "$(opened "$step" 2 | grep . || echo 0)" ] && [ "$kb" -le "$(opened "$step" 3)" ]; then
				printf 'OPEN %s has %s lines, %s KB\n' "$step" "$lines" "$kb"
			else
				wrong "$step has $lines lines and $kb KB as a mail; $SERIES_LINES and $SERIES_KB are read: split it"
			fi
		done
	done
	bar series_largest_mail "$most" lines "$SERIES_LINES"
	bar series_largest_mail_kb "$fattest" KB "$SERIES_KB"
	for number in '1 1800 18' '2 24000 24'; do
		read -r number sum count <<<"$number"
		bar "series_mailing_$number" "${lines_of[$number]}" lines "$sum" "mailing-$number" 2
		bar "series_mailing_${number}_mails" "${mails_of[$number]}" mails "$count" "mailing-$number" 3
	done
	# What somebody gets at once, of the largest mailing.
	for thread in "${threads[@]}"; do
		[[ $thread == 2/* ]] || continue
		bar "series_thread_${thread/\//_}" "${lines_of[$thread]}" lines 24000 "thread-$thread" 2
		bar "series_thread_${thread/\//_}_mails" "${mails_of[$thread]}" mails 24 "thread-$thread" 3
	done
	bar series_unbuilt "$(unbuilt | wc -l)" files 0
}

# bar NAME VALUE UNIT LIMIT [OPEN FIELD]: what is over its limit is wrong where it is over
# what the file "open" has for it.
bar() {
	local verdict=ok
	if [ "$2" -gt "$4" ]; then
		verdict=short
		[ $# -lt 6 ] || [ "$2" -le "$(opened "$5" "$6" | grep . || echo 0)" ] ||
			wrong "$1 is $2 $3, more than $folder/open has for it"
	fi
	bars+=("BAR $1 $2 $3 $4 $verdict")
}

# unbuilt: C files of the core of which the Makefile of their own step makes nothing.
unbuilt() {
	local step file core=drivers/gpu/grtrace name
	for step in "${steps[@]}"; do
		series_git "$repo" diff --name-only --diff-filter=A "$step^" "$step" -- "$core" | grep '\.c$' | while read -r file; do
			name="${file#"$core/"}"
			# The unit tests of a source are a part of it.
			[[ $name == tests/source_*_test.c ]] ||
				series_git "$repo" show "$step:$core/Makefile" 2>/dev/null | grep -qE "(^|[ \t])${name%.c}\.o( |\$)" ||
				printf '%s: %s\n' "$step" "$file"
		done
	done
}

# A file of ours comes with the headers of ours that it includes, or after them.
check_includes() {
	local step number=0 file
	for step in "${steps[@]}"; do
		number=$((number + 1))
		series_git "$repo" diff --name-only --diff-filter=A "$step^" "$step" | sed "s/^/$number $step /"
	done >"$work/added"
	while read -r file; do
		wrong "$file"
	done < <(series_git "$repo" grep -E '^#include "' series -- '*.c' '*.h' '*.cpp' | awk -F'[:"]' '
		function place(name, parts, n, i, depth, all) {
			n = split(name, parts, "/")
			for (i = 1; i <= n; i++)
				if (parts[i] == "..") depth--; else all[++depth] = parts[i]
			name = all[1]
			for (i = 2; i <= depth; i++) name = name "/" all[i]
			return name
		}
		NR == FNR { split($0, row, " "); when[row[3]] = row[1]; step[row[3]] = row[2]; next }
		$2 in when {
			folder = $2
			sub("[^/]*$", "", folder)
			split(folder " tools/grtrace/src/ tools/grtrace/tests/", folders, " ")
			for (i = 1; i <= 3; i++) {
				header = place(folders[i] $4)
				if (header in when && when[header] > when[$2])
					print $2 " of " step[$2] " includes " header ", which comes with " step[header]
			}
		}' "$work/added" -)
}

# One patch as a mail, with a stamp for what passed.
check_patch() {
	local patch="$1" stamp
	stamp="$CACHE/checks/series-$({ sed 1d "$patch" | grep -viE '^(Date|Subject|Message-ID|In-Reply-To|References|base-commit|prerequisite-patch-id): '; cat "$tree/scripts/checkpatch.pl" "$here/lib/checkpatch.sh"; } |
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
	local patch mails
	# What is right in a backport is what its kernel has, not what is best today.
	[ -z "$backport" ] || return 0
	mapfile -t mails < <(find "$work/out" -name '*.patch' ! -name '*0000-cover-letter.patch' | LC_ALL=C sort)
	each_patch check_patch "${mails[@]}"
	for patch in "${mails[@]}"; do
		[ -s "$patch.said" ] || continue
		cat "$patch.said"
		wrong "checkpatch on $(basename "$patch"): see above"
	done
}

check_all() {
	check_table
	check_letters
	check_form
	check_includes
	check_mails
	if [ "$broken" = 0 ]; then
		check_sizes
		check_patches
	fi
	[ -n "$commit$backport" ] || echo "OPEN no mail has a base-commit: $folder/base-commit is not there, so that --base is needed"
	[ "$broken" != 0 ] || printf '%s patches for %s apply without fuzz, in %s threads\n' "${#steps[@]}" "$linux" "${#threads[@]}"
	[ -n "$backport" ] || bar series_check_seconds $((EPOCHSECONDS - started)) seconds 60
	[ -n "$backport" ] || printf '%s\n' "${bars[@]}"
}
