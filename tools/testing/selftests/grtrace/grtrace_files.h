/* SPDX-License-Identifier: GPL-2.0 */
/* The files of /sys/kernel/debug/grtrace/, for the selftests. */
#ifndef GRTRACE_FILES_H
#define GRTRACE_FILES_H

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GRTRACE_DIR "/sys/kernel/debug/grtrace/"

static inline int grtrace_open(const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), GRTRACE_DIR "%s", name);
	return open(path, flags | O_CLOEXEC);
}

/* One write(2); 0 or -errno. */
static inline int grtrace_write_bytes(const char *name, const void *bytes,
				      size_t size)
{
	int fd = grtrace_open(name, O_WRONLY);
	int ret = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	n = write(fd, bytes, size);
	if (n < 0)
		ret = -errno;
	else if ((size_t)n != size)
		ret = -EIO;
	close(fd);
	return ret;
}

static inline int grtrace_write(const char *name, const char *text)
{
	return grtrace_write_bytes(name, text, strlen(text));
}

/* The whole file as a string in @text; its length or -errno. */
static inline ssize_t grtrace_read(const char *name, char *text, size_t size)
{
	int fd = grtrace_open(name, O_RDONLY);
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	while (used < size - 1) {
		n = read(fd, text + used, size - 1 - used);
		if (n < 0)
			used = 0;
		if (n <= 0)
			break;
		used += n;
	}
	close(fd);
	text[used] = '\0';
	return used;
}

/* A counter of the file "stats"; UINT64_MAX when it is not there. */
static inline uint64_t grtrace_stat(const char *name)
{
	char text[8192], *line, *save;
	size_t length = strlen(name);

	if (grtrace_read("stats", text, sizeof(text)) < 0)
		return UINT64_MAX;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, name, length) && line[length] == ' ')
			return strtoull(line + length + 1, NULL, 10);
	return UINT64_MAX;
}

/* A key of the file "config" as text; "" when it is not there. */
static inline const char *grtrace_config(const char *key, char *value,
					 size_t size)
{
	char text[8192], *line, *save;
	size_t length = strlen(key);

	value[0] = '\0';
	if (grtrace_read("config", text, sizeof(text)) < 0)
		return value;
	for (line = strtok_r(text, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, key, length) && line[length] == '=')
			snprintf(value, size, "%s", line + length + 1);
	return value;
}

/* Everything as it is after the module was loaded. */
static inline int grtrace_reset(void)
{
	grtrace_write("control", "stop");
	return grtrace_write("config",
			     "mode=stop subbuf_size=524288 n_subbufs=4 order=gseq filter_type_mask=0xffffffffffffffff filter_engine_mask=0xffffffffffffffff filter_ring_id=0 filter_device=all");
}

/* Offered events that went nowhere: 0, or a counter is missing. */
static inline int64_t grtrace_unaccounted(void)
{
	static const char * const reasons[] = {
		"written", "filtered_type", "filtered_engine", "filtered_ring",
		"filtered_device", "writes_reserve_fail", "writes_nmi", NULL,
	};
	int64_t left = grtrace_stat("offered");
	size_t i;

	for (i = 0; reasons[i]; i++)
		left -= grtrace_stat(reasons[i]);
	return left;
}

#endif /* GRTRACE_FILES_H */
