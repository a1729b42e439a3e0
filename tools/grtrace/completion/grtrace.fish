# SPDX-License-Identifier: GPL-2.0
# What fish completes of grtrace and grparse: words and options as --help has them, with
# what they do, and the base names of captures.

function __grtrace_words
	grtrace --help 2>/dev/null | string match -v '*(not installed)*' |
		string replace -rf '^  ([a-z]+)  +(.*)' '$1\t$2'
end

# Of the program that is typed, and of the word behind it.
function __grtrace_options
	set -l typed (commandline -opc)
	set -l command $typed[1]
	if test (count $typed) -gt 1; and not string match -q -- '-*' $typed[2]; and not string match -q '*grparse' $typed[1]
		set -a command $typed[2]
	end
	$command --help 2>/dev/null | string replace -rf '^(?:  -[A-Za-z],|      ?) ?(--[a-z-]+)(?: [A-Z[]\S*)?(?:  +(.*))?$' '$1\t$2'
	$command --help 2>/dev/null | string replace -rf '^  (-[A-Za-z])(?:,.*| .*|)$' '$1'
end

function __grtrace_captures
	for file in *.grtrace.*
		string replace -rf '\.grtrace\.[0-9]+$' '' -- $file
	end | sort -u
end

complete -c grtrace -n __fish_use_subcommand -f -a '(__grtrace_words)'
complete -c grtrace -n '__fish_seen_subcommand_from help' -f -a '(__grtrace_words)'
for program in grtrace grparse
	complete -c $program -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__grtrace_options)'
	complete -c $program -n 'not __fish_use_subcommand; or test '$program' = grparse' -a '(__grtrace_captures)'
end
