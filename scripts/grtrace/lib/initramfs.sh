# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The initramfs of a rig guest: busybox, the few kernel modules that reach the
# 9p root and the output ports, and the two scripts of guest/.
# Needs cache.sh.

INITRAMFS_MODULES=(virtio_pci 9pnet_virtio 9p overlay virtio_console)

# initramfs_path IMAGE GUEST: prints the path of the initramfs for the kernel
# unpacked in IMAGE with the scripts of the folder GUEST, made when needed.
initramfs_path() {
	local image="$1" guest="$2" release key
	release="$(cat "$image/release")"
	key="$(cat "$guest"/* /bin/busybox "$image/lib/modules/$release/modules.dep" |
		sha256sum | cut -c1-16)"
	cache_entry "$CACHE/initramfs/$release-$key" initramfs_fill "$image" "$guest" "$release"
	printf '%s\n' "$CACHE/initramfs/$release-$key/initramfs"
}

initramfs_fill() {
	local image="$1" guest="$2" release="$3" dir="$4" tree="$4/tree" name path file
	mkdir -p "$tree/bin" "$tree/modules" "$tree/dev"
	cp /bin/busybox "$tree/bin/busybox"
	cp "$guest/init" "$tree/init"
	cp "$guest/run.sh" "$tree/run.sh"
	chmod 755 "$tree/init"
	# The kernel opens it for the first process before devtmpfs is there.
	mknod "$tree/dev/console" c 5 1 2>/dev/null || true
	# Dependencies first, each once; what is built in needs no file.
	for name in "${INITRAMFS_MODULES[@]}"; do
		PATH="$PATH:/sbin:/usr/sbin" modprobe -d "$image" -S "$release" --show-depends "$name"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' >"$dir/paths"
	while read -r path; do
		file="${path##*/}"
		file="${file%.xz}"
		file="${file%.zst}"
		case "$path" in
		*.xz) xz -dc "$path" ;;
		*.zst) zstd -qdc "$path" ;;
		*) cat "$path" ;;
		esac >"$tree/modules/$file"
		printf '%s\n' "$file"
	done <"$dir/paths" >"$tree/modules/order"
	( cd "$tree" && find . | LC_ALL=C sort | cpio --quiet -o -H newc ) >"$dir/initramfs"
	rm -rf "$tree" "$dir/paths"
}
