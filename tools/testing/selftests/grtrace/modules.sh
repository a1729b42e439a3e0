# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Sourced by the shell tests: loads and unloads the modules, from the folder
# $GRTRACE_MODULES where that is set, else from where the kernel's own are; those of
# the tests also from modules/. Built-in ones cannot be unloaded.

# The modules of a distribution's kernel, then ours in the order of their dependencies.
# In a kernel with grtrace, a driver's source keeps the driver loaded, so a test loads
# it only if it needs it.
modules_kernel="gpu-sched drm_shmem_helper"
modules_sources="grtrace_dma_fence grtrace_drm_sched"
modules_drivers="grtrace_i915 grtrace_amdgpu grtrace_nouveau grtrace_virtio_gpu"
if modinfo grtrace_drm >/dev/null 2>&1; then
	modules_sources="$modules_sources grtrace_drm"
else
	modules_sources="$modules_sources grtrace_virtio_gpu"
fi
modules_builtin="/lib/modules/$(uname -r)/modules.builtin"

module_built_in() { # NAME
	[ -z "$GRTRACE_MODULES" ] && [ -e "$modules_builtin" ] &&
	sed 's|.*/||; s|\.ko$||; s|-|_|g' "$modules_builtin" | grep -qx "$1"
}

# Prints the file of a module that was built with or for the tests.
module_built() { # NAME
	for module_folder in "${GRTRACE_MODULES:-modules}" modules ../modules; do
		[ -e "$module_folder/$1.ko" ] && echo "$module_folder/$1.ko" && return
	done
}

module_file() { # NAME
	module_built "$1" || modinfo -n "$1" 2>/dev/null
}

module_load() { # NAME [PARAMETERS]
	if module_path=$(module_built "$1"); then
		shift
		insmod "$module_path" "$@"
	else
		modprobe "$@"
	fi
}

# Prints the modules that one of ours is linked to, except our own.
module_needs() { # NAME
	for need in $(modinfo -F depends "$(module_file "$1")" | tr , ' '); do
		case $need in
		grtrace) ;;
		*) modprobe -q "$need" || return 1 ;;
		esac
	done
}

module_loaded() { # NAME
	[ -d "/sys/module/$1" ] || module_built_in "$1"
}

# Loaded or not.
module_there() { # NAME
	module_built "$1" >/dev/null || module_loaded "$1" || modinfo "$1" >/dev/null 2>&1
}

module_unload() { # NAME...
	for name in "$@"; do
		if module_loaded "$name" && ! module_built_in "$name"; then
			rmmod "$name" || return 1
		fi
	done
}

modules_load() {
	# a built-in one is not a module; if one is missing, loading ours fails with a
	# message
	for name in $modules_kernel; do
		modprobe -q "$name"
	done
	for name in grtrace $modules_sources grtrace_mock; do
		module_loaded "$name" || module_load "$name" || return 1
	done
}

# Prints those of NAME... that can be unloaded.
modules_removable() {
	for name in "$@"; do
		module_built_in "$name" || echo "$name"
	done
}

modules_unload() {
	# shellcheck disable=SC2086
	module_unload grtrace_mock $modules_sources $modules_drivers grtrace
}
