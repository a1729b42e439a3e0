# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The userland of another Debian suite, to build in: a cached chroot made with
# mmdebstrap from the suite's signed packages.  Commands run in a mount namespace
# of their own, so mounts disappear when the command ends, and two commands at the
# same time do not disturb each other.
# Needs cache.sh, apt.sh.

# The packages to build external modules, a kernel or the C++ tools. The headers
# packages of a base name the compiler version; it is the suite's default.
CHROOT_PACKAGES=gcc,g++,make,libc6-dev,pahole,bc,bison,flex,libelf-dev,libssl-dev,kmod,cpio,xz-utils,zstd,rsync,perl,python3,pkg-config

# chroot_path SUITE: prints the chroot's folder, made when needed.
chroot_path() {
	local dir
	dir="$CACHE/chroots/$1-$(printf '%s' "$CHROOT_PACKAGES" | sha256sum | cut -c1-12)"
	if [ ! -d "$dir" ]; then
		apt_fresh "$1"
		cache_entry "$dir" chroot_fill "$1"
	fi
	printf '%s\n' "$dir"
}

chroot_fill() {
	note "making a Debian $1 chroot to build in"
	debstrap "$1" "$2" "$CHROOT_PACKAGES"
}

# debstrap SUITE DIR PACKAGE,...: the least of Debian, and these, in DIR.  Its mounts end
# with it, also when it is killed: a later removal of DIR shall not find the machine's own
# /sys in it.
debstrap() {
	debstrap_dir="$2"
	with_progress debstrap_so_far as_root unshare --mount --propagation private -- mmdebstrap --quiet --mode=root --variant=minbase --skip=check/empty \
		--include="$3" "$1" "$2" "$CACHE/apt/$1/sources.list" >&2
}

debstrap_so_far() { printf 'unpacking a userland: %s so far\n' "$(du -sh "$debstrap_dir" 2>/dev/null | cut -f1)"; }

# chroot_run DIR BIND... -- CMD...: run CMD in the chroot, in the caller's
# working directory and with the caller's rights; each BIND is a folder that
# is mounted at its own path.
chroot_run() {
	local dir="$1" binds=(); shift
	while [ "$1" != -- ]; do binds+=("$1"); shift; done
	shift
	# shellcheck disable=SC2016
	as_root unshare --mount --propagation private -- /bin/bash -c '
		set -eu
		dir="$1" owner="$2" cwd="$3" count="$4"
		shift 4
		# To those within it is a root like any other, also to mount in.
		mount --bind "$dir" "$dir"
		# objtool of 7.3 reads its stack limit from /proc.
		mount -t proc proc "$dir/proc"
		mount --rbind /dev "$dir/dev"
		mount -t tmpfs tmp "$dir/tmp"
		for ((; count > 0; count--)); do
			mkdir -p "$dir$1"
			mount --bind "$1" "$dir$1"
			shift
		done
		exec chroot --userspec="$owner" "$dir" /bin/bash -c "cd \"\$0\" && exec \"\$@\"" "$cwd" "$@"
	' bash "$dir" "$(id -u):$(id -g)" "$PWD" "${#binds[@]}" "${binds[@]}" "$@"
}
