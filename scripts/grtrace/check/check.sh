#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs the static checks, which look at the source without running it. Prints a
# TAP line for each; the findings of a failed check appear above its line.
#
# Usage: check.sh [--again] [--without CHECK] [CHECK...]
#
#   --again  also the checks that passed before on the same files
#   --without CHECK
#            all but these; repeatable
#   CHECK    only these, "intree-*" for several: shellcheck clang-format checkpatch kernel-doc
#            uapi-header levels tested file-size leftovers english pages seeds sparse-6.12 sparse-7.3 coccinelle
#            w1-gcc w1-clang, of the patched kernel intree-gcc intree-clang
#            intree-coccinelle intree-docs intree-tracepoints intree-kconfig,
#            and of the tools clang-tidy
#
# The first time, the checks of the patched kernel compile everything that the series touches, and
# intree-tracepoints builds that kernel (intree.sh). Later they compile only files that changed.
#
# Exit status: 0 when all checks passed or were skipped, else 1; 2 wrong usage.

. "$(dirname "$0")/../lib/use.sh" cache files checkpatch
checks=(shellcheck clang-format checkpatch kernel-doc uapi-header levels tested file-size leftovers english pages seeds
	sparse-6.12 sparse-7.3 coccinelle w1-gcc w1-clang
	intree-gcc intree-clang intree-coccinelle intree-docs intree-tracepoints intree-kconfig
	clang-tidy)

again="" without=()
options '--again --without+' "$@"
set -- "${args[@]}"
# matches NAME PATTERN...
matches() {
	local pattern
	for pattern in "${@:2}"; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ "$1" != $pattern ]] || return 0
	done
	return 1
}
for pattern in "$@" "${without[@]}"; do
	for name in "${checks[@]}" ''; do
		! matches "$name" "$pattern" || break
	done
	[ -n "$name" ] || usage_error "unknown check '$pattern'"
done
chosen=()
for name in "${checks[@]}"; do
	[ $# = 0 ] || matches "$name" "$@" || continue
	matches "$name" "${without[@]}" || chosen+=("$name")
done
cd "$checkout"
"$here/deps.sh" build check

# Lines a file may have; a longer one is two files in one.
MAX_LINES=700

core=drivers/gpu/grtrace
selftests=tools/testing/selftests/grtrace
words=tools/grtrace/tests/guest
bench=scripts/grtrace/bench/module
kernel_files=("$core"/{,tests/}*.[ch] include/linux/grtrace.h include/uapi/drm/grtrace_drm.h "$selftests"/{,modules/}*.[ch]
	"$bench"/*.[ch] "$words"/{,stubs/}*.[ch])

# shell_scripts: by name, or by their first line.
shell_scripts() {
	our_files | while read -r file; do
		case "$file" in
		*.sh|*.t) printf '%s\n' "$file" ;;
		*.[ch]|*.cpp|*.md|*.txt|*.rst) ;;
		*) ! head -n 1 "$file" | tr -d '\0' | grep -qE '^#!.*sh$|^#!.*sh ' || printf '%s\n' "$file" ;;
		esac
	done
}

check_shellcheck() {
	local files
	mapfile -t files < <(shell_scripts)
	[ ${#files[@]} -gt 0 ] || { echo "no shell script found"; return 1; }
	shellcheck --external-sources "${files[@]}"
}

# The C++ files; tests/guest/ contains the kernel's C.
check_clang-format() {
	local files
	mapfile -t files < <(our_files tools/grtrace | grep -E '\.(cpp|h)$' | grep -v ^tools/grtrace/tests/guest/)
	clang-format-19 --dry-run --Werror "${files[@]}"
}

# One source builds for 6.12 to 7.3, and checkpatch takes LINUX_VERSION_CODE
# for a constant.  lib/checkpatch.sh has what does not hold in the tree either.
CHECKPATCH_IGNORE=LINUX_VERSION_CODE,CONSTANT_COMPARISON

check_checkpatch() {
	checkpatch "$("$here/kernel/kernel.sh" 7.3 source)" --no-tree --ignore "$CHECKPATCH_IGNORE" -f "${kernel_files[@]}"
}

check_kernel-doc() {
	local source
	source="$("$here/kernel/kernel.sh" 7.3 source)"
	python3 "$source/scripts/kernel-doc" -none -Werror \
		include/linux/grtrace.h include/uapi/drm/grtrace_drm.h "$core"/{,tests/}*.[ch] {"$selftests"/modules,"$bench"}/*.[ch] 2>&1
}

# The contract compiles alone and twice, as C and as C++, without a warning.
check_uapi-header() {
	local language
	for language in c:gnu89 c:c11 c:gnu2x c++:c++11 c++:c++20; do
		printf '#include <drm/grtrace_drm.h>\n#include <drm/grtrace_drm.h>\n' |
			gcc -x "${language%:*}" -std="${language#*:}" -Wall -Wextra -Wpadded -Werror \
				-Iinclude/uapi -fsyntax-only - || { echo "as $language"; return 1; }
	done
}

check_levels() { "$here/check/levels.sh"; }

# Each file of the core is in the table of its tests, and each test is there.
check_tested() {
	local readme="$selftests/README.rst" file name row test status=0
	for file in "$core"/*.[ch]; do
		name="${file##*/}"
		row="$(sed -nE "s/^  (\S+) {2,}/\1 /p" "$readme" | sed -n '/^channel\*/,$p' | while read -r pattern tests; do
			! matches "${name%.?}" "$pattern" || { printf '%s\n' "$tests"; break; }
		done)"
		case "$name:$row" in
		compat.h:*|lookup_name.c:*) continue ;;	# not in the tree
		*:"a suite of its name") row="${name%.?}_test" ;;
		*:) echo "$file: no row in $readme has its tests"; status=1 ;;
		esac
		for test in $row; do
			compgen -G "$core/tests/$test.c" >/dev/null || compgen -G "$selftests/$test.*" >/dev/null ||
				{ echo "$readme: $file: there is no $test"; status=1; }
		done
	done
	for file in "$selftests"/*_test.*; do
		name="${file##*/}"
		grep -q "^  ${name%.c} " "$readme" || { echo "$readme: has no line for $name"; status=1; }
	done
	return "$status"
}

check_file-size() {
	local lines file status=0
	while read -r lines file; do
		# The contract is one file, and most of it is kernel-doc.
		[ "$file" != ./include/uapi/drm/grtrace_drm.h ] || continue
		if [ "$lines" -gt "$MAX_LINES" ]; then
			echo "$file: $lines lines, the limit is $MAX_LINES: split it by noun"
			status=1
		fi
	done < <(our_files | xargs -d '\n' wc -l | grep -v ' total$')
	return "$status"
}

# Notes to oneself belong to the issue tracker.
check_leftovers() {
	! our_files | grep -v '/check\.sh$' | xargs -d '\n' grep -nIE '\b(TODO|FIXME|XXX)\b|^(<<<<<<<|>>>>>>>) '
}

# The pages for users: plain sentences, and what they name is in the source.
check_english() { python3 -B "$here/check/english.py"; }
check_pages() { python3 -B "$here/check/pages.py"; }
check_seeds() { python3 -B "$here/check/seeds.py"; }

check_sparse-6.12() { "$here/check/sparse.sh" 6.12; }
check_sparse-7.3() { "$here/check/sparse.sh" 7.3; }
check_coccinelle() { "$here/check/coccinelle.sh"; }

# With the compilers that the bases were built with: gcc 12 and gcc 14.
check_w1-gcc() { "$here/kernel/modules.sh" 6.12-bookworm && "$here/kernel/modules.sh" 7.3; }
check_w1-clang() { "$here/check/clang.sh" 6.12 && "$here/check/clang.sh" 7.3; }

# The patched kernel: what the series adds to it, and what it changes there.
check_intree-gcc() { "$here/check/intree.sh" gcc; }
check_intree-clang() { "$here/check/intree.sh" clang; }
check_intree-coccinelle() { "$here/check/coccinelle.sh" --patched; }
check_intree-docs() { "$here/check/intree_docs.sh"; }
check_intree-tracepoints() { "$here/check/intree_tracepoints.sh"; }
# Without the kernels: links.sh builds them, in more time than there is here.
check_intree-kconfig() { "$here/check/links.sh" --config; }

# It remembers by itself which sources passed before.
check_clang-tidy() { "$here/check/clang_tidy.sh"; }

# A check that takes seconds is not run again on files that passed: NAME=PATHS, the
# files that it reads.
modules="$core $selftests/modules $bench include/linux/grtrace.h include/uapi/drm/grtrace_drm.h"
libs="$(printf 'scripts/grtrace/lib/%s ' series.{sh,py} series_stage.py {touched,overlay,kbuild}.sh)"
patched="drivers include $libs"
intree="$patched scripts/grtrace/kernel/config scripts/grtrace/check/intree.sh scripts/grtrace/lib/sparse.sh"
declare -A reads=(
	[clang-format]="tools/grtrace .clang-format"
	[checkpatch]="$modules $selftests $words scripts/grtrace/lib/checkpatch.sh"
	[sparse-6.12]="$modules scripts/grtrace/check/sparse.sh scripts/grtrace/lib/sparse.sh"
	[sparse-7.3]="$modules scripts/grtrace/check/sparse.sh scripts/grtrace/lib/sparse.sh"
	[coccinelle]="$modules scripts/coccinelle/grtrace scripts/grtrace/check/coccinelle.sh"
	[w1-gcc]="$modules scripts/grtrace/kernel/modules.sh"
	[w1-clang]="$modules scripts/grtrace/kernel/modules.sh scripts/grtrace/check/clang.sh"
	[intree-gcc]="$intree"
	[intree-clang]="$intree"
	[intree-coccinelle]="drivers/gpu/drm $libs scripts/coccinelle/grtrace/macros.h
		scripts/grtrace/check/coccinelle.sh"
	[intree-docs]="$patched Documentation scripts/grtrace/check/intree_docs.sh"
	[intree-kconfig]="$core/Kconfig drivers/gpu/drm $libs scripts/grtrace/check/links.sh scripts/grtrace/kernel/config/links
		Documentation/gpu/grtrace/distribution.config tools/testing/selftests/grtrace/config"
	[intree-tracepoints]="$patched scripts/grtrace/kernel/config scripts/grtrace/check/intree_tracepoints.sh"
)

# stamp NAME: the file that says that the check passed on these files, with these
# kernels; nothing for a check that always runs.
stamp() {
	local paths key
	[ -n "${reads[$1]:-}" ] || return 0
	read -rd '' -a paths <<<"${reads[$1]}" || true
	key="$({
		printf '%s\n' "$kernels"
		sed -n '/^check_'"$1"'()/p' "$here/check/check.sh"
		our_files "${paths[@]}" | grep -v '/[0-9.]*/cover' | LC_ALL=C sort | tr '\n' '\0' | xargs -0 sha256sum
	} | sha256sum)"
	printf '%s\n' "$CACHE/checks/$1-${key:0:16}"
}

kernels="$(for base in 6.12 6.12-bookworm 7.3; do "$here/kernel/kernel.sh" "$base" release; done)"
mkdir -p "$CACHE/checks"
find "$CACHE/checks" -type f -mtime +30 -delete
printf 'TAP version 13\n1..%s\n' "${#chosen[@]}"
status=0
number=0
for name in "${chosen[@]}"; do
	number=$((number + 1))
	stamp="$(stamp "$name")"
	if [ -z "$again" ] && [ -n "$stamp" ] && [ -e "$stamp" ]; then
		touch "$stamp"
		printf 'ok %s %s\n' "$number" "$name"
		continue
	fi
	result=0
	found="$("check_$name" 2>&1)" || result=$?
	case "$result" in
	0)
		[ -z "$stamp" ] || touch "$stamp"
		printf 'ok %s %s\n' "$number" "$name" ;;
	4)
		printf 'ok %s %s # SKIP %s\n' "$number" "$name" "$(tail -n 1 <<<"$found")" ;;
	*)
		# shellcheck disable=SC2001
		sed 's/^/# /' <<<"$found"
		printf 'not ok %s %s\n' "$number" "$name"
		status=1 ;;
	esac
done
exit "$status"
