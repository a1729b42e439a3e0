#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tools, run by root for others: they follow no link of another user where the kernel would
# not, and run no command of a user as root.

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

load="$dir/mockload"
protected=/proc/sys/fs/protected_symlinks

# As the shells' own "echo >link" shows.
kernel_protects() {
	! (echo x >"$1") 2>/dev/null
}

# link_is_not_followed NAME COMMAND...: the command is to write NAME.
link_is_not_followed() {
	name=$work/public/$1
	shift
	echo precious >"$work/victim" && chmod 600 "$work/victim" || return 1
	rm -rf "$name"
	setpriv --reuid 65534 --regid 65534 --clear-groups ln -s "$work/victim" "$name" || return 1
	kernel_protects "$name" || { echo "# the kernel follows the link"; return 1; }
	"$@" >"$work/out" 2>&1
	same "$*: the file behind the link" precious "$(cat "$work/victim")" &&
	same "$*: its mode" 600 "$(stat -c %a "$work/victim")"
}

links_of_others() {
	echo 1 >$protected || return 1
	chmod 755 "$work" && mkdir "$work/public" && chmod 1777 "$work/public" &&
	grtrace record -D "$work" -o run -- "$load" --jobs 20 --duration 20 >"$work/out" 2>&1 || return 1
	cd "$work/public" || return 1
	link_is_not_followed page.html grtrace report --html page.html "$work/run" &&
	link_is_not_followed rows grtrace report --full -o rows "$work/run" &&
	link_is_not_followed jobs grtrace report --csv jobs "$work/run" &&
	link_is_not_followed table.csv grtrace export --to csv -o table.csv "$work/run" &&
	link_is_not_followed all.sqlite grtrace export --to sqlite -o all.sqlite "$work/run" &&
	link_is_not_followed all.pftrace grtrace export --to perfetto -o all.pftrace "$work/run" &&
	link_is_not_followed both.grtrace.0 grtrace merge -o both "$work/run" "$work/run" &&
	link_is_not_followed made.grtrace.0 grtrace record -o made -- true &&
	link_is_not_followed run.grtrace.0 grtrace record --source tracefs -o run -- true &&
	link_is_not_followed notes.grtrace grtrace annotate -o notes.grtrace -- true
}

# who COMMAND...: the user and the capabilities of what it starts.
who() {
	rm -f "$work/public/who"
	SUDO_USER=nobody SUDO_UID=65534 SUDO_GID=65534 timeout 120 "$@" -- \
		sh -c 'exec >who; id -u; grep CapEff /proc/self/status' >"$work/out" 2>&1
	same "$*: its command's user and capabilities" "65534 CapEff: 0000000000000000" \
		"$(tr -s '[:space:]' ' ' <"$work/public/who" | sed 's/ $//')" && return
	sed 's/^/# /' "$work/out"
	return 1
}

commands_of_users() {
	chmod 755 "$work" && mkdir -p "$work/public" && chmod 1777 "$work/public" && cd "$work/public" || return 1
	who grtrace record -o recorded &&
	who grtrace record --source tracefs -o traced &&
	who grtrace annotate -o annotated &&
	who grtrace monitor sched
}

after() { # TEST
	session_stop
	cd /
	rm -rf "$work/public"
}

saved=$(cat $protected)
at_end() {
	echo "$saved" >$protected
}

needs setpriv timeout
needs_modules
run_tests links_of_others commands_of_users
