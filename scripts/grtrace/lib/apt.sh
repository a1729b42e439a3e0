# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Gives access to other Debian suites than the machine's own, through a private
# apt configuration under the cache: own sources, own lists, Debian's own keys.
# The machine's sources are read (they name the mirror to use) and never written.
# A set has what one kernel base needs: "bookworm" or "trixie", each with its
# security suite, trixie with its backports.
# Needs cache.sh.

APT_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# apt_targets LABEL: the machine's mirror for the archive with that label.
apt_targets() {
	# The format is apt's, not the shell's.
	# shellcheck disable=SC2016
	apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 2>/dev/null |
		awk -F'|' -v want="Debian|$1" '$1 "|" $2 == want { print $3; exit }'
}

# apt_mirror: prints "<main URI> <security URI>" as the machine knows them.
apt_mirror() {
	local main security
	main="$(apt_targets Debian)"
	if [ -z "$main" ]; then
		# A machine (or container) whose lists were never fetched or were
		# removed does not know which of its sources is Debian.
		note "fetching the machine's package lists: its Debian mirror is not known yet"
		as_root apt-get -qq update >&2
		main="$(apt_targets Debian)"
	fi
	[ -n "$main" ] || die "cannot find a Debian mirror in this machine's apt sources (apt-get indextargets names none with origin Debian); add one to /etc/apt/sources.list.d"
	security="$(apt_targets Debian-Security)"
	if [ -z "$security" ]; then
		security="${main%/}"
		security="${security%/debian}/debian-security/"
	fi
	printf '%s %s\n' "$main" "$security"
}

# apt_sources SET: the sources file of a set.
apt_sources() {
	local main security suite="$1" opt="[arch=amd64 signed-by=$APT_KEYRING]"
	read -r main security < <(apt_mirror) || exit 1
	printf 'deb %s %s %s main\n' "$opt" "$main" "$suite"
	printf 'deb %s %s %s-security main\n' "$opt" "$security" "$suite"
	if [ "$suite" = trixie ]; then
		printf 'deb %s %s %s-backports main\n' "$opt" "$main" "$suite"
	fi
}

# apt_private SET TOOL ARGS...: apt-get or apt-cache with the set's configuration.
apt_private() {
	local dir="$CACHE/apt/$1" tool="$2"; shift 2
	"$tool" -o Dir::State="$dir" -o Dir::State::lists="$dir/lists" \
		-o Dir::State::status="$dir/status" -o Dir::Cache="$dir" \
		-o Dir::Etc::sourcelist="$dir/sources.list" -o Dir::Etc::sourceparts=- \
		-o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
		-o APT::Architecture=amd64 -o APT::Architectures::=amd64 \
		-o APT::Update::Post-Invoke= -o APT::Update::Post-Invoke-Success= \
		-o Acquire::Languages=none -o APT::Sandbox::User=root "$@"
}

# apt_fresh SET [force]: lists no older than a day.  Without network, old lists
# are better than none.
apt_fresh() { cache_lock "apt-$1" apt_refresh "$@"; }

apt_refresh() {
	local set="$1" dir="$CACHE/apt/$1" sources
	if [ "${2:-}" != force ] && [ -n "$(find "$dir/fetched" -mmin -1440 2>/dev/null)" ]; then
		return
	fi
	[ -r "$APT_KEYRING" ] || die "cannot read $APT_KEYRING: install the package debian-archive-keyring"
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	: >"$dir/status"
	sources="$(apt_sources "$set")"
	printf '%s\n' "$sources" >"$dir/sources.list"
	note "fetching the package lists of Debian $set"
	if apt_private "$set" apt-get -qq -o APT::Update::Error-Mode=any update >&2; then
		touch "$dir/fetched"
	elif [ -e "$dir/fetched" ]; then
		note "the package lists of Debian $set could not be refreshed; using the old ones"
	else
		die "cannot fetch the package lists of Debian $set from this machine's mirror ($dir/sources.list); check the network and run again"
	fi
}

# apt_newest SET REGEX: the newest version captured by group 1 of REGEX over the
# names of all packages in the set.  Prints nothing where none matches.
apt_newest() {
	apt_private "$1" apt-cache pkgnames |
		sed -nE "s/^$2\$/\\1/p" | sort -V | tail -n 1
}

# apt_has SET PACKAGE: does the set offer it?
apt_has() {
	[ -n "$(apt_private "$1" apt-cache madison "$2" 2>/dev/null)" ]
}

# apt_download SET FOLDER PACKAGE...: where there is no room for them, that is the end;
# on a disk that is full cache_fill() says it.
apt_download() {
	local set="$1" said status=0
	said="$(cd "$2" && apt_private "$set" apt-get -qq download "${@:3}" 2>&1)" || status=$?
	[ -z "$said" ] || printf '%s\n' "$said" >&2
	case "$said" in
	*'No space left'*) exit 1 ;;
	*'enough free space'*) die "$CACHE_FULL" ;;
	esac
	return "$status"
}

# apt_unpack SET DIR PACKAGE...: download packages and unpack them below DIR, the
# folder of a cache entry that is being filled.
# A package that is gone from the mirror means old lists: refresh and try once more.
apt_unpack() {
	local set="$1" dir="$2" debs="$2/.debs" deb; shift 2
	mkdir "$debs"
	if ! apt_download "$set" "$debs" "$@"; then
		apt_fresh "$set" force
		apt_download "$set" "$debs" "$@" ||
			die "cannot download $* of Debian $set: see apt's message above; check the network and run again"
	fi
	for deb in "$debs"/*.deb; do
		dpkg -x "$deb" "$dir"
	done
	rm -rf "$debs"
}
