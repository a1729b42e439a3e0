# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# . use.sh NAME...: begins a script: reads report.sh and the files of this folder with
# these names ("report" where there is no other: without one, it would be given the script's
# own arguments).  Sets "here", the rig's folder, and "checkout"; work.sh and result.sh, which
# have a folder that goes when the script ends, set "work".
set -euo pipefail

# If a program handles an interrupt by an orderly exit, bash considers the interrupt
# handled, and would continue with the script's next command.
trap 'exit 130' INT

# shellcheck disable=SC2034
here="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)" checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)" work=''

# options SPEC ARG...: takes the options that begin the arguments; the others go to the
# array "args". -h and --help print the script's head. SPEC has a word for each option:
#
#	--boot		sets the variable boot to 1
#	--gpu:		takes a value, for the variable gpu
#	--records#	the same, and it has to be a number
#	--without+	takes a value, which becomes one more of the array without
#	--timeout:limit --build=only_build
#			names another variable, of an option with a value and of one without
options() {
	local known=" $1 " how into; shift
	while [[ ${1:-} == -?* && $1 != -- ]]; do
		case "$1" in -h|--help) usage "$0"; exit ;; esac
		[[ $1 =~ ^--?[a-z-]+$ && $known =~ " $1"([:#+=]?)([a-z_]*)" " ]] || usage_error "unknown option '$1'"
		how="${BASH_REMATCH[1]}" into="${BASH_REMATCH[2]}"
		[ -n "$into" ] || into="$(sed 's/^-*//; y/-/_/' <<<"$1")"
		if [ -z "${how#=}" ]; then
			printf -v "$into" 1
			shift
			continue
		fi
		[ "$how" != '#' ] || [[ ${2:-} =~ ^[0-9]+$ ]] || usage_error "$1 needs a number"
		[ $# -ge 2 ] || usage_error "$1 needs a value"
		if [ "$how" = + ]; then
			eval "$into+=(\"\$2\")"
		else
			printf -v "$into" %s "$2"
		fi
		shift 2
	done
	# shellcheck disable=SC2034
	args=("$@")
}

for part in report "$@"; do
	. "$here/lib/$part.sh"
done
