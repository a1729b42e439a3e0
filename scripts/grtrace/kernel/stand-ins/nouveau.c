// SPDX-License-Identifier: GPL-2.0
/* In the place of the driver, for a kernel that has no such GPU: its trace events. */
#include <linux/module.h>

#define CREATE_TRACE_POINTS
#include "nouveau_trace.h"

/* as nouveau_fence.c has them */
EXPORT_TRACEPOINT_FOR_MODULES(nouveau_channel_new, "grtrace*");
EXPORT_TRACEPOINT_FOR_MODULES(nouveau_channel_del, "grtrace*");
EXPORT_TRACEPOINT_FOR_MODULES(nouveau_channel_kill, "grtrace*");
EXPORT_TRACEPOINT_FOR_MODULES(nouveau_fence_emit, "grtrace*");
EXPORT_TRACEPOINT_FOR_MODULES(nouveau_fence_intr, "grtrace*");

MODULE_LICENSE("GPL and additional rights");
