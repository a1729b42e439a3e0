# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Lists the files of the project that people wrote, whether git knows them already
# or not; built files are left out.

# our_files [TOP...]: paths as given (default: all below the working directory).
our_files() {
	find "${@:-.}" \( -path '*/.git' -o -path ./out -o -path '*tools/grtrace/build' -o -name __pycache__ \) -prune -o \
		-type f ! -name '*.o' ! -name '*.ko' ! -name '*.mod*' ! -name '.*.cmd' \
		! -name Module.symvers ! -name modules.order ! -name COPYING -print
}
