// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a command on one processor with its output thrown away and prints what
 * it took: CPU seconds (user and system), seconds by the clock, and the most
 * memory it had, in KiB:
 *
 *	timed CPU CMD...
 *
 * Exit status: the command's, 126 when it could not be run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void run(int cpu, char **command)
{
	int null = open("/dev/null", O_RDWR);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || null < 0)
		_exit(126);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	execvp(command[0], command);
	perror(command[0]);
	_exit(126);
}

int main(int argc, char **argv)
{
	struct rusage usage;
	double begin = now();
	pid_t pid;
	int status;

	if (argc < 3) {
		fprintf(stderr, "usage: timed CPU CMD...\n");
		return 2;
	}
	pid = fork();
	if (!pid)
		run(atoi(argv[1]), argv + 2);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 126;
	printf("%.6f %.6f %ld\n",
	       seconds(usage.ru_utime) + seconds(usage.ru_stime),
	       now() - begin, usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
