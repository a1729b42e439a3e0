# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The stage of a step: its files laid out as in a kernel's tree, with the
# Makefiles and Kconfig of all steps so far, and its patch applied. Needs
# report.sh and series.sh, which sources it.

# The scripts that source this file use what is set here.
# shellcheck disable=SC2034,SC2154

# intree_makefile STAGE FOLDER: reduces our Makefile on stdin to what STAGE needs: leaves out
# parts for external builds, and from its lists the words (X.o or X) whose file X.c is not
# there. A list without words is removed, and so is a paragraph without lists.
intree_makefile() {
	# What is between the two is make's, not the shell's.
	# shellcheck disable=SC2016
	sed -e '/^ifneq (\$(KBUILD_EXTMOD),)$/,/^endif$/d' -e '/^ifeq (\$(CONFIG_GRTRACE),)$/,/^endif$/d' | cat -s |
		awk -v stage="$1/$2" '
	# there(WORD): 1 when its file is in the stage, 0 when not yet, -1 for what is no file
	function there(word,   name) {
		sub(/\.o$/, ".c", word)
		if (word in ours)
			name = word
		else if (word ".c" in ours)
			name = word ".c"
		else
			return -1
		return name in staged
	}
	# entry(LINES): one assignment, its continued lines with it
	function entry(lines,   text, count, word, i, kept, gone, line, out) {
		text = lines
		gsub(/\\\n/, " ", text)
		if (text ~ /^#/ || !match(text, /^[A-Za-z0-9_$()-]+[ \t]*[:+]?=[ \t]*/))
			return lines
		line = substr(text, 1, RLENGTH)
		sub(/[ \t]*$/, "", line)
		count = split(substr(text, RLENGTH + 1), word, /[ \t]+/)
		for (i = 1; i <= count; i++) {
			if (there(word[i]) == 0) {
				gone++
				continue
			}
			if (there(word[i]) > 0)
				found++
			if (word[i] == "")
				continue
			kept++
			if (length(line " " word[i]) > 74) {
				out = out line " \\\n"
				line = "\t  " word[i]
			} else
				line = line " " word[i]
		}
		missing += gone
		if (!gone)
			return lines
		return kept ? out line : "\001"
	}
	FILENAME != "-" { if (FILENAME == ARGV[1]) ours[$0]; else staged[$0]; next }
	{ text = text $0 "\n" }
	END {
		count = split(text, paragraph, /\n\n+/)
		for (p = 1; p <= count; p++) {
			found = missing = 0
			out = held = ""
			lines = split(paragraph[p], line, "\n")
			for (i = 1; i <= lines; i++) {
				held = held (held == "" ? "" : "\n") line[i]
				if (line[i] ~ /\\$/)
					continue
				done = entry(held)
				if (done != "\001")
					out = out done "\n"
				held = ""
			}
			if (missing && !found)
				continue
			sub(/\n+$/, "", out)
			if (out != "")
				printf "%s%s\n", any++ ? "\n" : "", out
		}
	}' <(files_in "$2") <(files_in "$1/$2") -
}

# files_in FOLDER: with their folders below it.
files_in() { [ ! -d "$1" ] || find "$1" -type f -printf '%P\n'; }

# intree_kconfig MAKEFILE: of our Kconfig on stdin, the entries that MAKEFILE has
# a line for.
intree_kconfig() {
	awk '
	function entry() {
		if (name == "" || index(makefile, "CONFIG_" name ")"))
			printf "%s", text
		text = name = ""
	}
	FNR == NR { makefile = makefile $0 "\n"; next }
	/^config / { entry(); name = $2 }
	{ text = text $0 "\n" }
	END { entry() }' "$1" - | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}'
}

# series_compat: for unifdef, whether a kernel is older than what our files are
# written for.
series_compat() {
	if [ -n "$backport" ]; then
		echo -DGRTRACE_COMPAT
	else
		echo -UGRTRACE_COMPAT
	fi
}

# series_lay STAGE FILE...: files of ours into STAGE, in their form there.
series_lay() {
	local stage="$1" file; shift
	for file; do
		mkdir -p "$(dirname "$stage/$file")"
		case "$file" in
		drivers/gpu/grtrace/Kconfig) : >"$stage/$file" ;;
		drivers/gpu/grtrace/Makefile|tools/testing/selftests/grtrace/*Makefile) : >"$stage/$file" ;;
		*.[ch])
			if grep -qE 'GRTRACE_(EXTERNAL|COMPAT)' "$file"; then
				unifdef -x 2 -B -UGRTRACE_EXTERNAL "$(series_compat)" -o "$stage/$file" "$file" ||
					die "$file: unifdef could not take what is for external building out of it"
			else
				cp "$file" "$stage/$file"
			fi ;;
		*) cp -p "$file" "$stage/$file" ;;
		esac
	done
}

# series_rules STAGE: Makefiles and Kconfig as they are with the files in STAGE.
series_rules() {
	local core=drivers/gpu/grtrace tests=tools/testing/selftests/grtrace folder
	for folder in "$core" "$tests" "$tests/modules" "$tests/destructive"; do
		if [ -e "$1/$folder/Makefile" ]; then
			intree_makefile "$1" "$folder" <"$folder/Makefile" >"$1/$folder/Makefile"
		fi
	done
	if [ -e "$1/$core/Kconfig" ]; then
		intree_kconfig "$1/$core/Makefile" <"$core/Kconfig" >"$1/$core/Kconfig"
	fi
}

# series_patch PATCH STAGE VERSION: apply it without fuzz, or say what does not.
series_patch() {
	local patch="$1" stage="$2" said file where
	while read -r file; do
		[ -e "$stage/$file" ] || die "$patch does not apply to Linux $3: there is no $file"
	done < <(patch_touches "$patch")
	[ -n "$(patch_diff "$patch" | head -c 1)" ] || return 0
	if said="$(patch_diff "$patch" | patch -p1 -F0 -f --no-backup-if-mismatch -r - -d "$stage" 2>&1)"; then
		return
	fi
	# The first hunk that failed, with the line the patch itself has for it.
	read -r file where < <(awk '/^(checking|patching) file / { file = $3 }
		/^Hunk #[0-9]+ FAILED/ { sub(/^#/, "", $2); print file, $2; exit }' <<<"$said") || true
	if [ -z "$where" ]; then
		printf '%s\n' "$said" >&2
		die "$patch does not apply to Linux $3: see patch's message above"
	fi
	die "$patch does not apply to Linux $3: hunk $where of $file, $(patch_diff "$patch" |
		awk -v file="+++ b/$file" -v want="$where" '$0 == file { mine = 1; next } /^diff / { mine = 0 }
			mine && /^@@ / && ++hunk == want { print; exit }')"
}
