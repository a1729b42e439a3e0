#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests the installation of missing packages under bad conditions: two runs at once, and
# a run after another was killed while dpkg ran. Debian's programs are substitutes that
# log to "did".
. "$(dirname "$0")/../../lib/use.sh" result
set +e
mkdir "$work/bin"
cat >"$work/bin/dpkg-query" <<'FAKE'
#!/bin/sh
cd "${0%/*}/.." && while read -r package; do printf 'installed:%s ' "$package"; done <there
FAKE
printf '#!/bin/sh\necho "  Candidate: 1"\n' >"$work/bin/apt-cache"
printf '#!/bin/sh\nrm -f "%s/half"\n' "$work" >"$work/bin/dpkg"
cat >"$work/bin/apt-get" <<'FAKE'
#!/bin/sh
cd "${0%/*}/.." || exit
case "$*" in *update*) exit ;; esac
echo "install" >>did
[ ! -e half ] || { echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a'" >&2; exit 100; }
mkdir lock || { echo "E: Could not get lock" >&2; exit 100; }
sleep 1
rmdir lock
printf '%s\n' "$@" >>there
FAKE
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work"/bin/*
export PATH="$work/bin:$PATH" XDG_CACHE_HOME="$work/cache"
shows "$work/out" "$work/did"
fresh() { rm -rf "$work/did" "$work/half"; echo nothing >"$work/there"; : >"$work/did"; }
deps() { "$here/deps.sh" docs >"$work/out" 2>&1; }

fresh
deps && grep -qx install "$work/did"
result $? what_is_missing_is_installed
: >"$work/did"
deps && [ ! -s "$work/did" ] && [ ! -s "$work/out" ]
result $? then_nothing_is_done_or_said
fresh
touch "$work/half"
deps
result $? after_a_run_that_was_ended_within_dpkg
fresh
deps &
deps && wait $! && [ "$(grep -cx install "$work/did")" = 1 ]
result $? two_at_once_install_it_once
plan
