// SPDX-License-Identifier: GPL-2.0
/*
 * clientload: one process that opens the mock GPU twice and gives it jobs by both files
 * in turn. Prints "ctx,seqno,client" for each job; the client is what fdinfo says of the
 * file.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grtrace_mock.h"

#define FILES	2
#define JOBS	5	/* of each file */

static void call(int fd, unsigned long request, void *arg, const char *what)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret == -1 && (errno == EINTR || errno == EAGAIN));
	if (!ret)
		return;
	fprintf(stderr, "clientload: cannot %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

static unsigned long long client_of(int fd)
{
	unsigned long long client = 0;
	char path[64], line[128];
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = fopen(path, "r");
	while (info && fgets(line, sizeof(line), info))
		sscanf(line, "drm-client-id: %llu", &client);
	if (info)
		fclose(info);
	return client;
}

int main(void)
{
	struct grtrace_mock_ctx_create create[FILES] = { };
	int fd[FILES];
	unsigned int i;

	for (i = 0; i < FILES; i++) {
		fd[i] = mock_open();
		if (fd[i] < 0)
			return EXIT_FAILURE;
		call(fd[i], DRM_IOCTL_GRTRACE_MOCK_CTX_CREATE, &create[i], "create a context");
	}
	for (i = 0; i < FILES * JOBS; i++) {
		int at = fd[i % FILES];
		struct grtrace_mock_submit submit = {
			.ctx = create[i % FILES].ctx, .count = 1, .duration_ns = 10000,
		};
		struct grtrace_mock_wait wait = { .timeout_ns = -1 };

		call(at, DRM_IOCTL_GRTRACE_MOCK_SUBMIT, &submit, "submit a job");
		wait.fence.ctx = submit.fence_ctx;
		wait.fence.seqno = submit.last_seqno;
		call(at, DRM_IOCTL_GRTRACE_MOCK_WAIT, &wait, "wait for a job");
		printf("%llu,%llu,%llu\n", submit.fence_ctx, submit.last_seqno, client_of(at));
	}
	return EXIT_SUCCESS;
}
