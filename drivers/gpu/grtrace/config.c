// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration as text: one table of keys, each with its kind, its place
 * in the configuration and its range. Parsing fills a copy, and the session
 * decides how to use it.
 *
 * Writing the displayed text back changes nothing: a key that triggers an
 * action is displayed with a value that does nothing.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "config.h"
#include "devices.h"
#include "limiter.h"
#include "sampling.h"
#include "snapshot.h"

struct config_key;

/**
 * struct config_kind - how values of a kind are read and shown
 *
 * @parse: converts text to a field; returns 0 or -errno
 * @show: converts a field to text
 */
struct config_kind {
	int (*parse)(const struct config_key *key, void *field, char *value);
	void (*show)(const struct config_key *key, const void *field,
		     struct seq_file *m);
};

/**
 * struct config_key - one key
 *
 * @name: its name
 * @kind: how to read and to show it
 * @offset: its field in &struct grtrace_config
 * @idle_only: the key may not change while a session runs
 * @min: least value
 * @max: greatest
 * @step: each value is a multiple of this
 * @words: the words that the kind accepts, if any, followed by NULL
 */
struct config_key {
	const char *name;
	const struct config_kind *kind;
	size_t offset;
	bool idle_only;
	u64 min;
	u64 max;
	u64 step;
	const char * const *words;
};

/* -------------------------------------------------------------- numbers */

/* Like kstrtou64(), but it does not accept a sign. */
static int parse_u64(const char *value, u64 *out)
{
	return isdigit(*value) ? kstrtou64(value, 0, out) : -EINVAL;
}

static int parse_range(const struct config_key *key, const char *value,
		       u64 *out)
{
	int ret = parse_u64(value, out);

	if (ret)
		return ret;
	if (*out < key->min || *out > key->max)
		return -ERANGE;
	return key->step && *out % key->step ? -EINVAL : 0;
}

static int parse_u32(const struct config_key *key, void *field, char *value)
{
	u64 n;
	int ret = parse_range(key, value, &n);

	if (!ret)
		*(u32 *)field = n;
	return ret;
}

static void show_u32(const struct config_key *key, const void *field,
		     struct seq_file *m)
{
	seq_printf(m, "%u", *(const u32 *)field);
}

static const struct config_kind config_u32 = { parse_u32, show_u32 };

static int parse_bool(const struct config_key *key, void *field, char *value)
{
	u64 n;
	int ret = parse_range(key, value, &n);

	if (!ret)
		*(bool *)field = n;
	return ret;
}

static void show_bool(const struct config_key *key, const void *field,
		      struct seq_file *m)
{
	seq_printf(m, "%d", *(const bool *)field);
}

static const struct config_kind config_bool = { parse_bool, show_bool };

/* The value of the field is the opposite of the key's. */
static int parse_not(const struct config_key *key, void *field, char *value)
{
	int ret = parse_bool(key, field, value);

	if (!ret)
		*(bool *)field = !*(bool *)field;
	return ret;
}

static void show_not(const struct config_key *key, const void *field,
		     struct seq_file *m)
{
	seq_printf(m, "%d", !*(const bool *)field);
}

static const struct config_kind config_not = { parse_not, show_not };

static int parse_mask(const struct config_key *key, void *field, char *value)
{
	return parse_u64(value, field);
}

static void show_mask(const struct config_key *key, const void *field,
		      struct seq_file *m)
{
	seq_printf(m, "0x%llx", *(const u64 *)field);
}

static const struct config_kind config_mask = { parse_mask, show_mask };

/* ---------------------------------------------------------------- words */

static int config_word(const struct config_key *key, const char *value)
{
	int i;

	for (i = 0; key->words[i]; i++)
		if (!strcmp(key->words[i], value))
			return i;
	return -EINVAL;
}

static const char * const words_mode[] = { "stop", "overwrite", NULL };
static const char * const words_order[] = { "gseq", "clock", NULL };
static const char * const words_combine[] = { "or", "and", NULL };

static int parse_word(const struct config_key *key, void *field, char *value)
{
	int word = config_word(key, value);

	if (word < 0)
		return word;
	*(bool *)field = word;
	return 0;
}

static void show_word(const struct config_key *key, const void *field,
		      struct seq_file *m)
{
	seq_puts(m, key->words[*(const bool *)field]);
}

static const struct config_kind config_one_of_two = { parse_word, show_word };

static const char * const words_clock[] = { "mono", "boot", "tai", NULL };
static const enum grtrace_clock config_clocks[] = {
	GRTRACE_CLOCK_MONOTONIC, GRTRACE_CLOCK_BOOTTIME, GRTRACE_CLOCK_TAI,
};

static int parse_clock(const struct config_key *key, void *field, char *value)
{
	int word = config_word(key, value);

	if (word < 0)
		return word;
	*(enum grtrace_clock *)field = config_clocks[word];
	return 0;
}

static void show_clock(const struct config_key *key, const void *field,
		       struct seq_file *m)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(config_clocks); i++)
		if (config_clocks[i] == *(const enum grtrace_clock *)field)
			seq_puts(m, key->words[i]);
}

static const struct config_kind config_clock = { parse_clock, show_clock };

static const char * const words_level[] = { "off", "normal", "verbose", NULL };
static const u64 config_levels[] = { 0, GRTRACE_LEVEL_NORMAL, U64_MAX };

static int parse_level(const struct config_key *key, void *field, char *value)
{
	int word = config_word(key, value);

	if (word < 0)
		return word;
	*(u64 *)field = config_levels[word];
	return 0;
}

static void show_level(const struct config_key *key, const void *field,
		       struct seq_file *m)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(config_levels); i++)
		if (config_levels[i] == *(const u64 *)field)
			seq_puts(m, key->words[i]);
}

static const struct config_kind config_level = { parse_level, show_level };

/* ---------------------------------------------------------------- lists */

/* Returns the next word of a comma list; NULL after the last. */
static char *list_next(char **list)
{
	return strsep(list, ",");
}

static int parse_triggers(const struct config_key *key, void *field,
			  char *value)
{
	u32 triggers = 0;
	char *name;
	int word;

	if (!strcmp(value, "none")) {
		*(u32 *)field = 0;
		return 0;
	}
	while ((name = list_next(&value))) {
		word = config_word(key, name);
		if (word < 0)
			return word;
		triggers |= BIT(word);
	}
	*(u32 *)field = triggers;
	return 0;
}

static void show_triggers(const struct config_key *key, const void *field,
			  struct seq_file *m)
{
	u32 triggers = *(const u32 *)field;
	const char *comma = "";
	int i;

	if (!triggers)
		seq_puts(m, "none");
	for (i = 0; key->words[i]; i++) {
		if (!(triggers & BIT(i)))
			continue;
		seq_printf(m, "%s%s", comma, key->words[i]);
		comma = ",";
	}
}

static const struct config_kind config_triggers = {
	parse_triggers, show_triggers
};

/* Names are interned only when the write is accepted, because a name keeps its place for ever. */
static int parse_devices(const struct config_key *key, void *field,
			 char *value)
{
	struct grtrace_config *config =
		container_of(field, struct grtrace_config, filter.device_mask);
	const char *name = value;
	size_t length;

	config->devices = NULL;
	if (!strcmp(value, "all")) {
		config->filter.device_mask = U64_MAX;
		return 0;
	}
	do {
		length = strcspn(name, ",");
		if (!length || length >= GRTRACE_DEVICE_LEN ||
		    (length == 3 && !strncmp(name, "all", 3)))
			return -EINVAL;
		name += length;
	} while (*name++);
	config->devices = value;
	return 0;
}

static int config_devices_apply(struct grtrace_config *config)
{
	char *list = config->devices;
	u64 mask = 0;
	char *name;
	u32 id;

	config->devices = NULL;
	if (!list)
		return 0;
	while ((name = list_next(&list))) {
		id = grtrace_device_id(name);
		if (!id) {
			pr_warn_ratelimited("config: no room for device %s: %d are known; loading the module again forgets them\n",
					    name, GRTRACE_DEVICES_MAX);
			return -E2BIG;
		}
		mask |= BIT_ULL(id - 1);
	}
	config->filter.device_mask = mask;
	return 0;
}

static void show_devices(const struct config_key *key, const void *field,
			 struct seq_file *m)
{
	u64 mask = *(const u64 *)field;
	const char *comma = "";
	u32 i;

	if (mask == U64_MAX) {
		seq_puts(m, "all");
		return;
	}
	for (i = 0; i < 64; i++) {
		if (!(mask & BIT_ULL(i)))
			continue;
		seq_printf(m, "%s%s", comma, grtrace_device_name(i + 1));
		comma = ",";
	}
}

static const struct config_kind config_devices = {
	parse_devices, show_devices
};

static int parse_add(const struct config_key *key, void *field, char *value)
{
	char *word;
	u64 n;
	int ret;

	if (!strcmp(value, "none"))
		return 0;
	while ((word = list_next(&value))) {
		ret = parse_range(key, word, &n);
		if (ret)
			return ret;
		if (!grtrace_watch_add(field, n))
			return -E2BIG;
	}
	return 0;
}

static void show_add(const struct config_key *key, const void *field,
		     struct seq_file *m)
{
	const struct grtrace_watchlist *list = field;
	u32 i;

	if (!list->n)
		seq_puts(m, "none");
	for (i = 0; i < list->n; i++)
		seq_printf(m, "%s%llu", i ? "," : "", list->number[i]);
}

static const struct config_kind config_add = { parse_add, show_add };

static int parse_clear(const struct config_key *key, void *field, char *value)
{
	struct grtrace_watchlist *list = field;
	u64 clear;
	int ret = parse_range(key, value, &clear);

	if (!ret && clear)
		list->n = 0;
	return ret;
}

static void show_clear(const struct config_key *key, const void *field,
		       struct seq_file *m)
{
	seq_puts(m, "0");
}

static const struct config_kind config_clear = { parse_clear, show_clear };

/* ----------------------------------------------------------- the table */

#define KEY(_name, _kind, _field, ...) \
	{ .name = _name, .kind = &config_##_kind, \
	  .offset = offsetof(struct grtrace_config, _field), __VA_ARGS__ }
#define SWITCH(_name, _kind, _field) KEY(_name, _kind, _field, .max = 1)

static const struct config_key config_keys[] = {
	KEY("mode", one_of_two, overwrite, .idle_only = true,
	    .words = words_mode),
	KEY("subbuf_size", u32, subbuf_size, .idle_only = true,
	    .min = GRTRACE_SUBBUF_SIZE_MIN, .max = GRTRACE_SUBBUF_SIZE_MAX,
	    .step = SZ_4K),
	KEY("n_subbufs", u32, n_subbufs, .idle_only = true,
	    .min = GRTRACE_N_SUBBUFS_MIN, .max = GRTRACE_N_SUBBUFS_MAX),
	KEY("order", one_of_two, order_clock, .idle_only = true,
	    .words = words_order),
	KEY("clock", clock, clock, .idle_only = true, .words = words_clock),
	KEY("level", level, filter.level_mask, .words = words_level),
	KEY("filter_type_mask", mask, filter.type_mask),
	KEY("filter_engine_mask", mask, filter.engine_mask),
	KEY("filter_ring_mask", mask, filter.ring_mask),
	KEY("filter_ring_id", u32, filter.ring_id, .max = U32_MAX),
	KEY("filter_device", devices, filter.device_mask),
	SWITCH("watch_allow_mode", not, watch.deny),
	KEY("watch_combine", one_of_two, watch.all, .words = words_combine),
	SWITCH("watch_ctx_clear", clear, watch.ctx),
	SWITCH("watch_ring_clear", clear, watch.ring),
	SWITCH("watch_pid_clear", clear, watch.pid),
	KEY("watch_ctx_add", add, watch.ctx, .max = U64_MAX),
	KEY("watch_ring_add", add, watch.ring, .max = U32_MAX),
	KEY("watch_pid_add", add, watch.pid, .min = 1, .max = INT_MAX),
	KEY("sample", u32, sample, .min = 1, .max = GRTRACE_SAMPLE_MAX),
	SWITCH("adaptive_sampling", bool, adaptive),
	KEY("max_events_per_sec", u32, max_rate, .max = GRTRACE_RATE_MAX),
	SWITCH("rate_limiter_mode", bool, bucket),
	KEY("burst", u32, burst, .max = GRTRACE_RATE_MAX),
	KEY("backpressure_threshold", u32, pressure, .max = 100),
	KEY("slow_queue_us", u32, rules.queue_us, .max = GRTRACE_RULE_MAX_US),
	KEY("slow_exec_us", u32, rules.exec_us, .max = GRTRACE_RULE_MAX_US),
	KEY("snapshot_on", triggers, triggers,
	    .words = grtrace_snapshot_triggers),
	SWITCH("profile", bool, profile),
	SWITCH("reset_stats", bool, reset_stats),
};

/**
 * grtrace_config_default - the configuration after the module is loaded
 * @config: to fill
 */
void grtrace_config_default(struct grtrace_config *config)
{
	*config = (struct grtrace_config) {
		/* blktrace's defaults: 2 MiB per CPU */
		.subbuf_size = SZ_512K,
		.n_subbufs = 4,
		.clock = GRTRACE_CLOCK_MONOTONIC,
		.filter = {
			.level_mask = U64_MAX,
			.type_mask = U64_MAX,
			.engine_mask = U64_MAX,
			.ring_mask = U64_MAX,
			.device_mask = U64_MAX,
		},
		.sample = 1,
		.bucket = true,
	};
	grtrace_filter_prepare(&config->filter);
}

static const char *config_reason(int ret)
{
	switch (ret) {
	case -EBUSY:
		return "a session is running";
	case -ERANGE:
		return "out of range";
	case -E2BIG:
		return "too many";
	default:
		return "not a value of this key";
	}
}

static int config_set(struct grtrace_config *config, char *word, bool running)
{
	char *value = strchr(word, '=');
	const struct config_key *key;
	int ret = -EBUSY;

	if (!value) {
		pr_warn_ratelimited("config: '%.32s' is not key=value\n", word);
		return -EINVAL;
	}
	*value++ = '\0';
	for (key = config_keys; key < &config_keys[ARRAY_SIZE(config_keys)];
	     key++) {
		if (strcmp(word, key->name))
			continue;
		if (!key->idle_only || !running)
			ret = key->kind->parse(key, (void *)config + key->offset,
					       value);
		if (ret)
			pr_warn_ratelimited("config: %s=%.32s refused: %s\n",
					    word, value, config_reason(ret));
		return ret;
	}
	pr_warn_ratelimited("config: unknown key '%.32s'\n", word);
	return -EINVAL;
}

/**
 * grtrace_config_parse - apply a line of key=value words
 * @config: configuration to change; an error may leave it half-changed, so pass
 * a copy
 * @text: the words, separated by white space; it is modified
 * @running: a session is running
 *
 * Context: Process. Logs one line, rate limited, when it refuses.
 * Return: 0; -EINVAL for an unknown key, a bad value or no word at all;
 * -ERANGE for a number out of range; -EBUSY for a key that may not change
 * while a session runs; -E2BIG for a list that is too long.
 */
int grtrace_config_parse(struct grtrace_config *config, char *text,
			 bool running)
{
	bool any = false;
	char *word;
	int ret;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		any = true;
		ret = config_set(config, word, running);
		if (ret)
			return ret;
	}
	if (!any)
		return -EINVAL;
	if ((u64)config->subbuf_size * config->n_subbufs >
	    GRTRACE_CHANNEL_SIZE_MAX) {
		pr_warn_ratelimited("config: subbuf_size x n_subbufs is more than %u bytes\n",
				    GRTRACE_CHANNEL_SIZE_MAX);
		return -ERANGE;
	}
	ret = config_devices_apply(config);
	if (ret)
		return ret;
	grtrace_filter_prepare(&config->filter);
	return 0;
}

/**
 * grtrace_config_show - print all keys with their values
 * @config: the configuration
 * @m: output
 */
void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m)
{
	const struct config_key *key;

	for (key = config_keys; key < &config_keys[ARRAY_SIZE(config_keys)];
	     key++) {
		seq_printf(m, "%s=", key->name);
		key->kind->show(key, (const void *)config + key->offset, m);
		seq_putc(m, '\n');
	}
}

/**
 * grtrace_config_features - the features of a session with this configuration
 * @config: the configuration
 *
 * Return: GRTRACE_FEATURE_* bits.
 */
u64 grtrace_config_features(const struct grtrace_config *config)
{
	u64 features = GRTRACE_FEATURE_SIZE_SKIP | GRTRACE_FEATURE_SEC_STATS;

	if (config->max_rate && config->bucket)
		features |= GRTRACE_FEATURE_TOKEN_BUCKET;
	if (grtrace_watch_active(&config->watch))
		features |= GRTRACE_FEATURE_WATCHLIST;
	if (config->order_clock)
		features |= GRTRACE_FEATURE_ORDER_CLOCK;
	if (config->overwrite)
		features |= GRTRACE_FEATURE_OVERWRITE;
	return features;
}
