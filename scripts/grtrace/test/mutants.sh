#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Do the tests notice an error?  Takes a sample of places in the sources of the tools and of
# the kernel part, with its headers.  At each it changes one operator, constant or condition (< to <=, == to
# !=, && to ||, + to -, 0 to 1, "!" to nothing, a returned value, a condition), builds what
# is affected and runs the tests of that directory (planted.sh judges FILE): unit tests, CLI
# tests and the judge's stored captures, or KUnit and some kselftests in a User Mode Linux.
# A change that no test notices is printed as a survivor, with its place and its line.  If
# a change does not compile, or gives the same program, another place is taken instead.
# A test that does not end counts as a test that noticed the change.
#
# Each run tries its whole sample, in a copy of the checkout: no verdict is kept, as it would
# be of other tests.
#
# Usage: mutants.sh [options]
#
#   --sample N   how many changes (default 100)
#   --seed S     chooses them; the same seed on the same sources chooses the same ones
#                (default: a random seed, which is printed)
#   --room ROOM  changes only this directory of tools/grtrace/src, e.g. read or read/stream;
#                "tools" is all of these, and "kernel" the other one
#   --only PLACE makes only this change, as it was printed (FILE:LINE: CHANGE), or all of
#                FILE:LINE; repeatable
#   --list       print the files and end
#   --check      only see whether the reasons of mutants.why fit the sources
#
# mutants.why lists survivors that no test can see. Each has a reason, which is printed
# with it.
#
# Exit status: 1 when more than one of ten survived, or several and more than one of five in
# a directory, or one without a reason; 2 wrong usage.

. "$(dirname "$0")/../lib/use.sh" report
src=tools/grtrace/src
driver=drivers/gpu/grtrace

# Sources that no User Mode Linux builds: of drivers of real hardware, and those only for modules.
not_judged='source_amdgpu|source_i915|source_nouveau|lookup_name'

sample=100 seed=$RANDOM room='' only=() list='' check=''
options '--sample: --seed: --room: --only+ --list --check' "$@"
[ ${#args[@]} = 0 ] || usage_error "takes no '${args[*]}'"
[[ $sample =~ ^[1-9][0-9]*$ ]] || usage_error "--sample $sample: not a number of changes"
[[ $seed =~ ^[0-9]+$ ]] || usage_error "--seed $seed: not a number"

cd "$checkout"
folder="$src/${room%/}" files=()
[ "$room" != tools ] || folder="$src"
[ "$room" = kernel ] || [ -d "$folder" ] || usage_error "there is no room '$room'"
[ "$room" = kernel ] || mapfile -t files < <(find "$folder" -name '*.cpp' | sed 's,//*,/,g' | LC_ALL=C sort)
case "$room" in
''|kernel) mapfile -t -O ${#files[@]} files < <(find "$driver" -maxdepth 1 -name '*.[ch]' |
		grep -vE "/($not_judged)\.c$" | LC_ALL=C sort) ;;
esac
if [ -n "$list" ]; then
	printf '%s\n' "${files[@]}"
	echo "# not judged, because no User Mode Linux builds them: ${not_judged//|/, }"
	exit
fi
run=("$here/test/planted.sh" run)
if [ -n "$check" ]; then
	run=()
else
	"$here/deps.sh" build test
	case "${files[*]}" in *.c|*".c "*) "$here/deps.sh" uml series ;; esac
fi
"${run[@]}" python3 -B scripts/grtrace/lib/mutants.py --command scripts/grtrace/test/planted.sh \
	--reasons scripts/grtrace/test/mutants.why ${check:+--check} --sample "$sample" --seed "$seed" \
	"${only[@]/#/--only=}" "${files[@]}"
