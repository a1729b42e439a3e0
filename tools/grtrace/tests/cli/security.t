#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Files and names that strangers wrote, and links of other users: a damaged trace is not taken for
# a whole one, nothing steers the terminal, and no file is written or read by others.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

reviews=$here/../reviews
hostile="python3 $here/hostile_output.py"
"$synth" "$fixtures/two_cpus.txt" game

# ------------------------------------------------------------ compressed traces

bombs=$reviews/bombs
cp "$bombs/t.gz" .
check "a whole one" 0 'nothing lost' "$grtrace" report --strict t.gz
# not_whole NAME FILE REGEX: what is there is read, the rest is lost, and a sentence says so.
not_whole()
{
	on err check "$1" 0 "$2: the rest is missing: $3" "$grtrace" import -o x.grtrace "$2"
	check "$1: the rest is lost" 3 '^Lost: [1-9][0-9,]* records' "$grtrace" report --full --strict "$2"
	check "$1: to grparse" 3 '' "$grparse" -q --strict "$2"
	check "$1: to import" 3 '' "$grtrace" import --strict -q -o x.grtrace "$2"
	run "$grtrace" verify --strict "$2"
	[ "$code" != 0 ]
	result $? "$1: to verify"
}
cp "$bombs/cut.gz" "$bombs/bad.gz" .
not_whole "one that is cut" cut.gz 'gzip could not unpack all of it: .*unexpected end of file'
not_whole "one with a flipped byte" bad.gz 'gzip could not unpack all of it: .*invalid compressed data'
zcat t.gz > t.txt
# These make one block of this trace, and unpack nothing if it is cut.
for packer in xz zstd bzip2; do
	$packer -q -c t.txt | head -c 4000 > "cut.$packer"
done
not_whole "one of xz that is cut" cut.xz 'xz could not unpack all of it: .*[Uu]nexpected end'
check "one of zstd that is cut" 1 'cut.zstd: is compressed, and zstd cannot unpack it: .*premature end' \
	"$grtrace" import -o x.grtrace cut.zstd
check "one of bzip2 that is cut" 1 'cut.bzip2: is compressed, and bzip2 cannot unpack it: it gives no reason' \
	"$grtrace" import -o x.grtrace cut.bzip2
# A pipe is not different.
check "from a pipe" 3 '^Lost: [1-9][0-9,]* records' sh -c "\"$grtrace\" report --full --strict - < cut.gz"
# A disk that gets full while it is unpacked looks like this.
mkdir fake
printf '#!/bin/sh\nhead -c 60000 t.txt; echo "no room" >&2; exit 1\n' > fake/gzip
chmod 755 fake/gzip
PATH=$PWD/fake:$PATH on err check "no room for it" 0 't.gz: the rest is missing: gzip could not unpack all of it: no room' \
	"$grtrace" import -o x.grtrace t.gz
if has_program "bombs" zstd; then
	cp "$bombs"/*.zst .
	on err check "4 GiB of text" 0 'text-4GiB.txt.zst: the rest is missing: it becomes more than 64 MiB, 504 times its size' \
		"$grtrace" import -o x.grtrace text-4GiB.txt.zst
	check "the rest is lost" 3 '' "$grtrace" import --strict -q -o x.grtrace text-4GiB.txt.zst
	on err check "a trace of empty events needs no memory" 1 'has no event' \
		prlimit --as=1500000000 "$grtrace" import --no-limit -o x.grtrace empty-events.pftrace.zst
	[ ! -e x.grtrace ] || rm x.grtrace
fi

# ------------------------------------------------------------ other libraries

if [ -x "$build/grtrace-tracedat" ]; then
	zcat "$bombs/deep-parentheses.dat.gz" > deep.dat
	cp "$bombs/strdup-overflow.dat" .
	for file in deep.dat strdup-overflow.dat; do
		on err check "$file is refused, or read" 1 "$file: (cannot be read|has no event)" \
			"$grtrace" import -o x.grtrace "$file"
	done
	[ ! -e x.grtrace ]
	result $? "and leaves nothing"
fi

# ------------------------------------------------------------ terminals

cp "$reviews"/inject/*.grtrace.0 .
for command in "$grparse hostile" "$grparse -q -v hostile" "$grparse --csv hostile" \
	"$grtrace report --color=always hostile" "$grtrace report --full hostile" \
	"$grtrace timeline --color=always hostile" "$grtrace timeline -T hostile" \
	"$grtrace verify hostile" "$grtrace export --to csv -o - hostile" \
	"$grtrace export --to csv --rows jobs --fleet -o - hostile" \
	"$grtrace export --to json -o - hostile" "$grtrace diff hostile hostile" \
	"$grparse c1name" "$grtrace report c1name"; do
	# shellcheck disable=SC2086
	check "nothing steers: ${command##*/}" 0 ' 0 that steer' $hostile --colours $command
done
"$grparse" hostile > piped
! grep -aqP '\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\x1b' piped
result $? "nor does the text in a pipe"

# Strangers also name files.
esc=$(printf 'no\033[31m\302\233\342\200\256')
for word in "$grparse" "$grtrace report" "$grtrace verify" "$grtrace merge -o x.grtrace" "$grtrace explain 1:1"; do
	# shellcheck disable=SC2086
	check "a name that is not there: ${word##*/}" 0 ' 0 that steer' $hostile $word "$esc"
done
cp game.grtrace.0 "$esc.grtrace.0"
cp game.grtrace.1 "$esc.grtrace.1"
for word in "$grparse -O" "$grtrace report" "$grtrace report --full" "$grtrace verify" "$grtrace timeline" "$grtrace diff game"; do
	# shellcheck disable=SC2086
	check "one that is: ${word##*/}" 0 ' 0 that steer' $hostile --colours $word "$esc"
done
# shellcheck disable=SC2086
check "an option" 0 ' 0 that steer' $hostile "$grtrace" report "--$esc"
# shellcheck disable=SC2086
check "a word" 0 ' 0 that steer' $hostile "$grtrace" "$esc"
rm -- "$esc".*

# ------------------------------------------------------------ what is not what was written

cp "$reviews"/packet-cut-out/*.xz . && xz -d packet-cut-out.*.xz
on out check "a packet was cut out" 1 '^packet-cut-out: [1-9][0-9]* damaged places' "$grtrace" verify packet-cut-out
check "that is a loss to others" 3 '^Lost: 21 records' "$grtrace" report --full --strict packet-cut-out

# ------------------------------------------------------------ who may read a file

umask 022
# mode_is NAME MODE FILE
mode_is()
{
	[ "$(stat -c %a "$3")" = "$2" ]
	result $? "$1 has mode $2"
}
check "merge" 0 '' "$grtrace" merge -o both game
mode_is "a merged capture" 600 both
check "import" 0 '' "$grtrace" import -q -o imported t.gz
mode_is "an imported capture" 600 imported
check "grparse -d" 0 '' "$grparse" -O -d copied game
mode_is "a copy" 600 copied
check "a page" 0 '' "$grtrace" report --html page.html game
mode_is "a page" 644 page.html
chmod 600 page.html
check "the page again" 0 '' "$grtrace" report --html page.html game
mode_is "a page that was for its owner alone" 600 page.html
check "a database" 0 '' "$grtrace" export --to sqlite -o game.db game
mode_is "a database" 644 game.db
chmod 640 game.db
check "the database again" 0 '' "$grtrace" export --to sqlite -o game.db game
mode_is "a database of a group" 640 game.db
here_before=$PWD
fresh
check_word "a recording" 0 '' record -D made -o game -- true
mode_is "its directory" 700 made
mode_is "its files" 600 made/game.grtrace.0
if [ "$(id -u)" = 0 ]; then
	fresh
	chmod 1777 .
	SUDO_UID=65534 check_word "with sudo" 0 '' record -D made -o game -- true
	[ "$(stat -c %u made made/game.grtrace.0 made/game.grtrace.1 | sort -u)" = 65534 ]
	result $? "they belong to who called sudo"
fi

# A session is stopped even if no file can be opened then.
for files in 6 7 8 9 10 11 12; do
	fresh
	run sh -c 'ulimit -n "$1"; exec "$2" record -r "$3" -w 1 -o game' - "$files" "$grtrace" "$work/d"
	[ "$(state)" != start ]
	result $? "$files descriptors leave no session running"
done
cd "$here_before" || exit 1

# ------------------------------------------------------------ links of other users

if [ "$(id -u)" = 0 ]; then
	mkdir pub
	chmod 1777 pub
	echo precious > victim
	chmod 600 victim
	# planted NAME COMMAND...: its output is pub/NAME
	planted()
	{
		name=$1
		shift
		ln -s "$PWD/victim" "pub/$name"
		chown -h 65534:65534 "pub/$name"
		run "$@"
		[ "$(cat victim)" = precious ] && [ "$(stat -c %a victim)" = 600 ]
		result $? "a planted link is not followed: ${2##*/} $3"
	}
	planted page.html "$grtrace" report --html pub/page.html game
	planted report "$grtrace" report --full -o pub/report game
	planted rows.csv "$grtrace" export --to csv -o pub/rows.csv game
	planted game.db "$grtrace" export --to sqlite -o pub/game.db game
	planted merged "$grtrace" merge -o pub/merged game
	planted imported "$grtrace" import -q -o pub/imported t.gz
	planted copy "$grparse" -O -d pub/copy game
	planted text "$grparse" -o pub/text game
	planted jobs.csv "$grtrace" report --csv pub/jobs.csv game
	planted x.grtrace.0 env GRTRACE_DEBUGFS_UNCHECKED=1 "$grtrace" record -r "$work/d" -o pub/x -- true
	planted config env "$grtrace" config -r "$work/d" --save pub/config
	# One's own is followed, as ever.
	ln -s "$PWD/page.html" pub/own.html
	: > page.html
	check "one's own link" 0 '' "$grtrace" report --html pub/own.html game
	[ -s page.html ] && [ -L pub/own.html ]
	result $? "its target is replaced"
fi

finish
