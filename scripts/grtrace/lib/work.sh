# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Makes "work", a folder that goes when the script ends.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
