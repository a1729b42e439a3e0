#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks which file includes which. The tables here divide the code into levels:
# a file uses the levels below it, and nothing of its own level or above.
#
# Usage: levels.sh
#
# Prints a line for each #include that breaks a rule; exit status 1 when there
# is such a line, or when a file has no place in the tables.
. "$(dirname "$0")/../lib/use.sh" report
options '' "$@"
cd "$checkout"

broken=0
breach() { printf '%s:%s: %s\n' "$1" "$2" "$3"; broken=1; }

# includes FILE: "<line> <what it includes>", quotes and brackets taken off.
includes() { sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]+)[">].*/\1/;T;=;p' "$1" | paste -d' ' - -; }

# in_list WORD LIST
in_list() { case " $2 " in *" $1 "*) return 0 ;; esac; return 1; }

# ------------------------------------------------------------- the kernel side
core=drivers/gpu/grtrace
modules=tools/testing/selftests/grtrace/modules
bench=scripts/grtrace/bench/module

# The core's levels.  A file includes what is on its own level or below; files
# of one level may know each other only where "beside" says so.
level=("stats slots stages sampling limiter compat channel channel_write channel_life channel_read filter fences watch rules"
	"rings record snapshot seconds live config"
	"lookup_name source metadata session hook"
	"emit debugfs")
beside="channel:channel_write channel_write:channel channel_write:stats channel_life:channel_write channel_life:compat channel_read:channel filter:stats sampling:channel sampling:slots fences:slots stages:slots watch:stages limiter:stages rules:stages rules:stats config:snapshot live:config seconds:live lookup_name:session metadata:session source:session"

# The headers of ours that files outside of the core may include.
door="linux/grtrace.h uapi/drm/grtrace_drm.h"

# level_of NAME: 0 to 3, or nothing.
level_of() {
	local i
	for i in "${!level[@]}"; do
		if in_list "$1" "${level[i]}"; then
			printf '%s\n' "$i"
		fi
	done
}

# may_include NAME OTHER: both of the core.
may_include() {
	local mine theirs
	[ "$1" != "$2" ] || return 0
	mine="$(level_of "$1")"
	theirs="$(level_of "$2")"
	[ -n "$theirs" ] || return 1
	[ "$theirs" -lt "$mine" ] || in_list "$1:$2" "$beside"
}

# in_core FILE NAME TEST: FILE is the core's file NAME, or a test of it, which may use
# all files on that file's level and below.
in_core() {
	local file="$1" name="$2" test="$3" line what mine theirs
	mine="$(level_of "$name")"
	while read -r line what; do
		case "$test $what" in
		*" linux/"*|*" asm/"*|" uapi/"*|" generated/"*|" trace/"*) continue ;;
		"test kunit/"*|"test uapi/drm/grtrace_drm.h"|"test stream.h"|"test trial.h"|"test source_case.h") continue ;;
		"test ../"*.h)
			theirs="$(level_of "$(basename "$what" .h)")"
			[ -z "$theirs" ] || [ "$theirs" -gt "$mine" ] || continue ;;
		" "*.h) ! may_include "$name" "${what%.h}" || continue ;;
		esac
		breach "$file" "$line" "${test:+a test of }$name (level $mine) may not include $what"
	done < <(includes "$file")
}

# outside FILE HEADER...: a source, a test of one, or a module of tests or of bench/: of ours it
# knows these, and besides what it listens to.
outside() {
	local file="$1" line what; shift
	while read -r line what; do
		if [ -e "$core/${what#../}" ] || [[ $what == *grtrace* ]]; then
			in_list "$what" "$*" || breach "$file" "$line" "uses only the public door, but includes $what"
		fi
	done < <(includes "$file")
}

for file in "$core"/*.[ch]; do
	name="$(basename "${file%.*}")"
	case "$name" in
	source_*) outside "$file" "$door" compat.h "tests/${name}_test.c" ;;
	*)
		if [ -n "$(level_of "$name")" ]; then
			in_core "$file" "$name" ''
		else
			breach "$file" 1 "this file has no level in ${0##*/}"
		fi ;;
	esac
done

for file in "$core"/tests/*; do
	case "$file" in
	*/source_*_test.c|*/source_sched.h) outside "$file" linux/grtrace.h source_case.h source_sched.h ;;
	*_test.c)
		name="$(basename "$file" _test.c)"
		[ -n "$(level_of "$name")" ] || name="${name%_*}"
		if [ -n "$(level_of "$name")" ]; then
			in_core "$file" "$name" test
		else
			breach "$file" 1 "there is no $name in the core that this would test"
		fi ;;
	*/stream.[ch]) in_core "$file" channel test ;;
	*/trial.[ch]|*/source_case.[ch]) in_core "$file" session test ;;
	*) breach "$file" 1 "a suite in $core/tests is called <file of the core>[_<what of it>]_test.c" ;;
	esac
done

for file in "$modules"/*.[ch] "$bench"/*.[ch]; do
	case "$file" in
	"$bench"/*) outside "$file" "$door" bench.h bench_trace.h ;;
	*) outside "$file" "$door" compat.h mock.h grtrace_mock_drm.h ;;
	esac
done

# User memory is touched in the operations of debugfs files, and in the mock's ioctls.
user='\b_*(copy_(to|from|in)_user\w*|(unsafe_)?(get|put)_user|clear_user|strn(cpy|len)_\w*user\w*|v?memdup_\w*user\w*'
user+='|simple_(read_from|write_to)_buffer|u64_to_user_ptr|access_ok|kstrto\w*_from_user|copy_struct_(to|from)_user'
user+='|user_access_begin|import_(iovec|ubuf)|(pin|get)_user_pages\w*)\(|\b__user\b'
while IFS=: read -r file line _; do
	case "$file" in
	"$core"/debugfs.c|"$modules"/mock_*) ;;
	*) breach "$file" "$line" "user memory is for debugfs.c and the mock" ;;
	esac
done < <(grep -nE "$user" "$core"/{,tests/}*.[ch] "$modules"/*.[ch] "$bench"/*.[ch] include/linux/grtrace.h)

# The two public headers include no other of ours.
while read -r line what; do
	case "$what" in
	linux/types.h) ;;
	*) breach include/uapi/drm/grtrace_drm.h "$line" "the contract with user space includes linux/types.h only, not $what" ;;
	esac
done < <(includes include/uapi/drm/grtrace_drm.h)

# ------------------------------------------------------------------ the tools
"$here/check/rooms.sh" --laws || broken=1

exit "$broken"
