#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Installs the Debian packages that a part of grtrace needs and this machine
# lacks; says nothing and asks no network when none is missing.  Debian 12 and
# 13.
#
# Usage: deps.sh GROUP...
#
#   core    grparse, grtrace, and the words that need no library besides
#   build   all C++ tools
#   test    unit tests, fuzzers, what kselftests call
#   check   static checks
#   module  external kernel modules on this machine
#   dkms    the modules' package, built as a distribution does
#   docs    the kernel's documentation
#   kernel  a whole kernel
#   series  the patch series and its source tree
#   mails   what sends it, for the test of that
#   bench   tools that recording is compared with
#   bench-tools
#           tools that reading is compared with
#   uml     a User Mode Linux, built and run
#   vm      guests in QEMU
#   gpu     guests with a GPU, 2D or 3D
#   browser the page of a report, seen by a browser
#   fleet   node, in which engines for a fleet's rows run
#   big-endian
#           a reader on a big-endian machine
. "$(dirname "$0")/lib/use.sh" cache

# One word is one need: alternatives separated by "|", the first that the
# machine's suite has is taken.
declare -A group=(
	[core]="g++ make pkg-config libc6-dev libfmt-dev rsync ccache"
	[build]="g++ make pkg-config ccache help2man libc6-dev libfmt-dev libtracefs-dev libtraceevent-dev libtracecmd-dev libzstd-dev zlib1g-dev rsync
		libncurses-dev libsqlite3-dev libprotobuf-dev protobuf-compiler libbpf-dev bpftool clang llvm"
	[test]="g++ make pkg-config libgtest-dev libgmock-dev clang libclang-rt-14-dev|libclang-rt-19-dev
		llvm shellcheck trace-cmd linux-perf bpftrace kmod jq python3 groff-base man-db xz-utils zstd bzip2
		sqlite3 babeltrace2 python3-protobuf zsh fish"
	[check]="shellcheck sparse coccinelle ocaml-nox libpython3-dev clang-19 clang-tidy-19 clang-format-19 python3 python3-ply python3-git perl git make gcc"
	[module]="gcc make libc6-dev pahole libelf1|libelf1t64 libssl3|libssl3t64 kmod rsync"
	[dkms]="dkms dpkg cpio"
	[docs]="make python3 python3-sphinx"
	[kernel]="gcc make libc6-dev bc bison flex libelf-dev libssl-dev libdw-dev dwarves kmod cpio rsync xz-utils zstd
		python3 perl ccache"
	[series]="git patch unifdef rsync perl python3"
	[mails]="git git-email libmailtools-perl"
	[uml]="gcc make libc6-dev bc bison flex perl python3 ccache kmod rsync xz-utils busybox-static procps util-linux
		debian-archive-keyring"
	[bench]="gcc libc6-dev binutils python3 trace-cmd linux-perf clang libbpf-dev"
	[bench-tools]="python3 trace-cmd linux-perf blktrace babeltrace2 time util-linux"
	[vm]="qemu-system-x86 busybox-static cpio xz-utils zstd kmod mmdebstrap debian-archive-keyring rsync procps util-linux"
	[gpu]="qemu-system-gui libvirglrenderer1 xvfb libgl1-mesa-dri libegl1 libgles2
		kmscube libdrm-tests glmark2-es2-drm"
	[big-endian]="g++-s390x-linux-gnu qemu-user-static xz-utils ccache"
	[fleet]="nodejs npm"
	[browser]="chromium|chromium-headless-shell fonts-dejavu-core python3"
)

options '' "$@"
[ $# -gt 0 ] || usage_error "needs a group"
needs=()
for name; do
	[ -n "${group[${name:-none}]:-}" ] || usage_error "unknown group '$name'"
	read -rd '' -a words <<<"${group[$name]}" || true
	needs+=("${words[@]}")
done

command -v dpkg-query >/dev/null ||
	die "cannot find out which packages are missing: dpkg-query not found; on a system that is not Debian install by hand: ${needs[*]}"

# missing NEED...: those of which none of the alternatives is installed.
missing() {
	local need package installed
	installed=" $(dpkg-query -W -f '${db:Status-Status}:${Package} ' 2>/dev/null) "
	for need; do
		for package in ${need//|/ }; do
			case "$installed" in *" installed:$package "*) continue 2 ;; esac
		done
		printf '%s\n' "$need"
	done
}

# choose NEED: the package of this machine's suite to install for it; status 1 when there
# is none.
choose() {
	local package
	for package in ${1//|/ }; do
		if apt-cache policy "$package" 2>/dev/null | grep 'Candidate: [^(]' >/dev/null; then
			printf '%s\n' "$package"
			return
		fi
	done
	return 1
}

# installed_so_far: of how many.
installed_so_far() {
	local there
	there="$(dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | grep -cx installed)" || true
	printf 'installing packages: %s of %s, and what these need\n' "$there" "${#packages[@]}"
}

# install GROUP...: whatever of it another run has not installed meanwhile.
install() {
	local need package packages=() apt=(as_root env DEBIAN_FRONTEND=noninteractive)
	mapfile -t wanted < <(missing "${needs[@]}")
	[ ${#wanted[@]} -gt 0 ] || return 0
	note "installing what is missing for: $*"
	# Lists that were fetched just now, perhaps for another group, are fresh.
	[ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mmin -10 2>/dev/null)" ] ||
		as_root apt-get -qq update >&2 ||
		note "this machine's package lists could not be refreshed; using the old ones"
	for need in "${wanted[@]}"; do
		package="$(choose "$need")" ||
			die "no package for '$need' in this machine's apt sources (Debian 12 or 13 is expected); install it by hand"
		packages+=("$package")
	done
	# A run that was ended may have left some unpacked and not configured.
	"${apt[@]}" dpkg --configure -a >&2 || true
	with_progress installed_so_far "${apt[@]}" apt-get -qq -y -o DPkg::Lock::Timeout=600 \
		--no-install-recommends install "${packages[@]}" >/dev/null 9>&- ||
		die "apt-get could not install ${packages[*]}: see its message above"
}

[ -z "$(missing "${needs[@]}")" ] || cache_lock packages install "$@"
