# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Gets the newest sparse of Debian, for kernels that the sparse of Debian stable
# cannot read. Needs cache.sh, apt.sh.

# The headers of 7.3 use __typeof_unqual__(), which sparse reads from 0.6.5 on.
# Debian's testing suite has that version, and its package also runs on Debian
# 13.
SPARSE_SUITE=forky

fill_sparse() { apt_unpack "$SPARSE_SUITE" "$1" sparse; }

# fetch_sparse: the newest one, to the cache.
fetch_sparse() {
	local version
	apt_fresh "$SPARSE_SUITE" || return
	version="$(apt_private "$SPARSE_SUITE" apt-cache madison sparse | awk '{ print $3; exit }')"
	[ -n "$version" ] || die "Debian $SPARSE_SUITE has no package sparse"
	cache_entry "$CACHE/sparse/$version" fill_sparse
}

# new_sparse: the program's path, or nothing.  Without network an older one will do.
new_sparse() {
	fetch_sparse >&2 &		# not "fetch_sparse ||", without set -e in it
	wait $! || note "looking for a sparse that was fetched before"
	find "$CACHE/sparse"/[0-9]* -path '*/usr/bin/sparse' 2>/dev/null | sort -V | tail -n 1 || true
}
