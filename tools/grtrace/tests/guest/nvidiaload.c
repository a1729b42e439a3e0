// SPDX-License-Identifier: GPL-2.0
/*
 * The calls of a program to nvidia.ko, made to the stub that has its entry points:
 *
 *	nvidiaload ROUNDS [all]
 *
 * A round is an open, an RM_ALLOC, 2 mmaps, 2 RM_CONTROLs, 3 polls, an RM_FREE
 * and a close.  "all" adds a mapping that is read, written, split and looked at as a
 * debugger does, and the stub's own ioctl.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Numbers and sizes are those of nv_escape.h and nvos.h. */
#define RM_FREE		_IOC(_IOC_READ | _IOC_WRITE, 'F', 0x29, 16)
#define RM_CONTROL	_IOC(_IOC_READ | _IOC_WRITE, 'F', 0x2a, 32)
#define RM_ALLOC	_IOC(_IOC_READ | _IOC_WRITE, 'F', 0x2b, 48)
#define STUB_ALL	_IOC(_IOC_NONE, 'F', 0x7f, 0)
#define PAGE		4096

static const char device[] = "/dev/nvidia_stub";

static void ask(int fd, unsigned long request)
{
	if (ioctl(fd, request, NULL))
		err(1, "ioctl %#lx", request);
}

static void map(int fd)
{
	void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		err(1, "mmap");
	munmap(page, 4096);
}

static void wait_for(int fd)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	if (poll(&one, 1, 1000) != 1)
		err(1, "poll");
}

/* One page is read, the next written; without that one there are two mappings. */
static void use_mapping(int fd)
{
	char *map = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	int mem = open("/proc/self/mem", O_RDONLY);
	int ends[2];
	char byte;

	if (map == MAP_FAILED || mem < 0 || pipe(ends))
		err(1, "mapping");
	if (write(ends[1], map, 1) != 1 || read(ends[0], map + PAGE, 1) != 1)
		err(1, "using the mapping");
	close(ends[0]);
	close(ends[1]);
	if (pread(mem, &byte, 1, (long)map) != 1)
		err(1, "/proc/self/mem");
	close(mem);
	if (munmap(map + PAGE, PAGE) || munmap(map, 3 * PAGE))
		err(1, "munmap");
}

static void round_of_calls(int all)
{
	int fd = open(device, O_RDWR);
	int i;

	if (fd < 0)
		err(1, "%s", device);
	ask(fd, RM_ALLOC);
	for (i = 0; i < 2; i++) {
		map(fd);
		ask(fd, RM_CONTROL);
	}
	for (i = 0; i < 3; i++)
		wait_for(fd);
	if (all) {
		use_mapping(fd);
		ask(fd, STUB_ALL);
	}
	ask(fd, RM_FREE);
	close(fd);
}

int main(int argc, char **argv)
{
	int all = argc == 3 && !strcmp(argv[2], "all");
	int rounds;

	if (argc != 2 + all)
		errx(2, "needs a number of rounds");
	for (rounds = atoi(argv[1]); rounds > 0; rounds--)
		round_of_calls(all);
	return 0;
}
