// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration as text: one table of keys, each with the way to read and
 * to show it. Parsing fills a copy; what the copy is then used for is the
 * session's business.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/kstrtox.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "config.h"
#include "rings.h"

/**
 * struct config_key - one key
 *
 * @name: its name
 * @idle_only: may not change while a session runs
 * @parse: value to config; 0 or -errno
 * @show: config to value
 */
struct config_key {
	const char *name;
	bool idle_only;
	int (*parse)(struct grtrace_config *config, const char *value);
	void (*show)(const struct grtrace_config *config, struct seq_file *m);
};

/* Like kstrtou64(), but without the sign that it lets pass. */
static int parse_u64(const char *value, u64 *out)
{
	return isdigit(*value) ? kstrtou64(value, 0, out) : -EINVAL;
}

static int parse_range(const char *value, u64 min, u64 max, u64 *out)
{
	int ret = parse_u64(value, out);

	if (ret)
		return ret;
	return *out < min || *out > max ? -ERANGE : 0;
}

static int parse_word(const char *value, const char *off, const char *on,
		      bool *out)
{
	if (!strcmp(value, off))
		*out = false;
	else if (!strcmp(value, on))
		*out = true;
	else
		return -EINVAL;
	return 0;
}

static int parse_mode(struct grtrace_config *config, const char *value)
{
	return parse_word(value, "stop", "overwrite", &config->overwrite);
}

static void show_mode(const struct grtrace_config *config, struct seq_file *m)
{
	seq_puts(m, config->overwrite ? "overwrite" : "stop");
}

static int parse_order(struct grtrace_config *config, const char *value)
{
	return parse_word(value, "gseq", "clock", &config->order_clock);
}

static void show_order(const struct grtrace_config *config, struct seq_file *m)
{
	seq_puts(m, config->order_clock ? "clock" : "gseq");
}

static int parse_subbuf_size(struct grtrace_config *config, const char *value)
{
	u64 size;
	int ret = parse_range(value, GRTRACE_SUBBUF_SIZE_MIN,
			      GRTRACE_SUBBUF_SIZE_MAX, &size);

	if (ret)
		return ret;
	if (size % SZ_4K)
		return -EINVAL;
	config->subbuf_size = size;
	return 0;
}

static void show_subbuf_size(const struct grtrace_config *config,
			     struct seq_file *m)
{
	seq_printf(m, "%u", config->subbuf_size);
}

static int parse_n_subbufs(struct grtrace_config *config, const char *value)
{
	u64 n;
	int ret = parse_range(value, GRTRACE_N_SUBBUFS_MIN,
			      GRTRACE_N_SUBBUFS_MAX, &n);

	if (!ret)
		config->n_subbufs = n;
	return ret;
}

static void show_n_subbufs(const struct grtrace_config *config,
			   struct seq_file *m)
{
	seq_printf(m, "%u", config->n_subbufs);
}

static int parse_type_mask(struct grtrace_config *config, const char *value)
{
	return parse_u64(value, &config->filter.type_mask);
}

static void show_type_mask(const struct grtrace_config *config,
			   struct seq_file *m)
{
	seq_printf(m, "0x%llx", config->filter.type_mask);
}

static int parse_engine_mask(struct grtrace_config *config, const char *value)
{
	return parse_u64(value, &config->filter.engine_mask);
}

static void show_engine_mask(const struct grtrace_config *config,
			     struct seq_file *m)
{
	seq_printf(m, "0x%llx", config->filter.engine_mask);
}

static int parse_ring_id(struct grtrace_config *config, const char *value)
{
	u64 id;
	int ret = parse_range(value, 0, U32_MAX, &id);

	if (!ret)
		config->filter.ring_id = id;
	return ret;
}

static void show_ring_id(const struct grtrace_config *config,
			 struct seq_file *m)
{
	seq_printf(m, "%u", config->filter.ring_id);
}

static int parse_device(struct grtrace_config *config, const char *value)
{
	u32 id;

	if (!strcmp(value, "all")) {
		config->filter.device_id = 0;
		return 0;
	}
	if (!*value || strlen(value) >= GRTRACE_DEVICE_LEN)
		return -EINVAL;
	id = grtrace_rings_device_id(value);
	if (!id)
		return -ENOSPC;
	config->filter.device_id = id;
	return 0;
}

static void show_device(const struct grtrace_config *config,
			struct seq_file *m)
{
	if (config->filter.device_id)
		seq_puts(m, grtrace_rings_device_name(config->filter.device_id));
	else
		seq_puts(m, "all");
}

static const struct config_key config_keys[] = {
	{ "mode", true, parse_mode, show_mode },
	{ "subbuf_size", true, parse_subbuf_size, show_subbuf_size },
	{ "n_subbufs", true, parse_n_subbufs, show_n_subbufs },
	{ "order", true, parse_order, show_order },
	{ "filter_type_mask", false, parse_type_mask, show_type_mask },
	{ "filter_engine_mask", false, parse_engine_mask, show_engine_mask },
	{ "filter_ring_id", false, parse_ring_id, show_ring_id },
	{ "filter_device", false, parse_device, show_device },
};

/**
 * grtrace_config_default - the configuration after the module was loaded
 * @config: to fill
 */
void grtrace_config_default(struct grtrace_config *config)
{
	*config = (struct grtrace_config) {
		/* blktrace's defaults: 2 MiB per CPU */
		.subbuf_size = SZ_512K,
		.n_subbufs = 4,
		.filter = {
			.type_mask = U64_MAX,
			.engine_mask = U64_MAX,
		},
	};
}

static int config_set(struct grtrace_config *config, char *word, bool running)
{
	char *value = strchr(word, '=');
	int ret = -EINVAL;
	size_t i;

	if (!value) {
		pr_warn_ratelimited("config: '%.32s' is not key=value\n", word);
		return -EINVAL;
	}
	*value++ = '\0';
	for (i = 0; i < ARRAY_SIZE(config_keys); i++) {
		if (strcmp(word, config_keys[i].name))
			continue;
		if (config_keys[i].idle_only && running)
			ret = -EBUSY;
		else
			ret = config_keys[i].parse(config, value);
		if (ret)
			pr_warn_ratelimited("config: %s=%.32s refused: %s\n",
					    word, value,
					    ret == -EBUSY ?
					    "a session is running" :
					    ret == -ERANGE ? "out of range" :
					    "not a value of this key");
		return ret;
	}
	pr_warn_ratelimited("config: unknown key '%.32s'\n", word);
	return -EINVAL;
}

/**
 * grtrace_config_parse - apply a line of key=value words
 * @config: to change; left half-changed on an error, so pass a copy
 * @text: the words, separated by white space; is cut up
 * @running: a session is running
 *
 * Context: Process. Logs one line, rate limited, when it refuses.
 * Return: 0; -EINVAL for an unknown key, a bad value or no word at all;
 * -ERANGE for a number out of range; -EBUSY for a key that may not change
 * while a session runs; -ENOSPC when too many devices were named.
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
	return 0;
}

/**
 * grtrace_config_show - print all keys with their values
 * @config: the configuration
 * @m: where to
 */
void grtrace_config_show(const struct grtrace_config *config,
			 struct seq_file *m)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(config_keys); i++) {
		seq_printf(m, "%s=", config_keys[i].name);
		config_keys[i].show(config, m);
		seq_putc(m, '\n');
	}
}
