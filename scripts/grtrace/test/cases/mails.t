#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the mailings as git send-email sends them: each thread is connected, each mail has
# recipients, and the lines that the sender asked for are present. A program takes the
# place of sendmail and keeps the mails; nothing leaves this machine.
. "$(dirname "$0")/../../lib/use.sh" series result
cd "$here/../.."
"$here/deps.sh" series mails
# the same sender on all machines
printf '[user]\n\tname = A Sender\n\temail = sender@example.org\n' >"$work/config"
export GIT_CONFIG_GLOBAL="$work/config" GIT_CONFIG_NOSYSTEM=1

cat >"$work/sendmail" <<'END'
#!/bin/sh
# The n-th mail of this thread, with the recipients in its first line.
n=$(ls "$SENT" | wc -l)
{ echo "$*"; cat; } >"$SENT/$(printf %04d "$n")"
END
chmod +x "$work/sendmail"

id=0123456789abcdef0123456789abcdef01234567
echo 'What I have to say myself.' >"$work/statement"
if ! "$here/series/series.sh" -o "$work/out" --base "$id" --statement "$work/statement" \
	--trailer 'Assisted-by: A tool' --trailer 'Link: https://example.org/1' >"$work/folders" 2>"$work/said"; then
	result 1 the_mails_are_made
	plan
fi
series_read drivers/gpu/drm/7.3
# set by series_read()
# shellcheck disable=SC2154
equal a_folder_for_each_thread "${threads[*]}" "$(sed "s|^$work/out/||" "$work/folders" | paste -sd' ')"

# sent THREAD: its mails, by git send-email, into $work/sent.
sent() {
	rm -rf "$work/sent"
	mkdir "$work/sent"
	( cd "$work/out/$1" && SENT="$work/sent" git send-email --quiet --confirm=never --suppress-cc=self --no-validate \
		--smtp-server="$work/sendmail" ./*.patch )
}

# thread_is_one: the first mail begins it, and all others answer that one.
thread_is_one() {
	local first mail
	first="$(sed -n 's/^Message-I[dD]: *//p' "$work/sent/0000")"
	[ -n "$first" ] || return 1
	! grep -E '^(In-Reply-To|References):' "$work/sent/0000" || return 1
	for mail in "$work/sent"/*; do
		[ "$mail" = "$work/sent/0000" ] || {
			grep -qFx "In-Reply-To: $first" "$mail" && grep -qFx "References: $first" "$mail"
		} || { echo "$mail does not answer $first"; head -n 20 "$mail"; return 1; }
	done
}

# has REGEX WHERE: each of the mails (all), or of the patches (patch).
has() {
	local mail
	for mail in "$work/sent"/*; do
		[ "$2" = all ] || grep -q '^---$' "$mail" || continue
		grep -qE "$1" <(sed 1d "$mail") || { echo "there is no $1 in"; sed -n 2,30p "$mail"; return 1; }
	done
}

# a sender: a To everywhere, no sign-off, and the statement and the base once in a thread.
somebody() {
	has '^To: .*@' all && [ "$(cat "$work/sent"/* | grep -c '^Signed-off-by: A Sender')" = 0 ] &&
	has '^Assisted-by: A tool$' patch && has '^Link: https://example.org/1$' patch &&
	[ "$(cat "$work/sent"/* | grep -cx "base-commit: $id")" = 1 ] &&
	[ "$(cat "$work/sent"/* | grep -cx 'What I have to say myself.')" = 1 ]
}

# shellcheck disable=SC2154
for thread in "${threads[@]}"; do
	holds "$thread is sent" sent "$thread"
	holds "$thread hangs together" thread_is_one
	holds "$thread has its recipients, trailers and base" somebody
done

# The next version: what changed is in it, and the range.
cp -r "$work/out" "$work/before"
"$here/series/series.sh" -o "$work/out" --base "$id" --signoff --previous "$work/before" --thread 0/drm-sched >"$work/folders" 2>"$work/said" || true
holds a_sign_off_when_asked grep -q '^Signed-off-by: A Sender <sender@example.org>$' "$work/out/0/drm-sched/0001"*
holds a_range_diff grep -q '^Range-diff' "$work/out/0/drm-sched/0000"*
plan
