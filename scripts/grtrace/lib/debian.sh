# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Version, maintainer and changelog of the Debian packages; call these in the checkout.

# debian_version: the commit's day and time: it only grows, and each commit has its own.
debian_version() { printf '0.%s\n' "$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M%S --format=%cd)"; }

debian_maintainer() { git log -1 --format='%an <%ae>'; }

debian_changelog() {
	printf 'grtrace (%s) unstable; urgency=medium\n\n  * Built from %s.\n\n -- %s  %s\n' "$(debian_version)" \
		"$(git describe --always --dirty)" "$(debian_maintainer)" "$(git log -1 --format=%cD)"
}
