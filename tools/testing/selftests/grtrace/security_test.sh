#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rights: the files are root's, a container's root is not root, and no
# address of the kernel is in a stream or a view.

# shellcheck source=tools/testing/selftests/grtrace/grtrace_lib.sh
. "$(dirname "$0")/grtrace_lib.sh"

nobody=65534

after() {
	# shellcheck disable=SC2154
	session_stop 2>/dev/null
}

# A session with all files: one for each CPU, and a snapshot.
all_files() {
	session_stop 2>/dev/null
	echo start >$files/control && echo snapshot >$files/control &&
	[ -e $files/trace0 ]
}

files_are_roots_alone() {
	all_files || return 1
	open=$(find $files -type f \( -perm /077 -o ! -user root \))
	[ -z "$open" ] && return
	echo "# others may use: $open"
	return 1
}

# Tries each file, as a user who could enter the folder.
others_are_refused() {
	all_files || return 1
	mount -o remount,mode=755 /sys/kernel/debug || return 1
	ret=0
	# the file itself refuses, because such a user may read another one
	open=$(find /sys/kernel/debug -maxdepth 2 -type f -perm -0004 | head -n 1)
	setpriv --reuid $nobody --regid $nobody --clear-groups \
		sh -c "ls $files && cat $open" >"$work/out" 2>&1 || {
		echo "# neither $files nor $open:"
		sed 's/^/# /' "$work/out"
		ret=1
	}
	for file in "$files"/*; do
		[ -f "$file" ] || continue
		for how in "cat" ": >>"; do
			if setpriv --reuid $nobody --regid $nobody --clear-groups \
			   sh -c "$how $file" >/dev/null 2>&1; then
				echo "# $file was opened: $how"
				ret=1
			fi
		done
	done
	mount -o remount,mode=700 /sys/kernel/debug
	return $ret
}

# Root in a user namespace has all capabilities there, but none here.
namespaces_root_is_refused() {
	mount -o remount,mode=755 /sys/kernel/debug || return 1
	setpriv --reuid $nobody --regid $nobody --clear-groups \
		unshare -Ur sh -c "id -u; ls $files; cat $files/control" >"$work/out" 2>&1
	status=$?
	mount -o remount,mode=700 /sys/kernel/debug
	# the file itself refuses, not the folder
	[ "$(head -n 1 "$work/out")" = 0 ] && grep -qx control "$work/out" &&
		[ $status -ne 0 ] && return
	sed 's/^/# /' "$work/out"
	return 1
}

# All sources and all events, including waits and errors.
record_all() {
	echo start >$files/control || return 1
	"$load" --jobs 300 --procs 2 --depends --error-every 20 --duration 20 \
		>/dev/null || return 1
	echo snapshot >$files/control
	for _ in $(seq 50); do
		echo "submit 1 1 5 1"
	done >$files/emit
}

no_addresses_in() { # NAME [OPTION], on stdin
	# shellcheck disable=SC2086
	"$dir/addresses" $2 >"$work/found" && return
	echo "# in $1:"
	sed 's/^/# /; 10q' "$work/found"
	return 1
}

no_kernel_address_anywhere() {
	record_all || return 1
	ret=0
	for file in "$files"/*; do
		# some files are write-only; the stream is tested below
		case $file in */trace[0-9]*) continue ;; esac
		[ -n "$(find "$file" -type f -perm -0400)" ] || continue
		cat "$file" >"$work/view" || ret=1
		no_addresses_in "$file" <"$work/view" || ret=1
	done
	session_stop
	cat $files/trace* >"$work/stream"
	[ "$(wc -c <"$work/stream")" -gt 10000 ] || return 1
	no_addresses_in "the stream" --stream <"$work/stream" || ret=1
	# check that an address would be found
	"$dir/addresses" --stream --self <"$work/stream" >/dev/null && ret=1
	# a record's time may have the bits of one
	"$dir/addresses" --time <"$work/stream" >/dev/null && ret=1
	no_addresses_in "a stream of such a time" "--stream --time" <"$work/stream" || ret=1
	return $ret
}

# Our lines in the log contain no address either, neither hashed by "%p" nor plain.
no_kernel_address_in_the_log() {
	echo "grtrace security_test: $$" >/dev/kmsg
	dmesg | grep -i grtrace >"$work/log"
	says "$work/log" "grtrace security_test: $$" || return 1
	no_addresses_in "the log" <"$work/log" || return 1
	# check that an address would be found
	"$dir/addresses" --self <"$work/log" >/dev/null && return 1
	return 0
}

# Prints why a test makes no sense here, or nothing.
why_not() { # TEST
	case $1 in
	others_*)
		command -v setpriv >/dev/null || echo "no setpriv" ;;
	namespaces_*)
		unshare -Ur true 2>/dev/null || echo "no user namespaces" ;;
	no_kernel_address_*)
		[ -r /proc/kcore ] ||
			echo "the kernel does not tell where its memory is (/proc/kcore)" ;;
	esac
}

needs_modules
session_stop
run_tests files_are_roots_alone others_are_refused namespaces_root_is_refused \
	no_kernel_address_anywhere no_kernel_address_in_the_log
