#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Boots a kernel in QEMU and runs a command in it as root, with this machine's
# files as the guest's (read-only; the guest's changes stay in its memory).  The
# command's output is passed on live, with its two streams separate, and its exit
# status becomes the exit status of this script.
#
# Usage: vm.sh [options] BASE -- CMD...
#
#   BASE              6.12, 6.12-bookworm, 6.12-trixie, 7.3, or a folder with
#                     vmlinuz, release and lib/modules/<release>
#   --cpus N          processors (default 2)
#   --memory M        memory, as QEMU's -m (default 2G)
#   --gpu KIND        none (default), 2d, or virgl (3D through the host's OpenGL)
#   --modules         build this checkout's modules first; their folder is in
#                     $GRTRACE_MODULES in the guest
#   --modules-dir DIR the same with modules that are built already
#   --share DIR       folder that is writable from the guest, at the same path
#                     and in $GRTRACE_OUT (default: a fresh temporary one, kept
#                     when the guest left something in it)
#   --memory-root "WORD..."
#                     a root that is in the guest's memory instead, so that its
#                     devices may sleep: the usual programs and copies of the files
#                     and folders (words with a slash) and of the kernel's modules
#                     (without) named here, with what they need.  Nothing comes
#                     out but what the command prints
#   --timeout S       end the guest after S seconds, exit status 124 (default 300)
#   --open-stdin      the command's input stays open and empty instead of ending at
#                     once (kmscube, for one, stops at its end)
#   --append ARGS     more kernel command line
#   --qemu ARGS       more QEMU arguments, split at spaces
#
# Exit status: the command's; 70 when the kernel log has an oops or warning; 124
# on timeout; 71 when the guest ended before the command did; 2 wrong usage.

# lib/guest.sh reads some variables and sets others:
# shellcheck disable=SC2034,SC2154
. "$(dirname "$0")/../lib/use.sh" cache initramfs memory_root splat guest

cpus=2 memory=2G gpu=none modules='' modules_dir='' share='' memory_root=''
limit=300 open_stdin='' append='' qemu_args=''
options '--cpus: --memory: --gpu: --modules --modules-dir: --share: --memory-root: --timeout:limit --open-stdin --append: --qemu:qemu_args' "$@"
set -- "${args[@]}"
if [ $# -lt 3 ] || [ "$2" != -- ]; then
	usage_error "needs BASE -- CMD..."
fi
base="$1"
shift 2
[[ $cpus =~ ^[1-9][0-9]*$ ]] || usage_error "--cpus $cpus: not a number of processors"
[[ $limit =~ ^[1-9][0-9]*$ ]] || usage_error "--timeout $limit: not a number of seconds"
case "$gpu" in none|2d|virgl) ;; *) usage_error "--gpu $gpu: it is one of none, 2d, virgl" ;; esac
if [ -n "$memory_root" ] && [ -n "$share" ]; then
	usage_error "--memory-root does not go with --share"
fi

"$here/deps.sh" vm
if [ "$gpu" = virgl ]; then
	"$here/deps.sh" gpu
fi
if [ -e "$base/vmlinuz" ]; then
	image="$(cd "$base" && pwd)"
else
	image="$("$here/kernel/kernel.sh" "$base" image)"
fi
if [ -n "$modules" ]; then
	modules_dir="$("$here/kernel/modules.sh" "$base")"
fi
if [ -n "$modules_dir" ]; then
	modules_dir="$(cd "$modules_dir" && pwd)"
fi
initramfs="$(initramfs_path "$image" "$here/guest")"

guest_begin

# The job: what guest/run.sh finds in its folder.
if [ -n "$open_stdin" ]; then
	: >"$job/open-stdin"
fi
[ -z "$modules_dir" ] || export GRTRACE_MODULES="$modules_dir"
guest_job "$@" >"$job/job.sh"
printf '%s\n' "$cpus" >"$job/cpus"
boot=(job)
if [ -n "$memory_root" ]; then
	printf '%s\n' "$share" "$PWD" >"$job/folders"
	read -rd '' -a words <<<"$memory_root" || true
	[ -z "$modules_dir" ] || words+=("$modules_dir"/*.ko)
	memory_root "$run/root.tar" "$image" "${words[@]}"
	boot+=(root.tar)
fi
(
	cat "$initramfs"
	cd "$run" && find "${boot[@]}" | cpio --quiet -o -H newc
) >"$run/initramfs"
rm -f "$run/root.tar"

# share9p TAG DIR ARGS: one 9p share for QEMU's command line.  A comma in a
# value is written twice.
share9p() {
	printf '%s\n' -virtfs "local,path=${2//,/,,},mount_tag=$1,security_model=none,multidevs=remap$3"
}
mapfile -t shares < <(
	[ -z "$memory_root" ] || exit 0
	share9p root / ,readonly=on
	share9p share "$share" ''
	share9p modules "$image/lib/modules/$(cat "$image/release")" ,readonly=on
)

display=(-display none)
case "$gpu" in
2d) display+=(-device virtio-gpu-pci) ;;
virgl)
	# egl-headless needs a render node; SDL on a virtual X server needs none.
	setpriv --pdeathsig TERM Xvfb -displayfd 6 -screen 0 1280x1024x24 +extension GLX -nolisten tcp \
		6>"$run/display" >"$run/xvfb.log" 2>&1 &
	for _ in $(seq 100); do
		[ -s "$run/display" ] && break
		sleep 0.1
	done
	[ -s "$run/display" ] || die "the virtual X server did not start within 10 s: $(tail -n 1 "$run/xvfb.log")"
	DISPLAY=":$(cat "$run/display")"
	export DISPLAY SDL_VIDEODRIVER=x11 LIBGL_ALWAYS_SOFTWARE=1
	display=(-display "sdl,gl=on" -device virtio-gpu-gl-pci)
	;;
esac

guest_pipes

# How output leaves the guest.  After a sleep none came through 7.3's
# virtio_console; serial ports outlast one.
ports=(-device virtio-serial-pci)
for name in out err status; do
	ports+=(-device "virtserialport,chardev=$name,name=grtrace.$name")
done
if [ -n "$memory_root" ]; then
	ports=(-device "isa-serial,index=1,irq=3,chardev=out" -device "isa-serial,index=2,irq=5,chardev=err"
		-device "isa-serial,index=3,irq=7,chardev=status")
fi

# identify_cpu() forgets for a moment that there are five levels of pages: for KASAN
# an interrupt just then goes wild.  The boot code switches the level, and it sees this
# command line and not the one built in.
levels=
case "$(cat "$image/release")" in *-kasan) levels=no5lvl ;; esac

# One thread for all processors: QEMU 7.2 with a thread each corrupts code that
# the kernel patches (tracepoints, static keys).  The watchdogs are slow because
# an emulated processor on a busy machine is.
read -ra more <<<"$qemu_args"
guest_limited qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -vga none \
	-machine pc -accel tcg,thread=single -cpu max -smp "$cpus" -m "$memory" \
	-kernel "$image/vmlinuz" -initrd "$run/initramfs" \
	-append "console=ttyS0 loglevel=7 panic=-1 mitigations=off tsc=reliable no_timer_check random.trust_cpu=on watchdog_thresh=60 rcupdate.rcu_cpu_stall_timeout=120 $levels $append" \
	-chardev "file,id=log,path=$run/console" -serial chardev:log \
	-chardev "file,id=out,path=$run/out" -chardev "file,id=err,path=$run/err" \
	-chardev "file,id=status,path=$job/status" \
	"${ports[@]}" "${shares[@]}" "${display[@]}" "${more[@]}" \
	</dev/null >"$run/qemu.log" 2>&1 &
guest_wait $!
if [ "$guest_status" != 0 ] && [ ! -s "$run/console" ] && [ "$guest_status" != 137 ]; then
	die "QEMU did not start: $(tail -n 3 "$run/qemu.log" | tr '\n' ' ')"
fi
guest_end "the guest ($base)"
