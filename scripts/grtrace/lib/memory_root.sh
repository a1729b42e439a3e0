# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Makes a root for a guest that is in its memory: the usual programs, the programs that the caller
# names, and the libraries that all of these need.  Such a guest uses nothing from outside while it
# runs, so its devices may sleep.
# Needs cache.sh.

MEMORY_ROOT_PACKAGES=(bash coreutils dash diffutils findutils grep kmod libc-bin perl-base procps sed util-linux)
# No package has these in its list.
MEMORY_ROOT_FILES=(/usr/bin/awk /etc/group /etc/ld.so.cache /etc/passwd)

# memory_root TAR IMAGE WORD...: writes TAR for the kernel unpacked in IMAGE.  A
# WORD with a slash is a file or folder, one without a kernel module, which is left
# out where the kernel has none of that name.
memory_root() {
	local tar="$1" image="$2" base word paths=() modules=()
	shift 2
	for word; do
		case "$word" in
		*/*)
			[ -e "$word" ] || die "cannot copy $word to the guest: there is no such file"
			paths+=("$(realpath -s "$word")") ;;
		*) modules+=("$word") ;;
		esac
	done
	base="$(memory_root_base)"
	cp "$base/root.tar" "$tar"
	if [ ${#paths[@]} -gt 0 ]; then
		find -L "${paths[@]}" '(' -type f -o -type d -empty ')' | memory_root_files >"$tar.files"
		grep -vxFf "$base/files" "$tar.files" | memory_root_add "$tar"
		rm "$tar.files"
	fi
	memory_root_modules "$image" "${modules[@]}" |
		memory_root_add "$tar" --transform 's,^.*/lib/modules/,usr/lib/modules/,'
}

# memory_root_base: prints the folder with the usual programs, in root.tar, and
# the names of what it holds, in "files"; made when needed.
memory_root_base() {
	local key
	key="$({
		declare -f memory_root_fill memory_root_files memory_root_add
		dpkg-query -W "${MEMORY_ROOT_PACKAGES[@]}"
		sha256sum "${MEMORY_ROOT_FILES[@]}"
	} | sha256sum | cut -c1-16)"
	cache_entry "$CACHE/memory-root/$key" memory_root_fill
	printf '%s\n' "$CACHE/memory-root/$key"
}

memory_root_fill() {
	local dir="$1"
	{
		dpkg-query -L "${MEMORY_ROOT_PACKAGES[@]}" | grep -vE '^/(etc|usr/share)/' |
			while read -r file; do
				[ ! -f "$file" ] || printf '%s\n' "$file"
			done
		printf '%s\n' "${MEMORY_ROOT_FILES[@]}"
	} | memory_root_files >"$dir/files"
	tar -cf "$dir/root.tar" -C / bin sbin lib lib64
	memory_root_add "$dir/root.tar" <"$dir/files"
}

# memory_root_files: the paths of its input and of the libraries that they need,
# each once, below /usr what Debian has there with a link from outside.
memory_root_files() {
	local files
	mapfile -t files
	{
		printf '%s\n' "${files[@]}"
		# it complains about files that are not programs
		ldd "${files[@]}" 2>/dev/null |
			awk '$2 == "=>" && $3 ~ /^\// { print $3 } NF == 2 && $1 ~ /^\// { print $1 }' || true
	} | sed -E 's,^/(bin|sbin|lib|lib64)/,/usr&,' | sort -u
}

# memory_root_modules IMAGE NAME...: files of the kernel's modules.
memory_root_modules() {
	local image="$1" release name
	shift
	release="$(cat "$image/release")"
	printf '%s\n' "$image/lib/modules/$release"/modules.*
	for name; do
		PATH="$PATH:/sbin:/usr/sbin" modprobe -d "$image" -S "$release" --show-depends "$name" 2>/dev/null || true
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# memory_root_add TAR ARGS...: the files of its input; a link becomes what it
# leads to.
memory_root_add() {
	local tar="$1"
	shift
	sed 's,^/,,' | tar -rhf "$tar" -C / --no-recursion --hard-dereference "$@" -T -
}
