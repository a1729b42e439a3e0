#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs clang-tidy on the tools' sources, each with the flags of its compilation.
# A source that passed is checked again only when it changes, when one of our
# headers that it includes changes, or when the list of checks (clang_tidy.yaml)
# changes.
#
# Usage: check/clang_tidy.sh [NAME...]
#
#   NAME  only sources whose path ends with this: report.cpp
#
# Exit status: 0 when nothing was found, else 1.
. "$(dirname "$0")/../lib/use.sh" work cache

# In Debian 12 and 13.
CLANG_TIDY=clang-tidy-19
config="$here/check/clang_tidy.yaml"

options '' "$@"
"$here/deps.sh" check

# wanted SOURCE NAME...: is it one of those?
wanted() {
	local name
	[ $# -gt 1 ] || return 0
	for name in "${@:2}"; do
		case "/$1" in */"$name") return 0 ;; esac
	done
	return 1
}

# compile_lines: what make would compile: "OBJECT SOURCE FLAGS".
compile_lines() {
	"$here/tools.sh" --always-make --dry-run all |
		sed -nE 's/^(ccache )?g\+\+ (.*) -c -o ([^ ]*\.o) ([^ ]*\.cpp)$/\3 \4 \2/p' |
		sed -E "s/ -M(MD|P|T '[^']*')//g"
}

# key SOURCE OBJECT FLAGS: of all that a result depends on, wherever the checkout is.
# The compiler wrote the list of headers beside the object; those of the system are
# represented by a version.
key() {
	local copy="${1%/tools/grtrace/*}"
	{
		printf '%s\n' "${3//"$copy"/}" "$version"
		cat "$config"
		cd "$copy/tools/grtrace"
		tr -s ' \\\n' '\n' <"${2%.o}.d" | grep -E '\.(h|cpp)$' | grep -v '^/usr/' | LC_ALL=C sort -u |
			xargs -d '\n' sha256sum | cut -d ' ' -f 1
	} | sha256sum | cut -c1-32
}

"$here/tools.sh" >/dev/null
version="$("$CLANG_TIDY" --version; dpkg-query -W libstdc++6 libfmt-dev || true)"
stamps="$CACHE/checks/clang-tidy"
mkdir -p "$stamps"
find "$stamps" -type f -mtime +30 -delete

sources=0 known=0
while read -r object source flags; do
	# Generated files are not ours.
	case "$source" in */tools/grtrace/*) ;; *) continue ;; esac
	wanted "$source" "$@" || continue
	sources=$((sources + 1))
	stamp="$stamps/$(key "$source" "$object" "$flags")"
	if [ -e "$stamp" ]; then
		touch "$stamp"
		known=$((known + 1))
		continue
	fi
	printf '%s\0%s\0%s\0' "$source" "$stamp" "$flags" >>"$work/list"
done < <(compile_lines)
[ "$sources" -gt 0 ] || die "no source to check: make compiles none that is called '$*'"

# One source a time and processor.  Only our own headers are of interest.
status=0
if [ -s "$work/list" ]; then
	note "clang-tidy: $((sources - known)) of $sources sources"
	# shellcheck disable=SC2016
	xargs -0 -n 3 -P "$(nproc)" bash -c '
		log="$(mktemp -p "$3")" || exit 1
		# The flags are words, and have no space in them.
		if "$1" --quiet --config-file="$2" --warnings-as-errors="*" --header-filter=tools/grtrace/src/ "$4" \
			-- $6 >"$log" 2>"$log.summary"; then
			touch "$5"
		else
			cat "$log" "$log.summary" >"$log.found"
		fi' tidy "$CLANG_TIDY" "$config" "$work" <"$work/list" || status=1
fi
# A header has the same remarks from each source: once is enough.
if compgen -G "$work/*.found" >/dev/null; then
	grep -hE ': (warning|error): ' "$work"/*.found | sed -E 's#^/[^:]*/(tools/grtrace/)#\1#' | LC_ALL=C sort -u ||
		cat "$work"/*.found
	status=1
fi
exit "$status"
