// SPDX-License-Identifier: GPL-2.0
/*
 * The records of a capture's file as the kselftests' reader sees them, to compare with
 * grparse's: CPU, number on the CPU, time, type, context and sequence number of each.
 */
#include <inttypes.h>
#include <stdio.h>

#include "grtrace_stream.h"

/* Only tools write it, and it has no job. */
#define TYPE_IOCTL	48

static const char *const type_names[] = {
	[GRTRACE_SUBMIT] = "submit",
	[GRTRACE_DEP] = "dep",
	[GRTRACE_BLOCKED] = "blocked",
	[GRTRACE_PICK] = "pick",
	[GRTRACE_COMMIT] = "commit",
	[GRTRACE_START] = "start",
	[GRTRACE_END] = "end",
	[GRTRACE_COMPLETE] = "complete",
	[GRTRACE_IRQ] = "irq",
	[GRTRACE_CTX_SWITCH] = "ctx_switch",
	[GRTRACE_SYNC_WAIT_ENTER] = "wait_enter",
	[GRTRACE_SYNC_WAIT_EXIT] = "wait_exit",
	[GRTRACE_ERROR] = "error",
	[GRTRACE_FENCE] = "fence",
	[GRTRACE_QUEUE] = "queue_state",
	[TYPE_IOCTL] = "ioctl",
	[GRTRACE_RING] = "ring",
	[GRTRACE_TASK] = "task",
	[GRTRACE_MESSAGE] = "message",
	[GRTRACE_SAMPLE] = "sample",
	[GRTRACE_FENCE_NAME] = "fence_name",
};

static int print_file(const char *name)
{
	struct stream s = { .mixed = true };	/* the tables have no CPU */
	const size_t nr_names = sizeof(type_names) / sizeof(type_names[0]);
	struct stream_record r;
	const char *name_of;
	int fd = open(name, O_RDONLY);

	if (fd < 0 || stream_fill(&s, fd, 1 << 16) < 0) {
		perror(name);
		return 1;
	}
	close(fd);
	memset(s.rings, 0xff, sizeof(s.rings));	/* they may be in another file */
	while (stream_next(&s, &r)) {
		if (s.cpu == GRTRACE_CPU_NONE)
			continue;	/* a table; grparse prints what it adds */
		name_of = r.type < nr_names ? type_names[r.type] : NULL;
		printf("%u,%" PRIu64 ",%" PRIu64 ",", s.cpu, r.cseq, r.ts);
		if (name_of)
			printf("%s", name_of);
		else
			printf("%u", r.type);	/* a later version's */
		if (name_of && r.type < GRTRACE_TYPE_LIMIT && r.type != TYPE_IOCTL)
			printf(",%" PRIu64 ",%u", r.ctx, r.seqno);
		else
			printf(",,");
		printf("\n");
	}
	if (s.fault)
		fprintf(stderr, "%s: %s\n", name, s.fault);
	fprintf(stderr, "lost %" PRIu64 "\n", s.lost_events + s.lost_notes);
	stream_free(&s);
	return s.fault ? 1 : 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		status |= print_file(argv[i]);
	return status;
}
