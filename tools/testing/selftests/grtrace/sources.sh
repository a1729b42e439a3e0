# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the tests of sources, after grtrace_lib.sh, which sets the variables: the drivers
# that have one, and what the stream says of it.
# shellcheck disable=SC2154

is_module() { # NAME
	path=$(modinfo -F filename "$1" 2>/dev/null) && [ -e "$path" ]
}

loaded() { # MODULE
	grep -q "^$1 " /proc/modules
}

sources_loaded() {
	for name in $modules_sources $modules_drivers; do
		! loaded "$name" || echo "$name"
	done
}

# A driver with a device may be in use, and some do not survive being unloaded.
bound() { # DRIVER
	for link in /sys/bus/*/drivers/"$1"/*/driver; do
		[ ! -e "$link" ] || return 0
	done
	return 1
}

# Prints what the stream says about the driver's source: "found known".
source_line() { # NAME
	grep -aoE "^source $1 [0-9]+ [0-9]+$" "$files/metadata" |
		cut -d' ' -f3,4
}

# The source is there, and has all its tracepoints.
attached() { # NAME
	line=$(source_line "$1")
	[ -n "$line" ] && [ "${line% *}" = "${line#* }" ] && return
	echo "# source $1: '$line'"
	return 1
}

# Each driver and its source, except those that have to stay.
unload_all() {
	session_stop
	for driver in $drivers; do
		! loaded "grtrace_$driver" || rmmod "grtrace_$driver" || return 1
		bound "$driver" || ! loaded "$driver" || rmmod "$driver" ||
			return 1
	done
}

# Drivers whose source is linked to what the kernel exports to it.
drivers=
for tested in virtio_gpu amdgpu nouveau i915; do
	if is_module "$tested" && is_module "grtrace_$tested"; then
		drivers="$drivers $tested"
	fi
done
