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

# Functions that run under a lock of the cache are called by name:
# shellcheck disable=SC2317
. "$(dirname "$0")/../lib/use.sh" cache apt chroot debian

testing=''
options '--test=testing' "$@"
set -- "${args[@]}"
suite="${1:-$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")}"
case "$suite" in
bookworm|trixie) ;;
*) usage_error "'$suite' is no suite that packages are built for: bookworm or trixie" ;;
esac
[ $# -le 1 ] || usage_error "needs one suite at most"
"$here/deps.sh" vm dkms
out="$checkout/out/deb/$suite"
work="$CACHE/deb/$suite-$(printf '%s' "$checkout" | sha256sum | cut -c1-8)"

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
	rm -rf "$work" "$out"
	mkdir -p "$out"
	cd "$checkout"
	sources "$work/grtrace"
	cd "$work/grtrace"
	note "building the packages for Debian $suite"
	chroot_run "$builder" "$work" -- env DEB_BUILD_OPTIONS="nocheck parallel=$(nproc) noautodbgsym" \
		dpkg-buildpackage -b -us -uc >"$work/log" 2>&1 </dev/null || {
		tail -n 40 "$work/log" >&2
		die "the packages could not be built for $suite: see the end of the log above, $work/log"
	}
	"$here/kernel/dkms.sh" "$work" >/dev/null 2>&1 || die "the package of the modules could not be built: run kernel/dkms.sh"
	cp "$work"/*.deb "$out/"
	printf '%s\n' "$builder" >"$work/builder"
}
cache_lock "deb-${work##*/}" build
printf '%s\n' "$out"
[ -n "$testing" ] || exit 0

# as_root_in ROOT SHARE CMD...: in the root, with the folder as its /share.
as_root_in() {
	# shellcheck disable=SC2016
	as_root unshare --mount --propagation private -- bash -c '
		mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && mkdir -p "$1/share" &&
		mount --bind "$2" "$1/share" && exec chroot "$1" "${@:3}"' bash "$@"
}

number=0 failed=0
result() { # NAME LOG STATUS
	number=$((number + 1))
	if [ "$3" = 0 ]; then
		echo "ok $number - $suite: $1"
	else
		tail -n 30 "$2" | sed 's/^/# /'
		echo "not ok $number - $suite: $1"
		failed=1
	fi
}

status=0
cd "$work"
chroot_run "$(cat builder)" "$work" -- lintian --allow-root --fail-on error "$work"/*.deb >lintian.log 2>&1 </dev/null || status=$?
result "lintian has no error" lintian.log "$status"

# All that they put into a root, in MB; the bar is 12.
size="$(for deb in grtrace_*.deb grtrace-tools_*.deb; do dpkg-deb -f "$deb" Installed-Size; done | awk '{ sum += $1 } END { printf "%.1f", sum / 1024 }')"
printf 'BAR deb_installed %s MB 12 %s\n' "$size" "$(awk -v size="$size" 'BEGIN { print size <= 12 ? "ok" : "short" }')" | tee size.log
status=0
grep -q ok size.log || status=1
result "both together are installed in at most 12 MB" size.log "$status"

# The root is a copy: what is installed there must not be in the cache.
empty="$(userland empty apt,ca-certificates,man-db)"
mkdir -p share
cp "$out"/grtrace_*.deb "$out"/grtrace-tools_*.deb "$here/package/install.sh" share/
cp -r "$checkout/tools/grtrace/tests/captures/truth-plain" share/
as_root rm -rf --one-file-system root
as_root cp -a "$empty" root
as_root cp /etc/resolv.conf root/etc/
cd share
status=0
as_root_in "$work/root" "$work/share" sh /share/install.sh >../install.log 2>&1 </dev/null || status=$?
result "installed in an empty Debian they work, and leave nothing when they are removed" ../install.log "$status"
cd "$work"
as_root rm -rf --one-file-system root
echo "1..$number"
exit "$failed"
