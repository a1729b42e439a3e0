#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The completions of bash, zsh and fish: every word that is built and every option that its
# --help has, and captures by their base names.

# shellcheck source=tools/grtrace/tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
completion=$here/../../completion
PATH=$build:$PATH
touch game.grtrace.0 game.grtrace.1 other.txt

# Each prints what may stand for the last word of a command line, a line each.
cat > bash.sh << 'SCRIPT'
. "$1/grtrace.bash"
read -ra COMP_WORDS <<< "$2"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_grtrace "${COMP_WORDS[0]}"
printf '%s\n' "${COMPREPLY[@]}"
SCRIPT
cat > zsh.sh << 'SCRIPT'
words=($=2) CURRENT=$#words
chosen() { print -l -- ${(M)@:#$words[CURRENT]*} }
_describe() { chosen ${${(P)2}%%:*} }
compadd() { chosen ${@:#--} }
_files() { }
source $1/_grtrace
SCRIPT
cat > fish.sh << 'SCRIPT'
source $argv[1]/grtrace.fish
complete -C $argv[2] | string replace -r '\t.*' ''
SCRIPT

# completes LINE: by the shell
completes()
{
	case $shell in
	zsh) zsh -f zsh.sh "$completion" "$1" ;;
	*) $shell $shell.sh "$completion" "$1" ;;
	esac 2> err | sort
}

# options COMMAND...: those of its help
options()
{
	"$@" --help | sed -nE 's/^  (-[A-Za-z], |    )(--[a-z-]+).*/\2/p' | sort -u
}

for shell in bash zsh fish; do
	has_program "$shell" $shell || continue
	"$grtrace" --help | sed -nE '/\(not installed\)/d; s/^  ([a-z]+)  .*/\1/p' | sort > words
	grep '^re' words > wanted
	completes 'grtrace re' > out
	same "$shell: words" out wanted
	while read -r word; do
		[ "$word" != help ] || continue
		options grtrace "$word" > wanted
		completes "grtrace $word --" > out
		[ -s wanted ] && [ ! -s err ] && cmp -s out wanted
		result $? "$shell: options of $word"
	done < words
	options grparse > wanted
	completes 'grparse --' > out
	same "$shell: options of grparse" out wanted
	completes 'grtrace report g' | grep -v '\.grtrace\.' > out
	[ "$(cat out)" = game ]
	result $? "$shell: a capture"
	completes 'grparse -i ga' | grep -v '\.grtrace\.' > out
	[ "$(cat out)" = game ]
	result $? "$shell: a capture behind an option"
done
finish
