# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The stage of a step: its files laid out as in a kernel's tree, with the
# Makefile and Kconfig of all steps so far, and its patch applied. Needs
# report.sh and series.sh, which sources it.

# The scripts that source this file use what is set here.
# shellcheck disable=SC2034,SC2154

# intree_makefile STAGE: of our Makefile on stdin, what holds in STAGE: without
# what external building needs, and of the paragraphs those whose sources exist.
intree_makefile() {
	# What is between the two is make's, not the shell's.
	# shellcheck disable=SC2016
	sed '/^ifneq (\$(KBUILD_EXTMOD),)$/,/^endif$/d' |
		awk -v folder="$1/drivers/gpu/grtrace/" '
	function exists(file,   line, found) {
		found = (getline line <file) >= 0
		close(file)
		return found
	}
	BEGIN { RS = ""; ORS = "" }
	{
		text = $0
		gsub(/#[^\n]*/, "", text)
		gsub(/\\\n/, " ", text)
		count = split(text, line, "\n")
		delete made
		for (i = 1; i <= count; i++)
			if (match(line[i], /^[a-z0-9_]+-(y|objs|\$\([A-Z0-9_]+\))/)) {
				name = substr(line[i], 1, RLENGTH)
				sub(/-(y|objs|\$.*)$/, "", name)
				made[name ".o"] = 1
			}
		for (i = 1; i <= count; i++) {
			if (line[i] !~ /^[a-z0-9_]+-[^ ]+ *[:+]?=/)
				continue
			words = split(line[i], word, /[ \t]+/)
			for (j = 1; j <= words; j++)
				if (word[j] ~ /\.o$/ && !(word[j] in made) &&
				    !exists(folder substr(word[j], 1, length(word[j]) - 1) "c"))
					next
		}
		print (NR > 1 ? "\n" : "") $0 "\n"
	}'
}

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
		drivers/gpu/grtrace/Makefile|drivers/gpu/grtrace/Kconfig) : >"$stage/$file" ;;
		tools/testing/selftests/grtrace/modules/Makefile)
			# as make reads it
			# shellcheck disable=SC2016
			sed '/^ifeq (\$(CONFIG_GRTRACE),)$/,/^endif$/d' "$file" | cat -s >"$stage/$file" ;;
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

# series_rules STAGE: Makefile and Kconfig as they are with the files in STAGE.
series_rules() {
	local core=drivers/gpu/grtrace
	[ -e "$1/$core/Makefile" ] || return 0
	intree_makefile "$1" <"$core/Makefile" >"$1/$core/Makefile"
	intree_kconfig "$1/$core/Makefile" <"$core/Kconfig" >"$1/$core/Kconfig"
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
