# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# . use.sh NAME...: the files of this folder with these names.

# A program that ends in order when it is interrupted is for bash one that has dealt with
# that, and the script would continue with its next command.
trap 'exit 130' INT

for part; do
	. "${BASH_SOURCE[0]%/*}/$part.sh"
done
