// SPDX-License-Identifier: GPL-2.0
#pragma once

// The functions of libtracefs that are used. They are declared here because its header is
// for C only (it passes numbers where C++ expects enums).
extern "C" {

struct tracefs_instance;

const char *tracefs_tracing_dir(void);
struct tracefs_instance *tracefs_instance_create(const char *name);
int tracefs_instance_destroy(struct tracefs_instance *instance);
void tracefs_instance_free(struct tracefs_instance *instance);
char *tracefs_instance_get_file(struct tracefs_instance *instance, const char *file);
void tracefs_put_tracing_file(char *name);
int tracefs_instance_file_write(struct tracefs_instance *instance, const char *file,
				const char *str);
char *tracefs_instance_file_read(struct tracefs_instance *instance, const char *file, int *psize);
int tracefs_instance_file_open(struct tracefs_instance *instance, const char *file, int mode);
bool tracefs_file_exists(struct tracefs_instance *instance, const char *name);
int tracefs_trace_on(struct tracefs_instance *instance);
int tracefs_trace_off(struct tracefs_instance *instance);
int tracefs_event_enable(struct tracefs_instance *instance, const char *system, const char *event);
bool tracefs_event_file_exists(struct tracefs_instance *instance, const char *system,
			       const char *event, const char *file);
char *tracefs_event_file_read(struct tracefs_instance *instance, const char *system,
			      const char *event, const char *file, int *psize);
}
