# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The mails of series.sh: a thread of the series as a branch, the thread's patches and
# cover letter, and the recipients. Needs cache.sh, series.sh, and
# each_patch().

# The caller's: repo, folder, work, tree, linux, and its options.
# shellcheck disable=SC2154

# clone: of the repository, to make branches in.
clone() {
	cp -a "$repo" "$work/repo"
	series_git "$work/repo" config user.name "$(git config user.name || echo grtrace)"
	series_git "$work/repo" config user.email "$(git config user.email || echo grtrace@localhost)"
}

# thread_steps THREAD...: their steps, in the order of the series.
thread_steps() {
	local step
	for step in "${steps[@]}"; do
		case " $* " in *" ${step_thread[$step]} "*) printf '%s\n' "$step" ;; esac
	done
}

# thread_files THREAD: the files that its steps change.
thread_files() {
	local step
	for step in $(thread_steps "$1"); do
		series_git "$repo" diff --name-only "$step^" "$step"
	done | LC_ALL=C sort -u
}

# thread_needs THREAD: the threads before it on which it stands. A fix or an event needs
# those that change a file of its own, and what these need; all else needs all before it.
thread_needs() {
	local other
	for other in "${threads[@]}"; do
		[ "$other" != "$1" ] || break
		if [[ $1 != [01]/* ]] || [ -n "$(LC_ALL=C comm -12 <(thread_files "$other") <(thread_files "$1"))" ]; then
			thread_needs "$other"
			printf '%s\n' "$other"
		fi
	done | awk '!seen[$0]++'
}

# thread_branch THREAD: a branch of that name, and a tag from-THREAD where it begins.
thread_branch() {
	local thread="$1" needs mine
	mapfile -t mine < <(thread_steps "$thread")
	if [[ $thread != [01]/* ]]; then
		series_git "$work/repo" branch -q -f "$thread" "${mine[-1]}"
		series_git "$work/repo" tag -f "from-$thread" "${mine[0]}^" >/dev/null
		return
	fi
	mapfile -t needs < <(thread_needs "$thread")
	mapfile -t needs < <([ ${#needs[@]} = 0 ] || thread_steps "${needs[@]}")
	series_git "$work/repo" checkout -q -B "$thread" base
	if ! { [ ${#needs[@]} = 0 ] || series_git "$work/repo" cherry-pick --allow-empty "${needs[@]}"; } >"$work/said" 2>&1 ||
		! series_git "$work/repo" tag -f "from-$thread" >/dev/null ||
		! series_git "$work/repo" cherry-pick --allow-empty "${mine[@]}" >"$work/said" 2>&1; then
		cat "$work/said" >&2
		series_git "$work/repo" cherry-pick --abort
		die "the thread $thread does not stand alone: see above"
	fi
}

# thread_previous THREAD: the branch before-THREAD, of the mails in "previous".
thread_previous() {
	local mails
	mails="$(find "$previous/$1" -name '*.patch' ! -name '*0000-cover-letter.patch' 2>/dev/null | LC_ALL=C sort)"
	[ -n "$mails" ] || return 1
	series_git "$work/repo" checkout -q -B "before-$1" "from-$1"
	# shellcheck disable=SC2086
	if ! series_git "$work/repo" am -q -3 $mails >/dev/null 2>&1; then
		series_git "$work/repo" am --abort
		note "there is no range-diff for $1: its mails in $previous do not apply any more"
		return 1
	fi
}

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

# said: what follows a letter, or the line "---" of a patch that has none.
said() {
	[ -z "$statement" ] || { echo; cat "$statement"; }
	changes
}

# letter FILE TEXT: subject and body into git's cover letter.
letter() {
	local file="$1" text="$2"
	{ expand "$text" | sed 1,2d; said; } >"$work/blurb"
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

# declare_in MAIL: the trailers of the options, after those that the patch has.
declare_in() {
	local add=() line
	for line in "${trailers[@]}"; do
		add+=(--trailer "$line")
	done
	[ -z "$signoff" ] || add+=(--trailer "Signed-off-by: $(git config user.name) <$(git config user.email)>")
	[ ${#add[@]} = 0 ] || git -c trailer.ifexists=addIfDifferent interpret-trailers --in-place "${add[@]}" "$1"
}

# thread_mails THREAD DIR: into DIR, without recipients.
thread_mails() {
	local thread="$1" dir="$2" text mail mails options=(--no-cover-letter -n) prefix=PATCH
	text="$folder/cover.${thread/\//-}"
	thread_branch "$thread"
	[ -z "$rfc${thread_rfc[$thread]:-}" ] || prefix="RFC PATCH"
	[ "$version" = 1 ] || options+=(-v "$version")
	if [ "$(thread_steps "$thread" | wc -l)" -gt 1 ]; then
		options+=(--cover-letter --thread=shallow)
		[ -e "$text" ] || die "the thread $thread has no cover letter: write $text"
	fi
	if [ -n "$previous" ] && thread_previous "$thread"; then
		options+=(--range-diff="from-$thread..before-$thread")
	fi
	series_git "$work/repo" checkout -q "$thread"
	rm -rf "$dir"
	series_git "$work/repo" format-patch -q --no-signature --subject-prefix="$prefix" --base=base \
		"${options[@]}" -o "$dir" "from-$thread..$thread"
	mapfile -t mails < <(find "$dir" -name '*.patch' | LC_ALL=C sort)
	for mail in "${mails[@]}"; do
		# Our base is a commit of our own.
		sed -i "s/^base-commit: .*/base-commit: $commit/; /^base-commit: \$/d" "$mail"
		case "$mail" in
		*0000-cover-letter.patch) letter "$mail" "$text" ;;
		*)
			declare_in "$mail"
			if [ ${#mails[@]} = 1 ]; then
				said >"$work/blurb"
				[ ! -s "$work/blurb" ] || sed -i "0,/^---\$/{/^---\$/r $work/blurb
				}" "$mail"
			fi ;;
		esac
	done
}

# recipients PATCH: lines "to ADDRESS" and "cc ADDRESS".  Each run of
# get_maintainer.pl takes seconds: kept by what it depends on.
recipients() {
	local known
	known="$CACHE/checks/who-$({ sed '1,/^---$/d' "$1" | grep -vE '^(index|base-commit:|prerequisite-patch-id:) '; git config user.email
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

# thread_addresses DIR: the recipients into its mails; the letter goes to all of them.
thread_addresses() {
	local mail plain list="$work/list"
	mapfile -t plain < <(find "$1" -name '*.patch' ! -name '*0000-cover-letter.patch' | LC_ALL=C sort)
	each_patch recipients "${plain[@]}"
	: >"$list.all"
	for mail in "${plain[@]}"; do
		recipients "$mail" >"$list"
		cat "$list" >>"$list.all"
		address "$mail" "$list"
	done
	for mail in "$1"/*0000-cover-letter.patch; do
		[ -e "$mail" ] || continue
		# "to" first: who has one patch in copy and another as its maintainer.
		LC_ALL=C sort -r "$list.all" >"$list"
		address "$mail" "$list"
	done
}
