#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# How far the reading is: on a terminal, which script(1) makes, and nowhere else.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"

if ! has_program "the terminal" script; then
	finish
	exit
fi
export TERM=xterm

"$build/workload" --jobs 4000 many > /dev/null 2>&1
"$build/workload" --jobs 4000 --stream stream > /dev/null 2>&1
mkfifo pipe

# on_terminal COMMAND: the text on its terminal, an escape as ^
on_terminal()
{
	script -qec "$1" /dev/null < /dev/null > typing 2> /dev/null
	mv typing typed
	tr '\033\r' '^\n' < typed | tee drawn
}

# The input in pieces, until something is drawn: that is at a read after the first second.
cat > until_drawn <<'END'
#!/bin/sh
tries=600
head -c 200000
until grep -qs ' read, ' typing || [ $((tries -= 1)) = 0 ]; do
	sleep 0.1
	head -c "$1"
done
cat
END
# The input, with a break in which it would be.
printf '#!/bin/sh\nhead -c 200000\nsleep 1.5\ncat\n' > unseen
chmod +x until_drawn unseen

# rows HOW: their reader is slow, and grparse reads no faster.
rows()
{
	echo "'$grtrace' export --to csv -i many -o - | $1 > rows"
}

check "a share and a rate" 0 '^[0-9]+ % of [0-9]+ MiB read, [0-9]+ MiB/s\^\[K' \
	on_terminal "$(rows "./until_drawn 65536")"
check "is cleared at the end" 0 '^\^\[K$' tail -n 1 drawn
"$grtrace" export --to csv -i many -o - > expected
same "the rows are what they are without" rows expected

export TERM=dumb
check "a terminal that clears no line" 0 '' on_terminal "$(rows ./unseen)"
absent "has none" ' read, '
export TERM=xterm
check "no terminal" 0 '' sh -c "$(rows ./unseen)"
absent "has none" ' read, '

./until_drawn 8192 < stream > pipe &
check "a pipe has no share" 0 '^[0-9]+ MiB read, [0-9]+ MiB/s\^\[K' \
	on_terminal "'$grtrace' report --full -i pipe"
check "the report comes after it is cleared" 0 '^\^\[Kpipe: ' cat drawn
./unseen < stream > pipe &
check "the terminal that rows are written to" 0 'Report of pipe' \
	on_terminal "'$grtrace' report --csv - -i pipe"
absent "has none" ' read, '

for word in verify timeline; do
	./until_drawn 8192 < stream > pipe &
	check "$word" 0 ' MiB read, ' on_terminal "'$grtrace' $word -i pipe"
done
./until_drawn 8192 < stream > pipe &
check "diff" 0 ' MiB read, ' on_terminal "'$grtrace' diff many pipe"
./until_drawn 8192 < stream > pipe &
check "merge" 0 ' MiB read, ' on_terminal "'$grtrace' merge -o merged pipe"

finish
