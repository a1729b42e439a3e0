#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests rows of "grtrace export --fleet" in DuckDB and in ClickHouse's engine: the
# statements of Documentation/gpu/grtrace/*.sql on 40 captures of two simulated weeks, with
# what "grtrace report" finds in the same captures as the judge. Prints TAP.
#
# Usage: fleet.sh [--fetch]
#
#   --fetch  fetch both engines; by default ClickHouse's (178 MB, unpacked 543 MB) is
#            used only if it is in the cache. Also with 1,000 captures of 1 MB: 3 GB in
#            TMPDIR, while it runs
. "$(dirname "$0")/../lib/use.sh" cache result
# --fill ENGINE is what this script calls itself with.
fetch='' fill=''
options '--fetch --fill:' "$@"
[ ${#args[@]} = 0 ] || usage_error "what is '${args[0]}'?"
pages="$checkout/Documentation/gpu/grtrace"

# Packages of npm, with the sums of what npm pack fetches.
declare -A packages=(
	[duckdb]="
	64d5080af3c0144329f9cbdbff7bc867c9c1f9df57a7e7e2a8b13bc6ed2bc664 @duckdb/node-api@1.5.6-r.1
	9d1ebca9020dcd5680e2e38bd182f1a0e69e59f00d31dfc5afca2623b8a34ac3 @duckdb/node-bindings@1.5.6-r.1
	1b9f82478539bb9a1d1df44bd103121a12ae52142c07158dc52b97d2ec1d69ff @duckdb/node-bindings-linux-x64@1.5.6-r.1
	270dec0fc06cff86481da8af2dd8f18dee6b602790b14ef0e1c2c18d7da39427 detect-libc@2.1.2"
	[clickhouse]="
	47bad24d64658bc3c84d9d7651f53290012ae78deb98912d6a06b84d858be26b chdb@3.4.0
	671345be44643ba55570505ed4f9b56c7145539c6ae83e90cab95dfc89f08d3a @clickhouse/client-common@1.22.0
	940450fb4158bddc23ae156432a67338a4d7ab6a585b639c61b3b0a14d2bac24 node-gyp-build@4.8.4
	c0d32b129e988f2b9a9a31c9141aecf5e1e2453f9a079efc4d36ab8e3f92b2ad @chdb/lib-linux-x64-gnu@26.7.3-stable.1"
)

# engine_folder ENGINE: where it is in the cache, named after what it consists of.
engine_folder() { printf '%s/engines/%s-%s' "$CACHE" "$1" "$(sha256sum <<<"${packages[$1]}" | cut -c1-12)"; }

# fill_engine ENGINE DIR: what npm would install, without its scripts.
fill_engine() {
	local sum package name
	note "fetching $1 from npm's registry"
	while read -r sum package; do
		[ -n "$package" ] || continue
		name="$(cd "$2" && npm pack --silent "$package")"
		sha256sum --quiet --check - <<<"$sum  $2/$name" >&2
		mkdir -p "$2/node_modules/${package%@*}"
		tar -xzf "$2/$name" -C "$2/node_modules/${package%@*}" --strip-components=1
		rm "$2/$name"
	done <<<"${packages[$1]}"
}

# has_engine ENGINE: or says why not, as the reason of a skip.
has_engine() {
	[ ! -d "$(engine_folder "$1")" ] || return 0
	if [ "$(uname -m)" != x86_64 ]; then
		echo "there is no build of it for this machine"
	elif [ "$1" = clickhouse ] && [ -z "$fetch" ]; then
		echo "it is not in the cache: make test-fleet fetches it"
	elif ! { command -v npm && command -v node || "$here/deps.sh" fleet; } >/dev/null 2>&1; then
		echo "node and npm could not be installed"
	elif ! (cd / && timeout 60 npm view detect-libc@2.1.2 version) >/dev/null 2>&1; then
		echo "npm's registry cannot be reached"
	else
		"$here/test/fleet.sh" --fill "$1" && return
		echo "it could not be fetched"
	fi
	return 1
}

# In a shell of its own, which ends where something of it fails.
if [ -n "$fill" ]; then
	mkdir -p "$CACHE/engines"
	cache_entry "$(engine_folder "$fill")" fill_engine "$fill"
	exit
fi

# The most that a program may take, in seconds: a thousand captures take half of it.
most=600
limited() { timeout --foreground "$most" "$@"; }
grtrace() { limited "$build/grtrace" "$@"; }
workload() { limited "$build/workload" "$@"; }

# engine ENGINE FILE: runs the statements of the file in the current folder.
engine() {
	local folder
	folder="$(engine_folder "$1")"
	cp "$here/test/fleet_engine.js" "$work/$1.js"
	rm -rf "$work/node_modules"
	ln -s "$folder/node_modules" "$work/node_modules"
	limited node "$work/$1.js" "$1" "$2"
}
# answers ENGINE: of its statements, which are in the current folder.
answers() { engine "$1" "$1.sql" >"$1.rows"; }

"$here/tools.sh" synth workload >&2
build="$("$here/tools.sh")"
cd "$work"

# rows FOLDER: what engines load, and what the tools say of the same captures.
rows() {
	local name captures
	cd "$work/$1"
	mapfile -t captures < <(printf '%s\n' *.grtrace.0 | sed 's/\.grtrace\.0$//')
	grtrace export --to csv --fleet --null '\N' -o jobs.csv "${captures[@]}" 2>"$work/quiet" &&
	grtrace export --to csv --fleet --rows captures --null '\N' -o captures.csv "${captures[@]}" 2>>"$work/quiet" &&
	grtrace export --to json --fleet -o jobs.json "${captures[@]}" 2>>"$work/quiet" || return
	for name in "${captures[@]}"; do
		grtrace report --json "$name.json" --csv "$name.csv" -o /dev/null "$name" 2>>"$work/quiet" || return
	done
	cd "$work"
}

# in_place ENGINE FILE: with a load that works in one process.
in_place() {
	if [ "$1" = duckdb ]; then
		cat "$pages/duckdb.sql" >"$2"
	else
		sed '/^-- 1\. /,$d' "$pages/clickhouse.sql" >"$2"
		cat >>"$2" <<-'SQL'
		-- duration load
		INSERT INTO grtrace_jobs SELECT * FROM file('jobs.csv', CSVWithNames);
		INSERT INTO grtrace_captures SELECT * FROM file('captures.csv', CSVWithNames);
		SQL
		sed -n '/^-- 1\. /,$p' "$pages/clickhouse.sql" >>"$2"
	fi
}

# all_rows ENGINE FILE: loads, and gives back all there is.
all_rows() {
	in_place "$1" whole.sql
	sed '/^-- 1\. /,$d' whole.sql >"$2"
	printf -- '-- 1. jobs\nSELECT * FROM grtrace_jobs ORDER BY capture, ctx, seqno, submit_ts;\n' >>"$2"
	printf -- '-- 2. captures\nSELECT * FROM grtrace_captures ORDER BY capture;\n' >>"$2"
	[ "$1" != duckdb ] ||
		printf -- '-- 3. Parquet\nSELECT * EXCLUDE (day) FROM fleet ORDER BY capture, ctx, seqno, submit_ts;\n' >>"$2"
}

mkdir fleet odd
limited python3 -B "$here/test/fleet_captures.py" "$build/synth" fleet >&2
limited python3 -B "$here/test/fleet_captures.py" "$build/synth" odd odd >&2
holds "rows of 40 captures" rows fleet
holds "rows of captures that are hard to load" rows odd
for form in clickhouse duckdb; do
	for table in jobs captures; do
		grtrace export --schema "$form" --rows "$table"
	done >"$form.schema"
	holds "the manual's table is that of --schema $form" python3 -B "$here/test/fleet_check.py" contains "$pages/$form.sql" "$form.schema"
done
grtrace export --schema json >json.schema
holds "--schema json describes the rows" python3 -B "$here/test/fleet_check.py" schema json.schema fleet odd

engines=()
for name in duckdb clickhouse; do
	if reason="$(has_engine "$name")"; then
		engines+=("$name")
		cd "$work/fleet"
		in_place "$name" "$name.sql"
		holds "$name: the manual's statements" answers "$name"
		holds "$name: eight queries, as the tools count" python3 -B "$here/test/fleet_check.py" queries "$name" "$name.rows" .
		cd "$work/odd"
		all_rows "$name" "$name.sql"
		holds "$name: loads all" answers "$name"
		holds "$name: every value comes back" python3 -B "$here/test/fleet_check.py" unchanged "$name.rows" .
		cd "$work"
	else
		skip "$name" "${reason##*$'\n'}"
	fi
done
[ ${#engines[@]} != 2 ] ||
	holds "both engines agree" python3 -B "$here/test/fleet_check.py" same fleet/duckdb.rows fleet/clickhouse.rows

# peak CAPTURE...: KB of memory at most that an export of their rows takes.
peak() {
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[2:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=int(sys.argv[1]))
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$most" "$build/grtrace" export --to csv --fleet "$@"
}

# memory: of one capture, and of another that is four times as large.
memory() {
	local small large
	workload --jobs 100000 --cpus 1 --subbuf 524288 small >"$work/made" 2>&1
	workload --jobs 400000 --cpus 1 --subbuf 524288 large >"$work/made" 2>&1
	small="$(peak small)" && large="$(peak large)" &&
	awk -v small="$small" -v large="$large" 'BEGIN {
		printf "BAR fleet_memory_growth %.2f times 1.1 %s\n", large / small, (large <= 1.1 * small) ? "ok" : "short"
	}'
}
holds "rows are a stream: memory does not grow" memory

# growth CAPTURES: of 1 MB each; what a million jobs cost, in seconds of a processor to export them, in seconds to load
# them, and in bytes.
growth() {
	local name captures took jobs bytes
	mkdir "$work/growth"
	cd "$work/growth"
	mapfile -t captures < <(seq -w "$1")
	for name in "${captures[@]}"; do
		workload --seed "$((10#$name))" --jobs 4300 --cpus 1 --subbuf 524288 "$name" >"$work/made" 2>&1 || return
	done
	took="$( { TIMEFORMAT='%U %S'; time grtrace export --to csv --fleet --null '\N' -o jobs.csv "${captures[@]}" 2>"$work/quiet"; } 2>&1 )" || return
	grtrace export --to csv --fleet --rows captures --null '\N' -o captures.csv "${captures[@]}" 2>>"$work/quiet" || return
	rm -- *.grtrace.0
	jobs="$(($(wc -l <jobs.csv) - 1))"
	per_million export "$took" "$(stat -c %s jobs.csv)" "$jobs"
	for name in "${engines[@]}"; do
		in_place "$name" whole.sql
		sed '/^-- 1\. /,$d' whole.sql >"$name.sql"
		[ "$name" = duckdb ] || cat >>"$name.sql" <<-'SQL'
		-- 2. bytes
		SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'grtrace_jobs';
		SQL
		printf -- '-- 1. jobs\nSELECT count(*) FROM grtrace_jobs;\n' >>"$name.sql"
		answers "$name" || return
		grep -q "^{\"query\":1,\"rows\":\[\[\"$jobs\"" "$name.rows" || { echo "$name has not all of $jobs jobs"; return 1; }
		took="$(sed -n 's/.*"load","seconds":\([0-9.]*\).*/\1/p' "$name.rows")"
		bytes="$(sed -n 's/^{"query":2,"rows":\[\["\([0-9]*\)".*/\1/p' "$name.rows")"
		per_million "$name" "$took" "${bytes:-$(find fleet -type f -printf '%s\n' | awk '{ sum += $1 } END { print sum }')}" "$jobs"
	done
	cd "$work"
	rm -r growth
}
# per_million NAME SECONDS BYTES JOBS
per_million() {
	awk -v name="$1" -v took="$2" -v bytes="$3" -v jobs="$4" 'BEGIN {
		split(took, t, " ")
		seconds = (t[1] + t[2]) * 1e6 / jobs
		size = bytes / jobs
		printf "BAR fleet_growth_%s %.2f s_per_M_jobs 60 %s\n", name, seconds, (seconds <= 60) ? "ok" : "short"
		printf "BAR fleet_bytes_%s %.0f bytes_per_job 600 %s\n", name, size, (size <= 600) ? "ok" : "short"
	}'
}
[ -z "$fetch" ] || holds "1,000 captures of 1 MB, loaded by each engine" growth 1000

plan
