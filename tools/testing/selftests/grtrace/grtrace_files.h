/* SPDX-License-Identifier: GPL-2.0 */
/* The files of /sys/kernel/debug/grtrace/, for the selftests. */
#ifndef GRTRACE_FILES_H
#define GRTRACE_FILES_H

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define GRTRACE_DIR "/sys/kernel/debug/grtrace/"

/*
 * How long a test may take that says nothing of it, after kselftest_harness.h: a
 * kernel that looks for bugs in itself, on a busy machine, is ten times as slow.
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 300

/* Waits until @condition is true, @seconds at most; returns whether it is. */
#define WAIT_UNTIL(condition, seconds)					\
({									\
	unsigned int tries = (seconds) * 100;				\
	bool is_so;							\
									\
	while (!(is_so = (condition)) && tries--)			\
		usleep(10000);						\
	is_so;								\
})

/* Larger than any text the kernel shows, except "rings". */
#define GRTRACE_TEXT 32768

/* Returns whether a process sleeps in this system call. */
static inline bool sleeps_in(pid_t pid, long syscall)
{
	char path[64], text[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return isdigit(text[0]) && strtol(text, NULL, 10) == syscall;
}

static inline int grtrace_open(const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof(path), GRTRACE_DIR "%s", name);
	return open(path, flags | O_CLOEXEC);
}

/* One write(2); 0 or -errno. */
static inline int path_write(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
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

static inline int grtrace_write_bytes(const char *name, const void *bytes, size_t size)
{
	char path[256];

	snprintf(path, sizeof(path), GRTRACE_DIR "%s", name);
	return path_write(path, bytes, size);
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
	int error = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	while (used < size - 1) {
		n = read(fd, text + used, size - 1 - used);
		if (n < 0)
			error = -errno;
		if (n <= 0)
			break;
		used += n;
	}
	close(fd);
	text[used] = '\0';
	return error ?: (ssize_t)used;
}

static inline bool session_is(const char *state)
{
	char text[32] = "";

	return grtrace_read("control", text, sizeof(text)) > 0 && !strcmp(text, state);
}

/* The text of @key in @file, from a line "key<separator>text"; "" without a line. */
static inline const char *grtrace_line(const char *file, const char *key, char separator,
				       char *value, size_t size)
{
	char text[GRTRACE_TEXT], *line, *save;
	size_t length = strlen(key);

	value[0] = '\0';
	if (grtrace_read(file, text, sizeof(text)) < 0)
		return value;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (!strncmp(line, key, length) && line[length] == separator)
			snprintf(value, size, "%s", line + length + 1);
	return value;
}

/* Returns a counter of the file "stats"; UINT64_MAX if it does not exist. */
static inline uint64_t grtrace_stat(const char *name)
{
	char value[32];

	return *grtrace_line("stats", name, ' ', value, sizeof(value)) ?
	       strtoull(value, NULL, 10) : UINT64_MAX;
}

static inline bool module_is_there(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

/*
 * Module @name is there, whether or not it had to be loaded: 0; -ENOENT where there is
 * none, -EIO where there is one and it cannot be loaded.
 */
static inline int grtrace_module(const char *name)
{
	char text[256];
	int status;

	if (module_is_there(name))
		return 0;
	snprintf(text, sizeof(text),
		 "[ -e modules.sh ] || cd ..; . ./modules.sh; module_there %s || exit 2; modules_load; module_loaded %s || module_load %s",
		 name, name, name);
	status = system(text);
	if (!status)
		return 0;
	return WIFEXITED(status) && WEXITSTATUS(status) == 2 ? -ENOENT : -EIO;
}

/* If no case of a program can run here, it says so once, before main(). */
#define PROGRAM_NEEDS(condition, why)					\
static void __attribute__((constructor)) program_needs(void)		\
{									\
	if (!(condition))						\
		ksft_exit_skip(why "\n");				\
}

/* For a fixture's setup: only something that cannot exist here is a reason to skip. */
#define NEEDS_MODULE(name)						\
do {									\
	const char *module = (name);					\
	int missing = grtrace_module(module);				\
									\
	if (missing == -ENOENT)						\
		SKIP(return, "there is no module %s", module);		\
	ASSERT_EQ(0, missing)						\
		TH_LOG("module %s cannot be loaded", module);		\
} while (0)

/* The text of config after the module was loaded; returns its length or -errno. */
static inline ssize_t grtrace_defaults(char *text, size_t size)
{
	int fd = open("defaults", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		fd = open("../defaults", O_RDONLY | O_CLOEXEC);
	n = read(fd, text, size - 1);
	if (n < 0)
		return -errno;
	close(fd);
	text[n] = '\0';
	return n;
}

/* Restores the state after loading the module. */
static inline int grtrace_reset(void)
{
	char text[GRTRACE_TEXT];
	ssize_t n = grtrace_defaults(text, sizeof(text));

	grtrace_write("control", "stop");
	grtrace_write("control", "discard");
	if (n < 0)
		return n;
	/* numbers are only added to lists */
	return grtrace_write("config", "watch_ctx_clear=1 watch_ring_clear=1 watch_pid_clear=1") ?:
	       grtrace_write("config", text);
}

static inline unsigned long number_in(const char *path)
{
	unsigned long number = 0;
	FILE *file = fopen(path, "r");

	if (file && fscanf(file, "%lu", &number) != 1)
		number = 0;
	if (file)
		fclose(file);
	return number;
}

/* The kernel's own complaints so far: warnings, oopses, a bad page or KASAN, a lockup. */
static inline unsigned long kernel_complaints(void)
{
	return number_in("/sys/kernel/warn_count") + number_in("/sys/kernel/oops_count") +
	       (number_in("/proc/sys/kernel/tainted") & (1 << 5 | 1 << 14));
}

/*
 * Offered events that went nowhere: 0, or a counter is missing. Part of the sum is the
 * kernel's own: it cannot see an event that is lost before it is counted as offered.
 * A test that wants to see that counts what is emitted.
 */
static inline int64_t grtrace_unaccounted(void)
{
	static const char * const reasons[] = {
		"written", "filtered_level", "filtered_type", "filtered_engine", "filtered_ring",
		"filtered_device", "filtered_watch", "sampled_out", "rate_limited_drops",
		"backpressure_drops", "writes_reserve_fail", "writes_oversize", "writes_nmi", NULL,
	};
	int64_t left = grtrace_stat("offered");
	size_t i;

	for (i = 0; reasons[i]; i++)
		left -= grtrace_stat(reasons[i]);
	return left;
}

/* Lines of events, each ended, in as few writes as fit; 0 or -errno. */
struct grtrace_lines {
	char text[65536];
	size_t used;
	int ret;
};

static inline int grtrace_lines_write(struct grtrace_lines *lines)
{
	if (lines->used && !lines->ret)
		lines->ret = grtrace_write_bytes("emit", lines->text, lines->used);
	lines->used = 0;
	return lines->ret;
}

/* A line, or several, without the newline at the end. */
static inline void grtrace_lines_add(struct grtrace_lines *lines, const char *format, ...)
{
	char line[256];
	va_list args;
	size_t n;

	va_start(args, format);
	n = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (lines->used + n + 1 > sizeof(lines->text))
		grtrace_lines_write(lines);
	memcpy(lines->text + lines->used, line, n);
	lines->used += n;
	lines->text[lines->used++] = '\n';
}

#endif /* GRTRACE_FILES_H */
