#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Compiles what the series adds and touches in the kernel, object by object, with
# W=1, and with sparse if the compiler is gcc (C=1: only compiled files). A
# finding in a file of the kernel counts only if the same command does not report
# it for the original file. Prints the remaining findings.
#
# With gcc it also compiles each header that the series adds, alone and included
# twice. Headers for user space are compiled in their installed form, as in the
# kernel's check.
#
# It uses the gcc of Debian 13. The gcc of Debian 12 builds the kernel for guests
# (intree.sh), and that build also fails on warnings.
#
# Usage: check/intree.sh gcc|clang
#
# Exit status: 0 clean, 1 findings, 4 cannot run here: the last line says why.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" cache apt base series overlay kbuild sparse touched

BASE=7.3
CLANG=clang-19

# Reports that are wrong, with the reason.
#   dma_fence_driver_name() and the other return __rcu pointers, which all trace
#   events of that header copy as they are: they run in RCU's read side
KNOWN='^include/trace/events/dma_fence\.h:[0-9:]+ warning: incorrect type in .* \(different address spaces\)$'

options '' "$@"
case "${1:-}" in gcc|clang) ;; *) usage_error "needs a compiler: gcc or clang" ;; esac
compiler="$1"
"$here/deps.sh" check kernel series
sparse=''
[ "$compiler" != gcc ] || sparse="$(new_sparse)"
if [ "$compiler" = gcc ] && [ -z "$sparse" ]; then
	echo "no sparse that can read $BASE: it is in Debian $SPARSE_SUITE, which cannot be reached"
	exit 4
fi

# run_here CMD...: in the userland that has the compiler.
run_here() {
	case "$compiler" in
	gcc) "$here/kernel/builder.sh" "$BASE" -- "$@" ;;
	clang) "$@" ;;
	esac </dev/null
}

# kmake ARGS...: kernel-doc has a check of its own.
kmake() {
	local using=()
	[ "$compiler" = gcc ] || using=("CC=$CLANG")
	run_here make -j "$(nproc)" -C "$tree" O="$build" cmd_checkdoc= W=1 "${using[@]}" "$@"
}

# messages: of what make printed, "OBJECT<tab>MESSAGE" for each warning or error
# of the compiler, sparse or objtool.
messages() {
	awk -v tree="$tree/" -v build="$build/" '
	/^  (CC|CHECK|AS|OBJTOOL) / { object = $NF; sub(/\.[co]$/, "", object); next }
	/(^|[^[:alnum:]])(warning|error|fatal error): / {
		while ((at = index($0, tree)) > 0)
			$0 = substr($0, 1, at - 1) substr($0, at + length(tree))
		while ((at = index($0, build)) > 0)
			$0 = substr($0, 1, at - 1) substr($0, at + length(build))
		print object "\t" $0
	}'
}

# as_it_was OBJECT...: what the same commands say of the kernel without the
# series.  Only the configuration and what is generated are those of the build.
as_it_was() {
	local object
	for object; do
		[ -e "$source/$object.c" ] || continue
		# kbuild keeps the compiler's command in a file, make shows that of sparse; the
		# compiler's output is not needed.
		{
			sed -n '1s/^savedcmd_[^ ]* := //p' "$build/${object%/*}/.${object##*/}.o.cmd" | sed 's/ ; .*//'
			if [ -n "$sparse" ]; then
				grep -F -- "$sparse " "$build/commands" | grep -F "/$object.c" || true
			fi
		} | sed -E "s#$tree/#$source/#g; s# -Wp,-MMD,[^ ]*##; s# -o [^ ]*\\.o # -o /dev/null #" >"$build/replay"
		echo "  CC      $object.o"
		run_here env -C "$build" sh ./replay 2>&1 | sed "s#$source/#$tree/#g" || true
	done
}

# header_commands HEADER...: a shell command each, which compiles the header alone
# and twice, as an object of its folder is compiled: that of its name, else the
# first.  include/linux has no objects; the core's will do.
header_commands() {
	local header object like
	for header; do
		like="${header%/*}"
		[ "$like" != include/linux ] || like=drivers/gpu/grtrace
		object="$({
			printf '%s\n' "${objects[@]}" | grep -xF -- "${header%.h}" ||
				printf '%s\n' "${objects[@]}" | grep -E "^$like/[^/]*\$" || true
		} | head -n 1)"
		[ -n "$object" ] || { echo "$header: nothing in its folder is compiled" >&2; return 1; }
		sed -n '1s/^savedcmd_[^ ]* := //p' "$build/$like/.${object##*/}.o.cmd" |
			sed -E "s# -Wp,-MMD,[^ ]*##; s# -c -o .*# -fsyntax-only -x c /dev/null -include $tree/$header -include $tree/$header#"
	done
}

# uapi_commands HEADER...: the same for these, as usr/include/Makefile does it.
uapi_commands() {
	local header language
	for header; do
		header="usr/include/${header#include/uapi/}"
		for language in 'c -std=c90 -Werror=implicit-function-declaration' 'c++ -std=c++98'; do
			echo "gcc -Wall -fsyntax-only -nostdinc -I usr/include -x $language /dev/null" \
				"-include $header -include $header"
		done
		echo "perl $tree/usr/include/headers_check.pl usr/include $header"
	done
}

# headers_alone: prints the messages about the headers that the series adds.
headers_alone() {
	local ours uapi status=0
	mapfile -t ours < <(touched new '^(drivers|include/linux)/.*\.h$')
	mapfile -t uapi < <(touched new '^include/uapi/.*\.h$')
	kmake headers >"$build/log" 2>&1 || { tail -n 20 "$build/log"; return 1; }
	{ header_commands "${ours[@]}" && uapi_commands "${uapi[@]}"; } >"$build/alone" || return
	run_here env -C "$build" xargs -a alone -d '\n' -P "$(nproc)" -I{} sh -c '{}' >"$build/said" 2>&1 || status=1
	if [ -s "$build/said" ]; then
		sed "s#$tree/##g" "$build/said"
		status=1
	fi
	return "$status"
}

compile() {
	local build="$entry/build-$compiler" object status=0
	# A suite of a source is part of that, which includes it.
	mapfile -t objects < <({ touched new '^drivers/.*\.c$'; touched old '\.c$'; } |
		grep -vxF -f <(sed -nE 's|^#include "(tests/.*\.c)"$|drivers/gpu/grtrace/\1|p' "$here"/../../drivers/gpu/grtrace/*.c) |
		sed 's/\.c$//' | LC_ALL=C sort)
	mkdir -p "$build"
	kconfig_fragment "$tree" "${guest_config[@]}" >"$build/fragment.new"
	if ! { kconfig_set "$build/fragment.new" "$build" kmake && kmake prepare; } >"$build/log" 2>&1; then
		tail -n 40 "$build/log"
		echo "the patched tree could not be configured"
		return 1
	fi
	# A run that was cut short has left objects whose warnings were not read.
	if [ -e "$build/unread" ]; then
		( cd "$build" && rm -f "${objects[@]/%/.o}" )
	fi
	touch "$build/unread"
	kmake -k -O ${sparse:+C=1 CHECK="$sparse"} "${objects[@]/%/.o}" >"$build/log" 2>&1 || status=$?
	messages <"$build/log" >"$build/now"
	: >"$build/then"
	mapfile -t warned < <(cut -f1 "$build/now" | LC_ALL=C sort -u)
	if [ ${#warned[@]} -gt 0 ]; then
		if [ -n "$sparse" ]; then
			kmake -k -O C=2 V=1 CHECK="$sparse" "${warned[@]/%/.o}" >"$build/commands" 2>&1 || true
		fi
		as_it_was "${warned[@]}" | messages >"$build/then"
	fi
	# The kernel does not change: what was said of its headers once stays known.
	touch "$build/headers"
	cut -f2 "$build/then" | without_places | LC_ALL=C sort -u -o "$build/headers" - "$build/headers"
	for object in "${warned[@]}"; do
		awk -F'\t' -v want="$object" '$1 == want { print $2 }' "$build/now" | { grep -vE "$KNOWN" || true; } >"$build/new"
		# A warning about the kernel's headers in a file of ours is the one that
		# they cause elsewhere, however often.
		if [ -e "$source/$object.c" ]; then
			awk -F'\t' -v want="$object" '$1 == want { print $2 }' "$build/then" >"$build/old"
		else
			grep -xFf "$build/headers" <(without_places <"$build/new") >"$build/old" || true
		fi
		only_new "$build/old" "$build/new" >"$build/found"
		if [ -s "$build/found" ]; then
			cat "$build/found"
			rm -f "$build/$object.o"	# warns again the next time
			status=1
		fi
	done
	if [ "$status" != 0 ] && ! [ -s "$build/now" ]; then
		tail -n 40 "$build/log"
	fi
	for object in "${objects[@]}"; do
		if [ ! -e "$build/$object.o" ] && ! grep -q "^$object	" "$build/now"; then
			echo "$object.c: was not compiled"
			status=1
		fi
	done
	rm -f "$build/unread"
	if [ "$compiler" = gcc ]; then
		headers_alone || status=1
	fi
	return "$status"
}

source="$(overlay_source "$BASE")"
cd "$checkout"
overlay_with "$source" check compile
