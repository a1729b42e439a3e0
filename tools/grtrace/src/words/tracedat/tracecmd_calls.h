// SPDX-License-Identifier: GPL-2.0
#pragma once

#include <event-parse.h>

#include <sched.h>

// The functions of libtracecmd that are used. They are declared here because its header
// includes that of libtracefs, which no C++ compiler takes.
extern "C" {

struct tracecmd_input;

struct tracecmd_input *tracecmd_open_fd(int fd, int flags);
void tracecmd_close(struct tracecmd_input *handle);
struct tep_handle *tracecmd_get_tep(struct tracecmd_input *handle);
int tracecmd_buffer_instances(struct tracecmd_input *handle);
int tracecmd_iterate_events(struct tracecmd_input *handle, cpu_set_t *cpus, int cpu_size,
			    int (*callback)(struct tracecmd_input *handle,
					    struct tep_record *record, int cpu, void *data),
			    void *data);
void tracecmd_set_loglevel(enum tep_loglevel level);
// The library has these, but its header does not, so a later one may lack them.
const char *tracecmd_get_trace_clock(struct tracecmd_input *handle) __attribute__((weak));
const char *tracecmd_get_uname(struct tracecmd_input *handle) __attribute__((weak));
}

// These are from enum tracecmd_open_flags.
inline constexpr int TRACECMD_FL_LOAD_NO_PLUGINS = 1 << 0;
inline constexpr int TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS = 1 << 1;
