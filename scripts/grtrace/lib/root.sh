# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs one command as root, with sudo if the script is not already root.

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "cannot run '$*': it needs root and sudo is not installed; run as root"
	fi
}
