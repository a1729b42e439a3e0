#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# The files of the page as C++, for page_text.h, on stdout. The page's policy
# names the one style and the one script that a browser may use by their hash.
#
# Usage: embed.sh SCRIPT...
#
#   SCRIPT  the page's scripts, which become one, in this order

set -eu
here=$(cd "$(dirname "$0")" && pwd)

# hash: sha256 of stdin in base64.
hash()
{
	sha256sum | awk '{
		for (i = 1; i <= 64; i++)
			nibble[i - 1] = index("0123456789abcdef", substr($1, i, 1)) - 1
		letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		# 3 nibbles are 2 letters; the last letter has 2 bits of nothing.
		nibble[64] = nibble[65] = 0
		for (i = 0; i < 64; i += 3) {
			bits = nibble[i] * 256 + nibble[i + 1] * 16 + nibble[i + 2]
			printf "%s", substr(letters, int(bits / 64) + 1, 1)
			if (i < 63)
				printf "%s", substr(letters, bits % 64 + 1, 1)
		}
		print "="
	}'
}

# The licence stands in the source; a page needs no comments.
style()
{
	cat "$here/page.css"
}

# In a scope of its own and strict, so that a slip is an error.
script()
{
	echo "'use strict';"
	for file; do
		cat "$here/$file"
	done
}

# text NAME: stdin as a string_view.
text()
{
	printf 'const std::string_view %s = R"~page~(' "$1"
	cat
	printf ')~page~";\n'
}

echo '#include "words/page/page_text.h"'
echo 'namespace grtrace {'
{
	sed -e '/^<!-- SPDX/d' \
		-e "s|@style-hash@|$(style | hash)|" \
		-e "s|@script-hash@|$(script "$@" | hash)|" \
		-e '/@style@/,$d' "$here/page.html"
	printf '<style>'
	style
	printf '</style>\n'
	sed -e '1,/@style@/d' -e '/@script@/,$d' "$here/page.html"
} | text page_begin
{
	printf '<script>'
	script "$@"
	printf '</script>\n'
} | text page_script
sed '1,/@script@/d' "$here/page.html" | text page_end
echo '} // namespace grtrace'
