#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packages for Debian: grtrace and grparse (grtrace), all other words (grtrace-tools) and
# the kernel modules (grtrace-dkms), built in a userland of the suite.  Prints the folder
# that holds them.
#
# Usage: deb.sh [--test] [SUITE]
#
#   --test  then looks at them with lintian and installs them in an empty Debian, uses
#           and removes them: as TAP
#   SUITE   bookworm (12) or trixie (13); default: the machine's, where it is one of these
#
# Exit status: 0, or 1 where the build or a test failed; 2 wrong usage.

. "$(dirname "$0")/../lib/use.sh" cache apt chroot debian result

testing=''
options '--test=testing' "$@"
set -- "${args[@]}"
suite="${1:-$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")}"
case "$suite" in
bookworm|trixie) ;;
*) usage_error "'$suite' is not a suite that packages are built for: bookworm or trixie" ;;
esac
[ $# -le 1 ] || usage_error "needs one suite at most"
"$here/deps.sh" vm dkms
out="$checkout/out/deb/$suite"
built="$CACHE/deb/$suite-$(printf '%s' "$checkout" | sha256sum | cut -c1-8)"

fill() { debstrap "$suite" "$2" "$1"; }

# userland NAME PACKAGE,...: prints the folder of a Debian with these.
userland() {
	local dir
	dir="$CACHE/chroots/$suite-$1-$(printf '%s' "$2" | sha256sum | cut -c1-12)"
	if [ ! -d "$dir" ]; then
		apt_fresh "$suite"
		cache_entry "$dir" fill "$2"
	fi
	printf '%s\n' "$dir"
}

# sources DIR: the source package, unpacked.
sources() {
	mkdir -p "$1"
	git ls-files -z tools/grtrace include/uapi | grep -zv '^tools/grtrace/tests/' |
		xargs -0 cp -p --parents -t "$1"
	cp -r "$here/package/debian" "$1/"
	sed -i "s|@MAINTAINER@|$(debian_maintainer)|" "$1/debian/control"
	debian_changelog >"$1/debian/changelog"
}

build() {
	local builder packages
	packages="$(sed -n 's/^Build-Depends: //p' "$here/package/debian/control" | sed 's/ ([^)]*)//g; s/debhelper-compat/debhelper/; s/, */,/g')"
	builder="$(userland build "build-essential,lintian,$packages")"
	rm -rf "$built" "$out"
	mkdir -p "$out"
	cd "$checkout"
	sources "$built/grtrace"
	cd "$built/grtrace"
	note "building the packages for Debian $suite"
	chroot_run "$builder" "$built" -- env DEB_BUILD_OPTIONS="nocheck parallel=$(nproc) noautodbgsym" \
		dpkg-buildpackage -b -us -uc >"$built/log" 2>&1 </dev/null || {
		tail -n 40 "$built/log" >&2
		die "the packages could not be built for $suite: see the end of the log above, $built/log"
	}
	"$here/kernel/dkms.sh" "$built" >/dev/null 2>&1 || die "the package of the modules could not be built: run kernel/dkms.sh"
	cp "$built"/*.deb "$out/"
	printf '%s\n' "$builder" >"$built/builder"
}
cache_lock "deb-${built##*/}" build
printf '%s\n' "$out"
[ -n "$testing" ] || exit 0

# as_root_in ROOT SHARE CMD...: in the root, with the folder as its /share.
as_root_in() {
	# shellcheck disable=SC2016
	as_root unshare --mount --propagation private -- bash -c '
		mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mkdir -p "$1/share" &&
		mount --bind "$2" "$1/share" && exec chroot "$1" "${@:3}"' bash "$@"
}

cd "$built"
holds "$suite: lintian has no error" chroot_run "$(cat builder)" "$built" -- lintian --allow-root --fail-on error "$built"/*.deb </dev/null

# All that they put into a root.
installed() {
	for deb in grtrace_*.deb grtrace-tools_*.deb; do
		dpkg-deb -f "$deb" Installed-Size
	done | awk '{ sum += $1 / 1024 } END {
		printf "BAR deb_installed %.1f MB 12 %s\n", sum, sum <= 12 ? "ok" : "short"
		exit sum > 12
	}'
}
holds "$suite: both together are installed in at most 12 MB" installed

# The root is a copy: what is installed there must not be in the cache.
empty="$(userland empty apt,ca-certificates,man-db)"
mkdir -p share
cp "$out"/grtrace_*.deb "$out"/grtrace-tools_*.deb "$here/package/install.sh" share/
cp -r "$checkout/tools/grtrace/tests/captures/truth-plain" share/
as_root rm -rf --one-file-system root
as_root cp -a "$empty" root
as_root cp /etc/resolv.conf root/etc/
holds "$suite: installed in an empty Debian they work, and leave nothing when they are removed" \
	as_root_in "$built/root" "$built/share" sh /share/install.sh </dev/null
as_root rm -rf --one-file-system root
plan
