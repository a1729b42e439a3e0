// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the records of trace files in their order, for the shell tests:
 *
 *	gseq ts cpu event ctx seqno ring
 *	gseq ts cpu message text
 *	gseq ts cpu note
 *
 * Usage: stream_text FILE...
 *
 * Exit status: 0, or 1 if a file could not be read to its end.
 */
#include "grtrace_merge.h"

static const char * const names[] = {
	[GRTRACE_SUBMIT] = "submit", [GRTRACE_DEP] = "dep", [GRTRACE_BLOCKED] = "blocked",
	[GRTRACE_PICK] = "pick", [GRTRACE_COMMIT] = "commit", [GRTRACE_START] = "start",
	[GRTRACE_END] = "end", [GRTRACE_COMPLETE] = "complete", [GRTRACE_IRQ] = "irq",
	[GRTRACE_CTX_SWITCH] = "ctx_switch", [GRTRACE_SYNC_WAIT_ENTER] = "sync_wait_enter",
	[GRTRACE_SYNC_WAIT_EXIT] = "sync_wait_exit", [GRTRACE_ERROR] = "error",
	[GRTRACE_FENCE] = "fence",
};

static void print(const struct stream_record *r)
{
	const struct grtrace_rec_message *message = (const void *)r->rec;
	const char *name = r->type <= GRTRACE_FENCE ? names[r->type] : NULL;

	printf("%llu %llu %u ", (unsigned long long)r->gseq, (unsigned long long)r->ts, r->cpu);
	if (name)
		printf("%s %llu %u %u\n", name, (unsigned long long)r->ctx, r->seqno, r->ring);
	else if (r->type == GRTRACE_MESSAGE)
		printf("message %.*s\n", (int)(le16toh(message->seq.hdr.size) - sizeof(*message)),
		       message->text);
	else
		puts("note");
}

int main(int argc, char **argv)
{
	struct merge m = {};
	bool good = merge_files(&m, argv + 1);

	for (size_t i = 0; i < m.nr; i++)
		print(&m.records[i]);
	return !good || argc < 2;
}
