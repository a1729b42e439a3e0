# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# . use.sh NAME...: sources the files of this folder with these names.

# If a program handles an interrupt by an orderly exit, bash considers the interrupt
# handled, and would continue with the script's next command.
trap 'exit 130' INT

for part; do
	. "${BASH_SOURCE[0]%/*}/$part.sh"
done
