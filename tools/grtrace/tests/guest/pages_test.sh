#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The commands of the pages, typed as they are there (pages.txt), and the script for a
# CI: each succeeds. Programs that a page only uses as an example are the mock GPU's
# load, what names a real GPU names the mock's, and nothing lasts longer than a second.

# A page is many commands, each of which takes a second and more.
GRTRACE_CASE_SECONDS=${GRTRACE_CASE_SECONDS:-600}

# shellcheck source=tools/grtrace/tests/guest/words.sh
. "$(dirname "$0")/words.sh"

list="$dir/pages.txt"
mkdir "$work/bin"
PATH="$work/bin:$PATH"

# program NAME LINE...: a replacement for another.
program() {
	name=$1
	shift
	{ echo '#!/bin/sh'; printf '%s\n' "$@"; } >"$work/bin/$name"
	chmod +x "$work/bin/$name"
}

# shellcheck disable=SC2016 # theirs
programs() {
	program glxgears "exec $dir/mockload --jobs 40 --duration 200"
	program ssh 'shift' 'exec sh -c "$*"'
	cp "$dir/mockload" "$work/bin/mygame"
	cp "$dir/mockload" "$work/bin/kwin_wayland"
}

# commands PAGE: those of the list.
commands() {
	awk -v title="$1: in a guest" '
		/^[^\t]/ { here = $0 == title }
		here && sub(/^\t/, "")' "$list"
}

# as_here COMMAND: with names of this guest, for a second; without an end of its own,
# for three.
as_here() {
	line=$(printf '%s\n' "$1" | sed -E -e 's/ -w [0-9]+/ -w 1/' -e 's/0000:03:00\.0/grtrace_mock.1/' \
		-e 's/gfx_0\.0\.0/render0/' -e 's/-u NAME/-u root/' -e "s/-p 1234/-p $game_pid/")
	case $line in
	*" -w "*|*" -- "*) ;;
	"grtrace monitor "*|"grtrace record -o - "*) line="timeout --preserve-status -s INT 3 $line" ;;
	esac
	printf '%s\n' "$line"
}

# A session runs where the page's reader has one, and none where it would be refused.
session_as_for() { # COMMAND
	[ -e $files/control ] || return 0
	case $1 in
	"grtrace start "*|"grtrace record "*|"echo start "*) session_stop ;;
	"grtrace msg "*|"grtrace snapshot "*|"grtrace stop -o "*)
		session_running || echo start >$files/control ;;
	esac
}

page() { # PAGE
	bad=0
	mkdir -p "$work/$1" && cd "$work/$1" || return 1
	ln -sf ../bin/glxgears program
	ln -sf ../bin/glxgears benchmark
	case $1 in install.rst)
		mygames_end
		modules_unload || return 1
		mkdir -p out
		ln -sf "$GRTRACE_MODULES" out/modules ;;
	esac
	commands "$1" >"$work/commands"
	[ -s "$work/commands" ] || return 1
	while IFS= read -r command <&3; do
		session_as_for "$command"
		command=$(as_here "$command")
		eval "$command" >"$work/out" 2>"$work/err" </dev/null 3<&-
		status=$?
		echo "# $command: $status"
		if [ $status != 0 ]; then
			sed 's/^/#  /' "$work/out" "$work/err"
			bad=1
		fi
	done 3<"$work/commands"
	return $bad
}

# It compares the same program with itself, in a guest whose times mean nothing: any
# verdict is right, and no error is.
gate() {
	mkdir -p "$work/gate" && cd "$work/gate" || return 1
	ln -sf ../bin/glxgears benchmark
	session_stop
	grtrace record -o base -- ./benchmark >"$work/out" 2>&1 || return 1
	"$dir/ci_gate.sh" >"$work/out" 2>"$work/err"
	echo "# exit status $?"
	grep -qxE 'passed|slower|too few jobs: record longer' "$work/out" && [ -s diff.json ] && return
	sed 's/^/# /' "$work/out" "$work/err"
	return 1
}

mygames_start() {
	mygame --jobs 100000000 --duration 20000 >/dev/null 2>&1 &
	game_pid=$!
	kwin_wayland --jobs 100000000 --duration 20000 >/dev/null 2>&1 &
}

# The load has a process for each of its streams, of the same name. Only one that is
# killed leaves its queued jobs to the kernel; another one waits for all of them.
mygames_end() {
	pkill -KILL -x mygame
	pkill -KILL -x kwin_wayland
	wait_until 60 mygames_are_gone
}

# A test runs in a shell of its own, which cannot wait for them: zombies do not count.
mygames_are_gone() {
	! pgrep -r D,R,S -x mygame >/dev/null && ! pgrep -r D,R,S -x kwin_wayland >/dev/null
}

after() {
	[ ! -e $files/control ] || session_stop
}

at_end() {
	[ -z "$game_pid" ] || mygames_end
	modules_unload
}

needs grtrace grparse trace-cmd perf
[ -n "$GRTRACE_MODULES" ] || skip_all "the modules are not loaded by insmod here"
case $(uname -r) in 6.12*) ;; *) skip_all "they are typed on Linux 6.12" ;; esac
needs_modules
if ! module_unload grtrace_mock || ! module_load grtrace_mock devices=2; then
	fail_all "grtrace_mock with two devices cannot be loaded"
fi
programs
mygames_start
# what unloads all comes last
pages=$(sed -n 's/^\([^\t#].*\): in a guest$/\1/p' "$list" | grep -vx install.rst)
set --
for name in $pages; do
	set -- "$@" "page $name"
done
run_tests "$@" gate "page install.rst"
