#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# As root in an empty Debian: installs the packages of /share by apt, uses them, removes
# them, and compares the files before and after.
set -ex
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
files() {
	find / -xdev \( -path /proc -o -path /dev -o -path /share -o -path /tmp -o -path /var/lib/apt -o -path /var/lib/dpkg \
		-o -path /var/cache -o -path /var/log \) -prune -o -print | sort
}

apt-get -qq update
files >/tmp/before
apt-get -qq -y --no-install-recommends install /share/grtrace_*.deb /share/grtrace-tools_*.deb
grtrace --version
grtrace --help | grep report
cd /share/truth-plain
[ "$(grparse -q -a C -f '%S\n' x | wc -l)" = 3 ]
grtrace report x | grep .
grtrace report --busy x | grep 79.34
grtrace verify x
for page in grtrace grparse grtrace-record grtrace-report grtrace-export; do
	man -w "$page"
done
[ -e /usr/share/bash-completion/completions/grparse ]
for unit in grtrace-record.service grtrace-incidents.service grtrace-incidents.path; do
	[ -e /lib/systemd/system/$unit ] || [ -e /usr/lib/systemd/system/$unit ]
done
# None is enabled.
[ -z "$(find /etc -name 'grtrace*')" ]
mkdir /tmp/incidents
/usr/libexec/grtrace/grtrace-incidents /tmp/incidents
# A word says where it was looked for when the suite is gone.
apt-get -qq -y purge grtrace-tools
grtrace report x 2>/tmp/said && exit 1
grep 'grtrace-tools\|not installed' /tmp/said
apt-get -qq -y purge grtrace
apt-get -qq -y autoremove --purge
files >/tmp/after
diff /tmp/before /tmp/after
