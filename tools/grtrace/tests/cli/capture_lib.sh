# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
#
# What the capture wing's CLI tests share: a fake directory in place of
# debugfs, and one line of TAP for each check. Source it; O is the build
# directory.
# The tests use what is set here:
# shellcheck disable=SC2034

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tools/grtrace/tests/cli/fake_debugfs.sh
. "$here/fake_debugfs.sh"

grtrace=$(cd "${O:-$here/../../build}" && pwd)/grtrace
if [ ! -x "$grtrace" ]; then
	echo "Bail out! there is no $grtrace"
	exit 1
fi
number=0
failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	sed 's/^/# /' "$work/out" "$work/err"
	failed=$((failed + 1))
}

# Runs the rest of the arguments; output goes to $work/out and err, and the
# exit status to $code.
run()
{
	"$@" > "$work/out" 2> "$work/err" < /dev/null
	code=$?
}

# check NAME EXIT REGEX ARGS...: of grtrace with the fake directory; the regex
# is looked for in what it prints, on either stream.
check()
{
	name=$1 exit=$2 regex=$3
	shift 3
	case $1 in
	-*) run "$grtrace" -r "$work/d" "$@" ;;
	*)
		word=$1
		shift
		run "$grtrace" "$word" -r "$work/d" "$@"
		;;
	esac
	# The last word is there for a silent success to match.
	[ "$code" = "$exit" ] && echo end-of-output |
		cat "$work/out" "$work/err" - | grep -Eq -- "$regex"
	result $? "$name"
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
		[ $tries -lt 250 ] || return 1
	done
}

# The plan, and the verdict.
finish()
{
	echo "1..$number"
	[ "$failed" = 0 ]
}
