// SPDX-License-Identifier: GPL-2.0
/*
 * Writes what blktrace would have recorded of EVENTS steps of requests to one
 * disk, each queued, allocated, inserted, dispatched and completed:
 *
 *	blk_stream EVENTS NAME		writes NAME.blktrace.0
 */
#include <linux/blktrace_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICE (8 << 20)
#define PROCESSES 8
#define SECTOR 512

static const uint32_t steps[] = {
	__BLK_TA_QUEUE | BLK_TC_ACT(BLK_TC_QUEUE),
	__BLK_TA_GETRQ | BLK_TC_ACT(BLK_TC_QUEUE),
	__BLK_TA_INSERT | BLK_TC_ACT(BLK_TC_QUEUE),
	__BLK_TA_ISSUE | BLK_TC_ACT(BLK_TC_ISSUE),
	__BLK_TA_COMPLETE | BLK_TC_ACT(BLK_TC_COMPLETE),
};
#define STEPS (sizeof(steps) / sizeof(steps[0]))

static uint32_t sequence;

static int put(FILE *file, const struct blk_io_trace *trace, const void *pdu)
{
	return fwrite(trace, sizeof(*trace), 1, file) == 1 &&
	       (!trace->pdu_len || fwrite(pdu, trace->pdu_len, 1, file) == 1);
}

static int put_process(FILE *file, uint32_t pid)
{
	char comm[16] = "";
	struct blk_io_trace trace = {
		.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
		.sequence = ++sequence,
		.action = BLK_TN_PROCESS,
		.pid = pid,
		.device = DEVICE,
		.pdu_len = sizeof(comm),
	};

	snprintf(comm, sizeof(comm), "reader-%u", pid);
	return put(file, &trace, comm);
}

/* The steps of 16 requests in turns, as a disk with a queue of 16 has them. */
static int put_step(FILE *file, uint64_t n)
{
	uint64_t request = n / (16 * STEPS) * 16 + n % 16;
	struct blk_io_trace trace = {
		.magic = BLK_IO_TRACE_MAGIC | BLK_IO_TRACE_VERSION,
		.sequence = ++sequence,
		.time = n * 1000,
		.sector = request * 8,
		.bytes = 8 * SECTOR,
		.action = steps[n / 16 % STEPS] |
			  BLK_TC_ACT(request % 3 ? BLK_TC_READ : BLK_TC_WRITE),
		.pid = 1000 + request % PROCESSES,
		.device = DEVICE,
	};

	return put(file, &trace, "");
}

int main(int argc, char **argv)
{
	uint64_t events = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	char name[4096];
	FILE *file;
	int ok;

	if (!events) {
		fprintf(stderr, "usage: blk_stream EVENTS NAME\n");
		return 2;
	}
	snprintf(name, sizeof(name), "%s.blktrace.0", argv[2]);
	file = fopen(name, "w");
	ok = file != NULL;
	for (uint32_t i = 0; ok && i < PROCESSES; i++)
		ok = put_process(file, 1000 + i);
	for (uint64_t n = 0; ok && n < events; n++)
		ok = put_step(file, n);
	if (!file || fclose(file) || !ok) {
		perror(name);
		return 1;
	}
	return 0;
}
