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
#include "sampling.h"
#include "snapshot.h"
#include "stages.h"

/* A word that stands for a value. */
struct config_word {
	const char *name;
	u64 value;
};

/* One key. */
struct config_key {
	const char *name;
	/* converts text to the field; returns 0 or -errno */
	int (*parse)(const struct config_key *key, void *field, char *value);
	/* converts the field to text */
	void (*show)(const struct config_key *key, const void *field,
		     struct seq_file *m);
	size_t offset;				/* its field in &struct grtrace_config */
	size_t size;
	bool idle_only;				/* the key may not change while a session runs */
	u64 min;				/* least value */
	u64 max;				/* greatest */
	u64 step;				/* each value is a multiple of this */
	/* the field has the opposite of a value that is 0 or 1 */
	bool invert;
	bool hex;				/* show the number in hexadecimal */
	/* the words of a key that has no numbers, the last one without a name */
	const struct config_word *words;
};

static u64 field_get(const struct config_key *key, const void *field)
{
	if (key->size == sizeof(bool))
		return *(const bool *)field;
	return key->size == sizeof(u32) ? *(const u32 *)field :
					  *(const u64 *)field;
}

static void field_set(const struct config_key *key, void *field, u64 value)
{
	if (key->size == sizeof(bool))
		*(bool *)field = value;
	else if (key->size == sizeof(u32))
		*(u32 *)field = value;
	else
		*(u64 *)field = value;
}

/* Does not accept a sign, as kstrtou64() does. */
static int parse_range(const struct config_key *key, const char *value,
		       u64 *out)
{
	int ret = isdigit(*value) ? kstrtou64(value, 0, out) : -EINVAL;

	if (ret)
		return ret;
	if (*out < key->min || *out > key->max)
		return -ERANGE;
	return key->step && *out % key->step ? -EINVAL : 0;
}

static int parse_number(const struct config_key *key, void *field, char *value)
{
	u64 n;
	int ret = parse_range(key, value, &n);

	if (!ret)
		field_set(key, field, n ^ key->invert);
	return ret;
}

static void show_number(const struct config_key *key, const void *field,
			struct seq_file *m)
{
	seq_printf(m, key->hex ? "0x%llx" : "%llu",
		   field_get(key, field) ^ key->invert);
}

static const struct config_word words_mode[] = {
	{ "stop", false }, { "overwrite", true }, {}
};

static const struct config_word words_combine[] = {
	{ "or", false }, { "and", true }, {}
};

static const struct config_word words_clock[] = {
	{ "mono", GRTRACE_CLOCK_MONOTONIC },
	{ "boot", GRTRACE_CLOCK_BOOTTIME }, {}
};

static const struct config_word words_level[] = {
	{ "off", 0 }, { "normal", GRTRACE_LEVEL_NORMAL },
	{ "verbose", U64_MAX }, {}
};

static int parse_word(const struct config_key *key, void *field, char *value)
{
	const struct config_word *word;

	for (word = key->words; word->name; word++) {
		if (strcmp(word->name, value))
			continue;
		field_set(key, field, word->value);
		return 0;
	}
	return -EINVAL;
}

static void show_word(const struct config_key *key, const void *field,
		      struct seq_file *m)
{
	const struct config_word *word;

	for (word = key->words; word->name; word++)
		if (word->value == field_get(key, field))
			seq_puts(m, word->name);
}

/* ---------------------------------------------------------------- lists */

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
	while ((name = strsep(&value, ","))) {
		word = match_string(grtrace_snapshot_reasons,
				    GRTRACE_SNAPSHOT_MANUAL, name);
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
	unsigned long triggers = *(const u32 *)field;
	const char *comma = "";
	unsigned int word;

	if (!triggers)
		seq_puts(m, "none");
	for_each_set_bit(word, &triggers, GRTRACE_SNAPSHOT_MANUAL) {
		seq_printf(m, "%s%s", comma, grtrace_snapshot_reasons[word]);
		comma = ",";
	}
}

static int parse_devices(const struct config_key *key, void *field,
			 char *value)
{
	struct grtrace_filter *filter = field;
	char *name;

	filter->n_devices = 0;
	if (!strcmp(value, "all"))
		return 0;
	while ((name = strsep(&value, ","))) {
		if (!*name || !strcmp(name, "all"))
			return -EINVAL;
		if (filter->n_devices == GRTRACE_DEVICES_MAX)
			return -E2BIG;
		if (strscpy_pad(filter->devices[filter->n_devices], name) < 0)
			return -EINVAL;
		filter->n_devices++;
	}
	return 0;
}

static void show_devices(const struct config_key *key, const void *field,
			 struct seq_file *m)
{
	const struct grtrace_filter *filter = field;
	u32 i;

	if (!filter->n_devices)
		seq_puts(m, "all");
	for (i = 0; i < filter->n_devices; i++)
		seq_printf(m, "%s%s", i ? "," : "", filter->devices[i]);
}

static int parse_add(const struct config_key *key, void *field, char *value)
{
	char *word;
	u64 n;
	int ret;

	if (!strcmp(value, "none"))
		return 0;
	while ((word = strsep(&value, ","))) {
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

/* ----------------------------------------------------------- the table */

#define KEY(_name, _kind, _field, ...) \
	{ .name = _name, .parse = parse_##_kind, .show = show_##_kind, \
	  .offset = offsetof(struct grtrace_config, _field), \
	  .size = sizeof_field(struct grtrace_config, _field), __VA_ARGS__ }
#define NUMBER(_name, _field, _max, ...) \
	KEY(_name, number, _field, .max = _max, __VA_ARGS__)
#define MASK(_name, _field)	NUMBER(_name, _field, U64_MAX, .hex = true)
#define SWITCH(_name, _field)	NUMBER(_name, _field, 1)

static const struct config_key config_keys[] = {
	KEY("mode", word, overwrite, .words = words_mode, .idle_only = true),
	NUMBER("subbuf_size", subbuf_size, GRTRACE_SUBBUF_SIZE_MAX,
	       .min = GRTRACE_SUBBUF_SIZE_MIN, .step = SZ_4K,
	       .idle_only = true),
	NUMBER("n_subbufs", n_subbufs, GRTRACE_N_SUBBUFS_MAX,
	       .min = GRTRACE_N_SUBBUFS_MIN, .idle_only = true),
	KEY("clock", word, clock, .words = words_clock, .idle_only = true),
	KEY("level", word, filter.level_mask, .words = words_level),
	MASK("filter_type_mask", filter.type_mask),
	MASK("filter_engine_mask", filter.engine_mask),
	MASK("filter_ring_mask", filter.ring_mask),
	NUMBER("filter_ring_id", filter.ring_id, U32_MAX),
	KEY("filter_device", devices, filter),
	NUMBER("watch_allow_mode", watch.deny, 1, .invert = true),
	KEY("watch_combine", word, watch.all, .words = words_combine),
	KEY("watch_ctx_clear", clear, watch.ctx, .max = 1),
	KEY("watch_ring_clear", clear, watch.ring, .max = 1),
	KEY("watch_pid_clear", clear, watch.pid, .max = 1),
	KEY("watch_ctx_add", add, watch.ctx, .max = U64_MAX),
	KEY("watch_ring_add", add, watch.ring, .max = U32_MAX),
	KEY("watch_pid_add", add, watch.pid, .min = 1, .max = INT_MAX),
	NUMBER("sample", sample, GRTRACE_SAMPLE_MAX, .min = 1),
	SWITCH("adaptive_sampling", adaptive),
	NUMBER("max_events_per_sec", max_rate, GRTRACE_RATE_MAX),
	SWITCH("rate_limiter_mode", bucket),
	NUMBER("burst", burst, GRTRACE_RATE_MAX),
	NUMBER("backpressure_threshold", pressure, 100),
	NUMBER("slow_queue_us", rules.queue_us, GRTRACE_RULE_MAX_US),
	NUMBER("slow_exec_us", rules.exec_us, GRTRACE_RULE_MAX_US),
	KEY("snapshot_on", triggers, triggers),
	SWITCH("profile", profile),
	SWITCH("reset_stats", reset_stats),
};

/* The configuration after the module is loaded. */
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

/* How much of a word the log shows. */
static int config_shown(const char *word)
{
	return strnlen(word, 32);
}

static int config_set(struct grtrace_config *config, char *word, bool running)
{
	char *value = strchr(word, '=');
	const struct config_key *key;
	int ret = -EBUSY;

	if (!value) {
		pr_warn_ratelimited("config: '%*pE' is not key=value\n",
				    config_shown(word), word);
		return -EINVAL;
	}
	*value++ = '\0';
	for (key = config_keys; key < &config_keys[ARRAY_SIZE(config_keys)];
	     key++) {
		if (strcmp(word, key->name))
			continue;
		if (!key->idle_only || !running)
			ret = key->parse(key, (void *)config + key->offset, value);
		if (ret)
			pr_warn_ratelimited("config: %s=%*pE refused: %s\n",
					    word, config_shown(value), value,
					    config_reason(ret));
		return ret;
	}
	pr_warn_ratelimited("config: unknown key '%*pE'\n",
			    config_shown(word), word);
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
	grtrace_filter_prepare(&config->filter);
	return 0;
}

void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m)
{
	const struct config_key *key;

	for (key = config_keys; key < &config_keys[ARRAY_SIZE(config_keys)];
	     key++) {
		seq_printf(m, "%s=", key->name);
		key->show(key, (const void *)config + key->offset, m);
		seq_putc(m, '\n');
	}
}

/* Returns the GRTRACE_FEATURE_* bits of a session with this configuration. */
u64 grtrace_config_features(const struct grtrace_config *config)
{
	u64 features = GRTRACE_FEATURE_NAMES;

	if (config->max_rate && config->bucket)
		features |= GRTRACE_FEATURE_TOKEN_BUCKET;
	if (grtrace_watch_active(&config->watch))
		features |= GRTRACE_FEATURE_WATCHLIST;
	if (config->overwrite)
		features |= GRTRACE_FEATURE_OVERWRITE;
	return features;
}
