# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The kernel bases: the name of each, and the Debian suite that has its packages
# and in which it is built.

# host_suite: the codename of the Debian release that runs here.
host_suite() { ( . /etc/os-release; printf '%s\n' "${VERSION_CODENAME:-unknown}" ) }

# base_name BASE: the full name of a base.
base_name() {
	case "$1" in
	6.12-bookworm|6.12-trixie|7.[3-9]|7.[1-9][0-9]|[89].*[0-9]) printf '%s\n' "$1" ;;
	6.12)
		case "$(host_suite)" in
		bookworm) echo 6.12-bookworm ;;
		*) echo 6.12-trixie ;;
		esac ;;
	*) usage_error "unknown base '$1': it is one of 6.12, 6.12-bookworm, 6.12-trixie, 7.3 or newer" ;;
	esac
}

# base_suite BASE: the suite (the apt set) of a full base name.
base_suite() {
	case "$1" in
	*-bookworm) echo bookworm ;;
	*) echo trixie ;;
	esac
}

# base_series BASE: 6.12 or 7.3.
base_series() { printf '%s\n' "${1%%-*}"; }
