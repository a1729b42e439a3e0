# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# . use.sh NAME...: the files of this folder with these names.

# A program that ends in order when it is interrupted is for bash one that has dealt with
# that, and the script would go on with what comes next.
trap 'exit 130' INT

for part; do
	. "${BASH_SOURCE[0]%/*}/$part.sh"
done
