#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Words are programs: grtrace finds them, hands over to them, and says what is wrong
# where it cannot.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

check "--help" 0 '^Usage: grtrace \[WORD\]' "$grtrace" --help
for word in record start stop msg annotate config diff explain export import merge monitor \
	parse report snapshot status timeline verify; do
	grep -qE "^  $word +[a-z]+ .*[a-zA-Z]$" out
	result $? "--help: $word, in a line"
done
check "no word" 2 '^Start here' "$grtrace"
check "help WORD" 0 '^Usage: grtrace report ' "$grtrace" help report
check "help of a session's word" 0 'Usage: grtrace record ' "$grtrace" help record

# One style: a sentence, the usage, options in groups, two examples, the exit statuses.
# help_of NAME COMMAND...: an example has only options that the word has
help_of()
{
	name=$1
	shift
	"$@" --help > out 2> err &&
		head -n 1 out | grep -qE "^$name [a-z]+s " && grep -q "^Usage: $name " out &&
		grep -q '^Options:$' out && grep -q '^  0  done' out && grep -q '^  2  wrong usage$' out &&
		! grep -qE '.{91}' out
	result $? "$name --help has each part, in 90 columns"
	sed -n '/^Examples:$/,/^$/s/^  //p' out | sed 's/   .*//; s/ -- .*//; s/ | .*//' > examples
	grep -oE '^ +(-[a-zA-Z], )?(--[a-z-]+)?' out | grep -oE -- '-[-a-zA-Z]+' | sort -u > options
	grep -oE -- ' --?[a-z][a-z-]*' examples | tr -d ' ' | sort -u | comm -23 - options > unknown
	[ "$(wc -l < examples)" -ge 2 ] && [ ! -s unknown ]
	result $? "$name --help: two examples, of its own options"
}
help_of grparse "$grparse"
for word in record start stop msg annotate config diff explain export import merge monitor \
	report snapshot status timeline verify; do
	"$grtrace" --help | grep -q "^  $word .*(not installed)" || help_of "grtrace $word" "$grtrace" "$word"
done

check "a word with a slip" 2 "'rport' is not a command of grtrace \(did you mean report\?\); see" "$grtrace" rport
check "letters that changed places" 2 "did you mean status\?" "$grtrace" stauts
check "a word that resembles none" 2 "'frobnicate' is not a command of grtrace; see" "$grtrace" frobnicate
for device in card7 /dev/dri/renderD199 0000:ff:1f.7; do
	check "a device in the place of a word: $device" 0 'Usage: grtrace record' "$grtrace" $device --help
done
check "no device" 2 "^grtrace: 'card' is not a command of grtrace" "$grtrace" card
check "a connector is none" 2 "^grtrace: 'card0-DP-1' is not a command" "$grtrace" card0-DP-1
check "a path is no word" 2 "is not a command of grtrace" "$grtrace" ../grtrace-report
check "an event with a slip" 2 'there is no event "sumbit" \(did you mean submit\?\); see' "$grparse" -a sumbit x
check "an option with a slip" 2 "unknown option --quite \(did you mean --quiet\?\)" "$grparse" --quite x

# Anyone can add one.
mkdir more
cat > more/grtrace-hello <<'EOF'
#!/bin/sh
echo "hello $*"
[ "$1" != crash ] || kill -SEGV $$
[ "$1" != wait ] || { echo $$ > pid; exec sleep 60; }
exit 7
EOF
chmod +x more/grtrace-hello
PATH=$work/more:$PATH
on out check "a word in PATH, and its exit status" 7 '^hello a b c$' "$grtrace" hello a 'b c'
on out check "a word that crashes" 139 '^hello crash$' "$grtrace" hello crash
# Ctrl-C is the word's: a shell's exit status says so.
# shellcheck disable=SC2016 # the inner shell's
on out check "a word that is interrupted" 130 '^hello wait$' sh -c '
	python3 -c "import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])" "$1" hello wait &
	for i in $(seq 300); do [ ! -s pid ] || break; sleep 0.1; done
	[ "$(cat pid)" = $! ] || exit 99
	kill -INT $!
	wait $!' sh "$grtrace"

check "a wrong folder of words is named" 1 \
	'no program grtrace-report in .*/nowhere, which GRTRACE_EXEC_PATH names' \
	env GRTRACE_EXEC_PATH="$work/nowhere" "$grtrace" report x
mkdir own
cp "$work/more/grtrace-hello" own/grtrace-report
on out check "a folder of words of one's own comes first" 7 '^hello x$' \
	env GRTRACE_EXEC_PATH="$work/own" "$grtrace" report x
mkdir -p there/bin there/libexec/grtrace
cp "$grtrace" there/bin
cp "$work/more/grtrace-hello" there/libexec/grtrace/grtrace-report
on out check "where it is installed" 7 '^hello x$' there/bin/grtrace report x
rm there/libexec/grtrace/grtrace-report
check "a word that was not built" 1 'the word report is not installed: .* it is built with libfmt-dev' \
	there/bin/grtrace report x
cp "$grparse" there/bin
check "nor was the one that grparse runs" 1 \
	'^grparse: the word explain is not installed: .* beside grparse, in' there/bin/grparse --explain 5:2 x
for option in -s -t -Sq -dx --csv --json --ring=gfx --dev=card0 --engine=copy --pid=1 --client=1 --ctx=1; do
	check "$option is another program's" 1 '^grparse: the word parse is not installed: ' \
		there/bin/grparse "$option" x
done
check "and its help is short of that" 0 '^Usage: grparse ' there/bin/grparse --help
absent "with no columns" '^Columns of'
"$synth" "$fixtures/two_cpus.txt" "$work/two_cpus" > /dev/null
check "and its summary counts no jobs" 0 \
	'^Jobs [(].*two_cpus[)]: not counted without grtrace-parse$' there/bin/grparse "$work/two_cpus"
check "and is no secret" 0 '^  report .*\(not installed\)$' there/bin/grtrace --help

# The core needs libfmt and what every program needs.
for program in "$grtrace" "$grparse"; do
	ldd "$program" | tee needed | sed -nE 's/^[[:space:]]*([^ ]+) .*/\1/p' |
		grep -vE '^(linux-vdso|libfmt|libstdc\+\+|libm|libgcc_s|libc|libasan|libubsan|libpthread|/.*/ld-linux)' > out
	grep -q 'libc\.' needed && [ ! -s out ]
	result $? "${program##*/}: its libraries"
done

# The word of README.md, as it is written there.
# shellcheck disable=SC2016 # marks of the code
sed -n '/^```cpp$/,/^```$/p' "$here/../../README.md" | grep -v '^```' > hello.cpp
"$synth" "$fixtures/loss.txt" "$work/lossy" > /dev/null
# a compiler may be two words; sanitizers, which its libraries have, come with LDFLAGS
# shellcheck disable=SC2086
check "the word of README.md is built" 0 '' ${CXX:-g++} ${LDFLAGS:-} -std=gnu++20 -fno-exceptions -fno-rtti -Wall -Wextra -Werror \
	-I"$here/../../src" -I"$here/../../../../include/uapi" -o more/grtrace-hello hello.cpp "$build/words.a" "$build/core.a" -lfmt
"$grparse" -q --csv - lossy 2> err | tail -n +2 | grep -vc ',lost,' > events
check "and finds its events" 0 "^$(cat events) events$" "$grtrace" hello lossy
check "and says what is wrong" 1 'grtrace hello: name one capture' "$grtrace" hello

# A room that cannot be built is named with its packages; the core needs none of them.
check "without pkg-config's packages" 0 \
	'words/export is not built: there is no sqlite3 protobuf-lite .*\(Debian: libsqlite3-dev ' \
	env PKG_CONFIG_LIBDIR=/nonexistent sh -c "make --no-print-directory -n -C '$here/../..' \
		O='$work/none' all 2>&1 | sed -n 's/^echo \"//p'"
check "the core without them" 0 'grparse' \
	env PKG_CONFIG_LIBDIR=/nonexistent make --no-print-directory -n -C "$here/../.." O="$work/none" core
absent "and without their libraries" 'lsqlite3|lbpf|ltracefs|lncurses'

for word in record config status; do
	check "grtrace $word --version" 0 "grtrace" "$build/grtrace" "$word" --version
done

finish
