# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Rights: run one command as root, with sudo where we are not root already.
# Needs report.sh.

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo -- "$@"
	else
		die "cannot run '$*': it needs root and sudo is not installed; run as root"
	fi
}
