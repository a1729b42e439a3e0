#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs sparse over the kernel modules, as make C=2 does.  Prints the findings in
# our files.
#
# Usage: check/sparse.sh BASE
#
#   BASE  6.12, 6.12-bookworm, 6.12-trixie, 7.3
#
# Exit status: 0 clean, 1 findings, 4 cannot run here: the last line says why.
. "$(dirname "$0")/../lib/use.sh" cache base apt sparse

options '' "$@"
[ $# = 1 ] || usage_error "needs a base"
base="$(base_name "$1")"
core=drivers/gpu/grtrace
tests=tools/testing/selftests/grtrace/modules

case "$(base_series "$base")" in
6.12) sparse=sparse ;;
*)
	sparse="$(new_sparse)"
	if [ -z "$sparse" ]; then
		echo "no sparse that can read $base: it is in Debian $SPARSE_SUITE, which cannot be reached"
		exit 4
	fi ;;
esac
kernel="$("$here/kernel/kernel.sh" "$base" headers)"

mkdir -p "$CACHE"
build="$(mktemp -d "$CACHE/sparse-build.XXXXXX")"
trap 'rm -rf "$build"' EXIT
( cd "$checkout" && find "$core" "$tests" include/linux/grtrace.h include/uapi/drm/grtrace_drm.h \
	\( -name '*.[ch]' -o -name Makefile \) -exec cp --parents -t "$build" {} + )

# C=2 would be switched off: Debian's headers lack the script that checks whether
# sparse is good enough.  What C=2 sets is set instead.
# Debian's kernels are built without KUnit: its symbols are missing at the end.
sparse_make() { # DIR ARGS...
	local dir="$1"; shift
	"$here/kernel/builder.sh" "$base" -- make -k -j "$(nproc)" -O -C "$kernel" M="$build/$dir" V=1 W=1 "$@" \
		KBUILD_CHECKSRC=2 CHECK="$sparse" modules </dev/null
}
if ! { sparse_make "$core" CONFIG_GRTRACE_KUNIT_TEST=y KCFLAGS=-DCONFIG_KUNIT_MODULE=1 KBUILD_MODPOST_WARN=1 &&
	sparse_make "$tests" KBUILD_EXTRA_SYMBOLS="$build/$core/Module.symvers"; } >"$build/log" 2>&1; then
	grep -E '(^|[^[:alpha:]])[Ee]rror[: ]|warning: |\*\*\* ' "$build/log" | sed "s|$build/||g" | head -n 20
	echo "the modules could not be built for $base"
	exit 1
fi

# external_files DIR: what its Makefile builds outside the tree, tests included.  Sources
# that exist only in the tree are compiled with its drivers, by intree.sh.
external_files() {
	# shellcheck disable=SC2016
	printf 'include Makefile\nlist:\n\t@printf "%%s\\n" $(foreach module,$(obj-m),$($(module:.o=-y)))\n' |
		make -s --no-print-directory -C "$checkout/$1" -f - \
			KBUILD_EXTMOD=. src=. CONFIG_GRTRACE_KUNIT_TEST=y list | sed 's/\.o$/.c/'
}

status=0
for dir in "$core" "$tests"; do
	files="$(external_files "$dir")"
	[ -n "$files" ] || { echo "$dir/Makefile: make did not say what it builds"; status=1; }
	# Nothing to say about what it did not see is nothing said.
	while read -r file; do
		if ! grep -qE "^ *$sparse -D__linux__ .*[ /]$file *\$" "$build/log"; then
			echo "$dir/$file: sparse was not run over this file"
			status=1
		fi
	done <<<"$files"
done

# 7.3 names the files without their folder.  A header that cannot be read is an
# error wherever it is; what the kernel's headers are warned about is not ours.
names="$(find "$build" -name '*.[ch]' | sed 's|.*/||; s|\.|\\.|' | paste -sd'|')"
if grep -E "^([^ ]*/)?($names):[0-9]+(:[0-9]+)?: |^[^ ]+: error: " "$build/log" |
	grep -v "^[^ ]*: info: " | sed "s|^$build/||; s|^\(tests/[^/:]*:\)|$core/\1|; s|^\([^/:]*:\)|$core/\1|" | sort -u | grep .; then
	status=1
fi
exit "$status"
