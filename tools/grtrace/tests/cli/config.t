#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# grtrace config shows, sets and refuses, against a directory of plain
# files in place of debugfs.

# shellcheck source=tools/grtrace/tests/cli/capture_lib.sh
. "$(dirname "$0")/capture_lib.sh"

# wrote NAME WORDS: what the last command wrote to the configuration, if it
# went well.
wrote()
{
	[ "$code" = 0 ] && [ "$(tr '\n' ' ' < "$work/d/grtrace/config")" = "$2 " ]
	result $? "$1"
}

# refuses NAME REGEX WORDS...: exit 1, a sentence, and nothing written.
refuses()
{
	cp "$work/d/grtrace/config" "$work/kept"
	name=$1 regex=$2
	shift 2
	check_word "$name" 1 "$regex" config "$@"
	cmp -s "$work/kept" "$work/d/grtrace/config" || result 1 "$name: nothing written"
}

fresh

# ----------------------------------------------------------------- what it shows

check_word 'all keys' 0 '^n_subbufs=4$' config
expect 'each of them' "$(wc -l < "$work/out")" = 29
check_word 'one key' 0 '^524288$' config subbuf_size
expect 'and nothing else' "$(wc -l < "$work/out")" = 1
check_word 'a list' 0 '^none$' config watch_ctx_add
check_word '--help has a table' 0 \
	'^backpressure_threshold +0 +0 to 100$' \
	config --help
check_word 'with what needs an idle session' 0 '^mode \* +stop +stop, overwrite$' \
	config --help
while IFS='=' read -r key _; do
	grep -q "^$key " "$work/out" || result 1 "$key is in the table"
done < "$work/d/grtrace/config"

# ------------------------------------------------------------------ what it sets

check_word 'sets' 0 '' config clock=boot
wrote 'one key' 'clock=boot'
fresh
check_word 'sets several' 0 '' config sample=4 watch_ctx_clear=1 watch_ctx_add=5,6
wrote 'in their order' 'sample=4 watch_ctx_clear=1 watch_ctx_add=5,6'
fresh
check_word 'sets a mask to all' 0 '' config filter_ring_mask=all
wrote 'as a number' 'filter_ring_mask=0xffffffffffffffff'
fresh
check_word 'numbers as the kernel reads them' 0 '' config burst=0x10 slow_exec_us=010
wrote 'as they were typed' 'burst=0x10 slow_exec_us=010'
fresh
check_word 'devices' 0 '' config filter_device=mock0,0000:00:02.0
wrote 'as a list' 'filter_device=mock0,0000:00:02.0'
fresh
check_word '--reset' 0 '' config --reset
wrote 'sets every default' 'mode=stop subbuf_size=524288 n_subbufs=4 clock=mono level=verbose filter_type_mask=0xffffffffffffffff filter_engine_mask=0xffffffffffffffff filter_ring_mask=0xffffffffffffffff filter_ring_id=0 filter_device=all watch_allow_mode=1 watch_combine=or watch_ctx_clear=1 watch_ring_clear=1 watch_pid_clear=1 sample=1 adaptive_sampling=0 max_events_per_sec=0 rate_limiter_mode=1 burst=0 backpressure_threshold=0 slow_queue_us=0 slow_exec_us=0 snapshot_on=none profile=0'
fresh
sed -i 's/^sample=.*/sample=7/; s/^watch_pid_add=.*/watch_pid_add=70,71/' "$work/d/grtrace/config"
check_word '--save' 0 '' config --save saved
check_word '--load' 0 '' config --load saved
grep -v '^#' saved | cmp -s - "$work/d/grtrace/config"
result $? 'sets what was saved'
grep -qx sample=7 saved && grep -qx watch_pid_clear=1 saved &&
	grep -qx watch_pid_add=70,71 saved && ! grep -q reset_stats saved
result $? 'lists emptied first, and nothing reset'
fresh
check_word '--save -' 0 '^mode=stop$' config --save -
printf 'sample=3 # why\n\n# nothing\n\tburst=9\n' > mine
check_word '--load of a file by hand' 0 '' config --load mine
wrote 'with comments' 'sample=3 burst=9'

# --------------------------------------------------------------- what it refuses

fresh
refuses 'unknown key' \
	'sampel: unknown key; there are: mode, subbuf_size, .*, reset_stats' sampel=2
refuses 'unknown key to show' 'sampel: unknown key' sampel
refuses 'no value' 'sample=: there is no value: give sample 1 to 1000000' sample=
refuses 'a sign' "burst=-1: '-1' has a sign" burst=-1
refuses 'too small' 'sample=0: 0 is out of range' sample=0
refuses 'too large' \
	'backpressure_threshold=101: 101 is out of range: give backpressure_threshold 0 to 100 \(refuse' \
	backpressure_threshold=101
refuses 'trailing junk' "burst=1k: '1k' is not a number" burst=1k
refuses 'no multiple' 'subbuf_size=5000: 5000 is not a multiple of 4096' subbuf_size=5000
refuses 'bad word' "clock=sometimes: 'sometimes' is not one of its values: give clock mono, boot" \
	clock=sometimes
refuses 'a clock that is no more' "clock=tai: 'tai' is not one of its values: give clock mono, boot" clock=tai
refuses 'a key that is no more' 'order: all records have one order, gseq: leave it out' order=gseq
refuses 'bad trigger' "'fire' is not one of its values: give snapshot_on none, or of" \
	snapshot_on=error,fire
refuses 'bad list' "watch_ctx_add=1,,2: '' is not a number" watch_ctx_add=1,,2
refuses 'too long a list' '65 values are too many: the list holds 64' \
	"watch_ctx_add=$(seq -s , 65)"
refuses 'pid 0' 'watch_pid_add=0: 0 is out of range: give watch_pid_add' watch_pid_add=0
refuses 'white space' 'contains white space, which is not allowed' 'filter_device=a b'
refuses 'a key and a setting' "'mode' is not key=value" mode sample=2
refuses 'a good and a bad one' 'sample=0: 0 is out' clock=boot sample=0
refuses '--reset with keys' 'cannot be combined' --reset sample=2
refuses '--load of what is not there' 'nowhere: No such file' --load nowhere
printf 'sample=3\nburst=x\n' > bad
refuses '--load of a bad file' "bad: line 2: burst=x: 'x' is not a number" --load bad
printf '# nothing\n' > bad
refuses '--load of nothing' 'bad: it has no key=value' --load bad
check_word '--save to where nothing can be' 1 'cannot write .*gone' config --save gone/x
sed -i '/^sample=/d' "$work/d/grtrace/config"
refuses 'a key this kernel does not have' \
	"sample: this kernel's grtrace does not have it; there are:" sample=2

finish
