#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks the documentation of the patched tree: kernel-doc -Wall over what the
# series adds and touches, make htmldocs for our pages, and other pages that a
# patch changes, built by themselves. A finding in a file of the kernel counts
# only if the original file does not have it. Prints the remaining findings.
#
# Usage: check/intree_docs.sh
#
# Exit status: 0 clean, 1 findings.

# Functions that the cache calls use variables of their caller:
# shellcheck disable=SC2154
shopt -s inherit_errexit
. "$(dirname "$0")/../lib/use.sh" work cache series overlay touched

BASE=7.3
PAGES=gpu/grtrace

options '' "$@"
[ $# = 0 ] || usage_error "takes no argument"
"$here/deps.sh" docs series
# Nothing is to be left among the sources; and the programs are Debian's, whatever
# else is called python3 here.
export PYTHONPYCACHEPREFIX="$work/pycache"
PYTHON=/usr/bin/python3
SPHINX=/usr/bin/sphinx-build

# Warnings that are wrong here, with the reason.
#   -Wreturn  the first line says what is returned, where it is yes or no or a
#	single value; the kernel asks for more with W=2 only
KNOWN="No description found for return value of "

# kernel_doc TREE FILE...: messages as "FILE:LINE: TEXT".
kernel_doc() {
	local top="$1"; shift
	[ $# -gt 0 ] || return 0
	{ cd "$top" && "$PYTHON" scripts/kernel-doc -none -Wall "$@" 2>&1; } | { grep -vF "$KNOWN" || true; } |
		sed -E 's/^(Warning|Error|Info): ([^ ]+) /\2: /; s/^([^ ]+:[0-9]+):? /\1: /'
}

# build_pages TREE PAGE...: what sphinx says of these pages, without the others.
# A name that is defined on one of those is not known then, before as after.
build_pages() {
	local top="$1" stage="$work/stage" page; shift
	rm -rf "$stage"
	# An extension looks for these by name.
	mkdir -p "$stage/Documentation/process"
	cp "$top/MAINTAINERS" "$stage/"
	printf ':orphan:\n' >"$stage/Documentation/process/maintainers.rst"
	{
		printf 'pages\n=====\n\n.. toctree::\n\n'
		printf '   /%s\n' "${@%.rst}"
	} >"$stage/Documentation/index.rst"
	for page; do
		mkdir -p "$stage/Documentation/${page%/*}"
		cp "$top/Documentation/$page" "$stage/Documentation/$page"
	done
	srctree="$top" "$PYTHON" "$SPHINX" -q -b dummy -c "$top/Documentation" -d "$work/doctrees" -E \
		-D kerneldoc_srctree="$top" -D version=0 -D release=0 "$stage/Documentation" "$work/pages" 2>&1 |
		grep -E 'WARNING|ERROR|Error' | grep -v 'dot(1) not found' |
		sed "s#$stage/##g; s#$top/##g"
}

check_docs() {
	local new old pages status=0
	mapfile -t new < <(touched new '^(drivers|include)/.*\.[ch]$')
	mapfile -t old < <(touched old '\.[ch]$')
	# A table of contents is built with all that is in it or not at all.
	mapfile -t pages < <(touched old '^Documentation/.*\.rst$' | sed 's|^Documentation/||' | grep -v '/index\.rst$')

	kernel_doc "$source" "${old[@]}" >"$work/then"
	kernel_doc "$tree" "${old[@]}" "${new[@]}" >"$work/now"
	only_new "$work/then" "$work/now" >"$work/kernel-doc"

	if ! make -C "$tree" O="$work/html" PYTHON3="$PYTHON" SPHINXBUILD="$SPHINX" SPHINXDIRS="$PAGES" htmldocs \
		>"$work/html.log" 2>&1 </dev/null; then
		tail -n 20 "$work/html.log"
		status=1
	elif ! find "$work/html" -path "*/$PAGES/*" -name stream.html | grep -q .; then
		tail -n 20 "$work/html.log"
		echo "make htmldocs built no page of $PAGES"
		status=1
	fi
	grep -E 'WARNING|ERROR' "$work/html.log" | grep -v 'dot(1) not found' | sed "s#$tree/##g" >"$work/html.found" || true

	: >"$work/pages.found"
	if [ ${#pages[@]} -gt 0 ]; then
		build_pages "$source" "${pages[@]}" >"$work/pages.then" || true
		build_pages "$tree" "${pages[@]}" >"$work/pages.now" || true
		only_new "$work/pages.then" "$work/pages.now" >"$work/pages.found"
	fi
	if cat "$work/kernel-doc" "$work/html.found" "$work/pages.found" | grep .; then
		status=1
	fi
	return "$status"
}

source="$(overlay_source "$BASE")"
cd "$checkout"
overlay_with "$source" check check_docs
