# SPDX-License-Identifier: GPL-2.0
#
# Shared by the CLI tests: one check is one line of TAP.
# The tests use what is set here:
# shellcheck shell=sh disable=SC2034

here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${O:-$here/../../build}" && pwd)
fixtures=$here/../fixtures
synth=$build/synth
grparse=$build/grparse
grtrace=$build/grtrace
number=0
failed=0
stream=
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export TZ=UTC LC_ALL=C GRTRACE_PAGER=cat
unset COLUMNS NO_COLOR

# result STATUS NAME
result()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
		return
	fi
	echo "not ok $number - $2"
	sed 's/^/# /' "$work/out" "$work/err"
	echo "# exit $code"
	failed=$((failed + 1))
}

# skip NAME REASON: what this machine cannot test. The runner has a list of allowed skips.
skip()
{
	number=$((number + 1))
	echo "ok $number - $1 # SKIP $2"
}

# has_program NAME PROGRAM: whether there is PROGRAM; if not, NAME is skipped.
has_program()
{
	command -v "$2" > program || { skip "$1" "there is no $2"; false; }
}

# run COMMAND...: what it prints goes to out and err, and its exit status to $code.
run()
{
	"$@" > "$work/out" 2> "$work/err" < /dev/null
	code=$?
}

# check NAME EXIT REGEX COMMAND...: runs the command, looks for its exit code and for the
# regex where it belongs: what was asked for is on stdout, why it failed on stderr.
check()
{
	name=$1 want=$2 regex=$3
	shift 3
	run "$@"
	cat "$work/out" "$work/err" > "$work/both"
	case $stream$want in
	out*|0|3) found=$work/out ;;
	*) found=$work/err ;;
	esac
	[ "$code" = "$want" ] && { [ -z "$regex" ] || grep -Eq -- "$regex" "$found"; }
	result $? "$name"
}

# on out|err CHECK...: a check whose regex is on the other stream, such as a warning.
on()
{
	stream=$1
	shift
	"$@"
	stream=
}

# absent NAME REGEX: the last command did not print this.
absent()
{
	! grep -Eq -- "$2" "$work/both"
	result $? "$1"
}

# same NAME FILE FILE: they are the same, and not empty, as after a program that failed
same()
{
	[ -s "$2" ] && cmp -s "$2" "$3"
	result $? "$1"
}

# The plan, and the verdict.
finish()
{
	echo "1..$number"
	[ "$failed" = 0 ]
}
