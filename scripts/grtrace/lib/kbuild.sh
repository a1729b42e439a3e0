# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Runs the kernel's make on one of our trees, with ccache; makes a configuration from
# fragments, in which everything that is not named is off; and installs a kernel in the form
# that vm.sh takes.

# kbuild TREE BUILD ARGS...: runs make. W=1 is always set, because make would
# build everything again if it changed. The check of kernel-doc, which W=1 adds
# for each file, is left out: it is a check of its own (check.sh kernel-doc).
kbuild() {
	local tree="$1" build="$2"; shift 2
	# The same file at the same place of another tree is the same to ccache.
	CCACHE_BASEDIR="${tree%/*}" CCACHE_NOHASHDIR=1 make -j "$(nproc)" -C "$tree" O="$build" cmd_checkdoc= W=1 \
		CC="ccache gcc" "$@" </dev/null
}

# kbuild_modules FOLDER TREE BUILD ARGS...: make, for the modules of FOLDER; they and what is
# made of them are in BUILD/test-modules.
kbuild_modules() {
	local folder="$1" tree="$2" build="$3"; shift 3
	mkdir -p "$build/test-modules"
	rsync -rlpc "$folder/" "$build/test-modules/"
	kbuild "$tree" "$build" M="$build/test-modules" KCFLAGS=-Werror "$@"
}

# kbuild_tests TREE BUILD ARGS...: the same for those of the selftests, where TREE has them.
kbuild_tests() {
	local modules="$1/tools/testing/selftests/grtrace/modules"
	[ ! -e "$modules/Makefile" ] || kbuild_modules "$modules" "$@"
}

# kbuild_ours LOG FILE...: what make said about these files of the tree, and
# about what of ours does not link; without what matches a line of $kbuild_known,
# a file of what the kernel's own code in a patched file says of itself.
kbuild_ours() {
	local log="$1" names; shift
	names="$(printf '%s\n' "$@" | sed 's|\.|\\.|g' | paste -sd'|')"
	grep -E "(^|[ /])($names):[0-9]+(:[0-9]+)?: (warning|error|fatal error):|modpost: .*grtrace|^(WARNING|ERROR): .*grtrace" "$log" |
		grep -vEf "${kbuild_known:-/dev/null}"
}

# kbuild_verdict STATUS BUILD WHAT FILE...: after make, whose messages are in
# BUILD/log.  Where it failed, or warned about one of the files, prints that and
# ends the script.
kbuild_verdict() {
	local status="$1" build="$2" what="$3" object; shift 3
	if [ "$status" != 0 ]; then
		grep -E '(^|[^[:alpha:]])([Ee]rror|undefined reference)([: ]|$)|no effect: |\*\*\*' "$build/log" | head -n 40 >&2 || true
		die "$what could not be built: see the messages above; all are in $build/log"
	fi
	if kbuild_ours "$build/log" "$@" >&2; then
		# An object that exists would not be compiled, and not warned about, again.
		kbuild_ours "$build/log" "$@" | sed -nE 's#^([^ ]*/)?((drivers|include|kernel)/[^: ]*)\.[ch]:.*#\2#p' | sort -u |
			while read -r object; do
				case "$object" in
				include/*) find "$build/drivers/gpu" -name '*.o' -delete ;;
				*) find "$build/${object%/*}" -maxdepth 1 -name '*.o' -delete ;;
				esac
			done
		die "$what was built, but with warnings (above) in files of ours or of the patches, which count as errors"
	fi
}

# The configuration of kernels for guests in QEMU.
# shellcheck disable=SC2034,SC2154
guest_config=("$here"/kernel/config/{common,config})

# kconfig_fragment TREE FILE...: one fragment of several, in which the last word on an
# option counts, and "=n" is one; without those options of ours that TREE, a step of the
# series, does not have yet.
kconfig_fragment() {
	cat "${@:2}" | awk -F= -v kconfig="$1/drivers/gpu/grtrace/Kconfig" '
		BEGIN { while ((getline line <kconfig) > 0) if (line ~ /^config /) ours["CONFIG_" substr(line, 8)] }
		/^CONFIG_/ { if (!($1 in word)) order[++n] = $1; word[$1] = $0 }
		END {
			for (i = 1; i <= n; i++)
				if (word[order[i]] !~ /=n$/ && (order[i] !~ /^CONFIG_GRTRACE/ || order[i] in ours))
					print word[order[i]]
		}'
}

# kconfig_set FRAGMENT BUILD MAKE...: the configuration of BUILD, where it is not
# that of FRAGMENT already; MAKE... is make with its arguments.  An option that did
# not take effect (a wrong name, a missing dependency) is an error.
kconfig_set() {
	local fragment="$1" build="$2" missing known; shift 2
	if [ -e "$build/include/config/auto.conf" ] && cmp -s "$fragment" "$build/fragment"; then
		# Make asks, and fails, where a Kconfig file has more than it knew.
		mapfile -t known < <(grep -o '[[:graph:]]*Kconfig[[:graph:]]*' "$build/include/config/auto.conf.cmd")
		if [ -n "$(cd "$build/source" && find "${known[@]}" -newer "$build/fragment")" ]; then
			"$@" olddefconfig || return
			touch "$build/fragment"
		fi
	else
		rm -f "$build/fragment"
		KCONFIG_ALLCONFIG="$fragment" "$@" allnoconfig || return
		cp "$fragment" "$build/fragment"
	fi
	missing="$(grep ^CONFIG "$fragment" | grep -vxFf "$build/.config" | tr '\n' ' ' || true)"
	if [ -n "$missing" ]; then
		rm -f "$build/fragment"
		echo "these options had no effect: $missing"
		return 1
	fi
}

# It uses these variables of its caller: here, tree, build.
# shellcheck disable=SC2154
# image_install DIR: vmlinuz, release, lib/modules/<release>, of the kernel in
# "build"; also its configuration and symbols.
image_install() {
	local dir="$1" release
	release="$(cat "$build/include/config/kernel.release")"
	{
		kbuild "$tree" "$build" INSTALL_MOD_PATH="$dir" DEPMOD=true modules_install &&
			kbuild_tests "$tree" "$build" INSTALL_MOD_PATH="$dir" DEPMOD=true modules_install
	} >>"$build/log" 2>&1
	rm -f "$dir/lib/modules/$release/build" "$dir/lib/modules/$release/source"
	PATH="$PATH:/sbin:/usr/sbin" depmod -b "$dir" -F "$build/System.map" "$release"
	cp "$build/arch/x86/boot/bzImage" "$dir/vmlinuz"
	cp "$build/.config" "$dir/config"
	cp "$build/System.map" "$dir/"
	printf '%s\n' "$release" >"$dir/release"
}

# image_boot DIR: boot it once, with the files of grtrace where it has grtrace.
image_boot() {
	local wants=:
	# For the guest's shell:
	# shellcheck disable=SC2016
	if grep -q '^CONFIG_GRTRACE=y' "$1/config"; then
		wants='[ "$(cat /sys/kernel/debug/grtrace/control)" = idle ]'
	fi
	"$here/guest/vm.sh" "$1" -- sh -c "[ \"\$(uname -r)\" = '$(cat "$1/release")' ] && $wants"
}
