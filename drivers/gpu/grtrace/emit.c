// SPDX-License-Identifier: GPL-2.0
/*
 * The debugfs file "emit": writes events from lines of text through the real
 * hot path. One line is one record:
 *
 *	[emit] EVENT CTX ENGINE RING SEQ [fence=CTX:SEQ] [arg=N] [client=N]
 *		[command=N] [response=N] [kind=N] [code=N] [state=N] [reason=N]
 *		[pid=N] [comm=WORD] [text=ANYTHING TO THE END OF THE LINE]
 *
 * EVENT is a name of the event table. ENGINE is the name or number of a class.
 * RING is a ring id of 32 bits, either of a known ring or of a new one, which
 * is then created; 0 means none. A SUBMIT with a fence or a command has the longer
 * form. All lines are parsed before the first record is written.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bits.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>

#include "live.h"
#include "record.h"
#include "rings.h"
#include "session.h"

/* One parsed line. */
struct emit_line {
	u16 type;
	bool fence;		/* whether it names a second fence */
	bool command;		/* whether it is a command, or the response to one */
	u64 client;		/* only for SUBMIT and QUEUE */
	u64 kind;		/* this and the next four are only for ERROR */
	s32 code;
	u64 pid;
	const char *comm;
	const char *text;
	u64 state;		/* only for QUEUE */
	u64 reason;		/* only for QUEUE */
	struct grtrace_job job;
	u64 ring;
	u64 engine_class;	/* &enum grtrace_engine_class */
};

/* Returns the number whose name, as @name gives it, is @word; or -EINVAL. */
static int emit_named(const char *word, unsigned int n,
		      const char *(*name)(unsigned int))
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (name(i) && !strcmp(name(i), word))
			return i;
	return -EINVAL;
}

static int emit_number(const char *word, u64 max, u64 *out)
{
	int ret = isdigit(*word) ? kstrtou64(word, 0, out) : -EINVAL;

	if (ret)
		return ret;
	return *out > max ? -ERANGE : 0;
}

static int emit_class(const char *word, u64 *engine_class)
{
	int known = emit_named(word, GRTRACE_CLASS_COUNT,
			       grtrace_record_class_name);

	if (known < 0)
		return emit_number(word, GRTRACE_CLASS_COUNT - 1, engine_class);
	*engine_class = known;
	return 0;
}

static int emit_option(struct emit_line *line, char *word)
{
	char *value = strchr(word, '=');
	char *seqno;
	u64 n;
	int ret;

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(word, "fence")) {
		seqno = strchr(value, ':');
		if (!seqno)
			return -EINVAL;
		*seqno++ = '\0';
		line->fence = true;
		return emit_number(value, U64_MAX, &line->job.fence_ctx) ?:
		       emit_number(seqno, U64_MAX, &line->job.fence_seqno);
	}
	if (!strcmp(word, line->type == GRTRACE_END ? "response" : "command")) {
		line->command = true;
		ret = emit_number(value, U32_MAX, &n);
		line->job.command = n;
		return ret;
	}
	if (!strcmp(word, "comm")) {
		line->comm = value;
		return 0;
	}
	if (!strcmp(word, "text")) {
		line->text = value;
		return 0;
	}
	if (!strcmp(word, "pid"))
		return emit_number(value, PID_MAX_LIMIT, &line->pid);
	if (!strcmp(word, "client"))
		return emit_number(value, U64_MAX, &line->client);
	if (!strcmp(word, "code"))
		return kstrtos32(value, 0, &line->code);
	if (!strcmp(word, "kind"))
		return emit_number(value, GRTRACE_ERROR_WEDGED, &line->kind);
	if (!strcmp(word, "state"))
		return emit_number(value, GRTRACE_QUEUE_ON, &line->state);
	if (!strcmp(word, "reason"))
		return emit_number(value, GRTRACE_QUEUE_FAULTED, &line->reason);
	if (strcmp(word, "arg"))
		return -EINVAL;
	ret = emit_number(value, U16_MAX, &n);
	if (!ret)
		line->job.arg = n;
	return ret;
}

static char *emit_word(char **text)
{
	char *word;

	do
		word = strsep(text, " \t");
	while (word && !*word);
	return word;
}

/* Whether an event's record always names a second fence. */
static bool emit_names_fence(unsigned int type)
{
	return type == GRTRACE_DEP || type == GRTRACE_BLOCKED ||
	       type == GRTRACE_COMMIT || type == GRTRACE_CTX_SWITCH;
}

/* Refuses what the event's record has no place for. */
static int emit_form(struct emit_line *line)
{
	bool submit = line->type == GRTRACE_SUBMIT;

	if (submit)
		line->command |= line->fence;
	else if ((line->client && line->type != GRTRACE_QUEUE) ||
		 (line->command && line->type != GRTRACE_END) ||
		 (line->fence && !emit_names_fence(line->type)))
		return -EINVAL;
	if ((line->state || line->reason) && line->type != GRTRACE_QUEUE)
		return -EINVAL;
	if ((line->pid || line->comm || line->text) && line->type != GRTRACE_ERROR)
		return -EINVAL;
	line->fence = emit_names_fence(line->type);
	return 0;
}

/* Returns the next word; a text is one word up to the end of the line. */
static char *emit_option_word(char **text)
{
	char *word;

	*text = *text ? skip_spaces(*text) : NULL;
	if (!*text || strncmp(*text, "text=", strlen("text=")))
		return emit_word(text);
	word = *text;
	*text = NULL;
	return word;
}

static int emit_line_parse(struct emit_line *line, char *text)
{
	char *words[5];
	char *word;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		words[i] = emit_word(&text);
		if (i == 0 && words[0] && !strcmp(words[0], "emit"))
			words[0] = emit_word(&text);
		if (!words[i])
			return -EINVAL;
	}
	ret = emit_named(words[0], GRTRACE_TYPE_LIMIT, grtrace_record_event_name);
	if (ret < 0)
		return ret;
	line->type = ret;
	ret = emit_number(words[1], U64_MAX, &line->job.ctx) ?:
	      emit_class(words[2], &line->engine_class) ?:
	      emit_number(words[3], U32_MAX, &line->ring) ?:
	      emit_number(words[4], U64_MAX, &line->job.seqno);
	while (!ret && (word = emit_option_word(&text)))
		ret = emit_option(line, word);
	return ret ?: emit_form(line);
}

/* No driver has an address with this bit, and no other source such a key. */
static const void *emit_key(u64 ring)
{
	return (const void *)(BIT(BITS_PER_LONG - 3) | (unsigned long)ring);
}

static void emit_line_write(struct emit_line *line)
{
	char name[GRTRACE_NAME_LEN];
	const struct grtrace_ring_desc desc = {
		.name = name,
		.engine_class = line->engine_class,
	};
	struct grtrace_ring *known = NULL;
	struct grtrace_ring copy;

	if (line->ring) {
		snprintf(name, sizeof(name), "emit%llu", line->ring);
		known = grtrace_rings_find_id(line->ring);
		if (!known)
			known = grtrace_hook_ring(emit_key(line->ring), line->ring,
						  0, &desc);
	}
	if (known) {
		/* The line's engine class applies to this event. */
		copy = *known;
		copy.engine_class = line->engine_class;
		known = &copy;
	}
	if (line->type == GRTRACE_ERROR)
		grtrace_failure(known, &line->job, &(struct grtrace_failure) {
			.kind = line->kind,
			.code = line->code,
			.pid = line->pid,
			.comm = line->comm,
			.text = line->text,
		});
	else if (line->type == GRTRACE_SUBMIT && line->command)
		grtrace_command(known, &line->job, line->client);
	else if (line->type == GRTRACE_SUBMIT)
		grtrace_submit(known, &line->job, line->client);
	else if (line->command)
		grtrace_response(known, &line->job);
	else if (line->type == GRTRACE_QUEUE)
		grtrace_queue(known, line->job.ctx, line->state, line->reason, line->client);
	else if (line->fence)
		grtrace_job_fence(line->type, known, &line->job);
	else
		grtrace_job(line->type, known, &line->job);
}

/**
 * grtrace_emit - write the events described by lines of text
 * @text: the lines; they are modified
 *
 * Context: Process. Logs one line, rate limited, when it refuses.
 * Return: 0; -EINVAL or -ERANGE for a wrong line; -EPIPE if no session runs;
 * -ENOMEM.
 */
int grtrace_emit(char *text)
{
	struct emit_line *lines __free(kvfree) = NULL;
	size_t n = 1, used = 0, i;
	char *word;
	int ret;

	for (word = text; *word; word++)
		n += *word == '\n';
	lines = kvcalloc(n, sizeof(*lines), GFP_KERNEL);
	if (!lines)
		return -ENOMEM;
	while ((word = strsep(&text, "\n"))) {
		if (!*word)
			continue;
		ret = emit_line_parse(&lines[used++], word);
		if (ret) {
			pr_warn_ratelimited("emit: line %zu is not EVENT CTX ENGINE RING SEQ [key=value]\n",
					    used);
			return ret;
		}
	}
	if (!used)
		return -EINVAL;
	guard(mutex)(&grtrace_session_lock);
	if (!grtrace_session_running())
		return -EPIPE;
	for (i = 0; i < used; i++) {
		scoped_guard(mutex, &grtrace_rings_lock)
			emit_line_write(&lines[i]);
		cond_resched();
	}
	return 0;
}
