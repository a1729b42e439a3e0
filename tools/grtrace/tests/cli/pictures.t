#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The pictures of a report: what is in the files, and what is not. How the page
# works in a browser is tested by tests/page.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

report()
{
	"$grtrace" report "$@"
}

# no_address FILE: names nothing that a browser would load.
no_address()
{
	! grep -Ei '[a-z]+://|[^:]//[a-z]+\.[a-z]|@import|<(link|img|iframe|object|embed|base)[^>]* (href|src|data)="[^d]' "$1"
}

"$synth" "$fixtures/two_cpus.txt" two
"$synth" "$fixtures/loss.txt" loss

check "--html" 0 '^Jobs: 2 seen' report --html page.html two
absent "a picture needs no tables" 'Q2C'
grep -q '^<!DOCTYPE html>' page.html
result $? "a page"
grep -q '"contexts":\["5"' page.html
result $? "with the jobs' contexts"
tail -c 8 page.html | grep -qx '</html>'
result $? "all of it"
no_address page.html > out 2> err
result $? "that loads nothing"
grep -q "default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]\{43\}='; script-src 'sha256-[A-Za-z0-9+/]\{43\}='" page.html
result $? "and allows its own style and script only"
# For readers with every kind of colour vision.
check "its colours can be told apart" 0 '^808 pairs, 0 too close' python3 -B "$here/../page/colours.py" page.html
sed 's/--process-6: #[0-9a-f]*/--process-6: #b8a800/; s/--process-1: #[0-9a-f]*/--process-1: #e69f00/' page.html > olive.html
on out check "olive and orange cannot" 1 '^light, protanopia: process-1 #e69f00 and process-6 #b8a800 differ by 0\.' \
	python3 -B "$here/../page/colours.py" olive.html
check "tables as well" 0 'Q2C' report --html page.html --per-ring two
check "several captures" 0 '' report --html both.html two loss
grep -q '"name":"two".*"name":"loss"' both.html
result $? "in one page"
# Only of the first 16 places is the number of records kept.
awk 'BEGIN {
	print "cpu 0"
	for (i = 1; i <= 20; i++)
		print "submit ctx=5 ring=1 seqno=" i "\nlost events=1 first=1 last=2"
}' | "$synth" - places
check "many places of loss" 0 'and 15 more places: 15 records' report --html places.html places
grep -q '"uncounted_places":4' places.html
result $? "the page knows of those that it has no number of"
check "-w" 0 '' report -w 0.0000085 --html part.html two
! cmp -s part.html page.html
result $? "only an interval of it"
check "an empty capture" 0 '' report --html none.html "$work/two.grtrace.1"
tail -c 8 none.html | grep -qx '</html>'
result $? "a page of little is a page"

# Names that would be markup, or the end of a script.
printf 'cpu 0\ntask pid=1 comm=</script><svg\nring id=1 class=1 device=<b>&" name=</title>\nsubmit pid=1 ctx=1 ring=1 seqno=1\nstart ctx=1 ring=1 seqno=1\nend ctx=1 ring=1 seqno=1\n' |
	"$synth" - hostile
check "hostile names" 0 '' report --html hostile.html hostile
[ "$(grep -o '</script>' hostile.html | wc -l)" = "$(grep -o '<script' hostile.html | wc -l)" ] &&
	! grep -q '<b>&' hostile.html && grep -q 'u003c/script>' hostile.html
result $? "are no markup in the page"

# Times that are no times.
printf 'cpu 0\nsubmit ctx=1 ring=1 seqno=1 ts=0\nend ctx=1 ring=1 seqno=1 ts=18446744073709551000\nsubmit ctx=18446744073709551615 ring=70000 seqno=4294967295 ts=5\n' |
	"$synth" - mad
check "times as far apart as can be" 0 '' report --html mad.html mad
grep -q '"contexts":\[' mad.html && tail -c 8 mad.html | grep -qx '</html>'
result $? "still make a page"

# The old file stays until the new one is whole.
echo before > kept.html
ln -s kept.html link.html
check "a file is replaced" 0 '' report --html link.html two
grep -q DOCTYPE kept.html && [ -L link.html ]
result $? "also behind a link"
check "no such folder" 1 'none/page.html.*cannot create' report --html none/page.html two
check "a full disk" 1 'cannot write' report --html /dev/full two
check "no such capture" 1 'no such capture' report --html kept.html nope
grep -q DOCTYPE kept.html
result $? "leaves the old page"
[ -z "$(find . -name '*.part')" ]
result $? "nothing is left behind"
on err check "a page on stdout" 0 '^Jobs: 2 seen' report --html - two
grep -q DOCTYPE out && ! grep -q '^Jobs: 2 seen' out
result $? "is not mixed with tables"
check "two of them" 2 'only one of' report --html - --csv - two
check "--help" 0 '--html=FILE|--html FILE' report --help
finish
