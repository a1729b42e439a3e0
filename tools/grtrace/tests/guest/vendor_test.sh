#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A module of a vendor has tracepoints of the names that a source knows, and other
# arguments: $GRTRACE_STUBS/vendor_stub.ko. A probe that is attached to one of them uses
# a number for a pointer, and the kernel ends.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"
# shellcheck source=tools/testing/selftests/grtrace/sources.sh
. "$dir/sources.sh"

stub="$GRTRACE_STUBS/vendor_stub.ko"

# The vendor's tracepoints are called, with a session. None of them counts as the source's.
vendor_is_not_heard() { # FOUND, of the source's tracepoints
	echo start >$files/control || return 1
	before_calls=$(source_line drm_sched)
	offered=$(session_stat offered)
	echo 1 >/sys/module/vendor_stub/parameters/run || return 1
	same "events of the vendor's calls" "$offered" "$(session_stat offered)" &&
	same "tracepoints found" "$1" "${before_calls% *}" && session_settled
}

# One line a tracepoint of this kernel says whose it is.
log_names_the_module() { # BEGIN, a line in the log
	dmesg | sed "1,/$1/d" >"$work/log"
	says "$work/log" "of the module vendor_stub is not the kernel's, not used"
}

# Both are loaded, in whichever order: the kernel's are used.
beside_the_kernels() {
	modules_load && echo "vendor: beside" >/dev/kmsg && insmod "$stub" || return 1
	all=$(echo start >$files/control && source_line drm_sched) && session_stop || return 1
	same "tracepoints found" "${all#* }" "${all% *}" &&
	vendor_is_not_heard "${all% *}" && log_names_the_module "vendor: beside"
}

before_the_kernels() {
	modules_unload && rmmod gpu_sched && echo "vendor: before" >/dev/kmsg &&
	insmod "$stub" && modules_load || return 1
	all=$(echo start >$files/control && source_line drm_sched) && session_stop || return 1
	same "tracepoints found" "${all#* }" "${all% *}" &&
	vendor_is_not_heard "${all% *}" && log_names_the_module "vendor: before"
}

after() { # TEST
	session_stop
	module_unload vendor_stub
}

at_end() {
	modules_load
}

why_not() { # TEST
	case $1 in
	before_*)
		loaded gpu_sched || ! module_built_in gpu_sched || echo "gpu_sched is built in" ;;
	esac
}

[ -e "$stub" ] || skip_all "no vendor_stub.ko in GRTRACE_STUBS: see stubs/Makefile"
needs_modules
run_tests beside_the_kernels before_the_kernels
