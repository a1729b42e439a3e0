# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# . use.sh NAME...: the files of this folder with these names.

for part; do
	. "${BASH_SOURCE[0]%/*}/$part.sh"
done
