# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# Shared by the CLI tests of recording: a fake directory in place of debugfs.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tools/grtrace/tests/cli/fake_debugfs.sh
. "$here/fake_debugfs.sh"
chmod 755 "$work"

# check_word NAME EXIT REGEX [WORD] OPTIONS...: a check of grtrace with the fake directory.
check_word()
{
	name=$1 want=$2 regex=$3
	shift 3
	case $1 in
	-*) check "$name" "$want" "$regex" "$grtrace" -r "$work/d" "$@" ;;
	*)
		word=$1
		shift
		check "$name" "$want" "$regex" "$grtrace" "$word" -r "$work/d" "$@"
		;;
	esac
}

# expect NAME CONDITION...: a test(1) of what came out.
expect()
{
	name=$1
	shift
	test "$@"
	result $? "$name"
}

state()
{
	cat "$work/d/grtrace/control"
}

set_state()
{
	echo "$1" > "$work/d/grtrace/control"
}

# A fresh directory and a fresh place to write to.
fresh()
{
	rm -rf "$work/d" "$work/w"
	mkdir "$work/w"
	cd "$work/w" || exit 1
	fake_make "$work/d"
}

# until_true COMMAND...: waits, not for ever, until the command says yes.
until_true()
{
	tries=0
	until "$@"; do
		sleep 0.02
		tries=$((tries + 1))
		[ $tries -lt 3000 ] || return 1
	done
}
