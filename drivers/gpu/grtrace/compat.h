/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that these files build against as external
 * modules. In tree this file does not exist.
 */
#ifndef _GRTRACE_COMPAT_H_
#define _GRTRACE_COMPAT_H_

#include <linux/version.h>

/* relay told subbuf_start() about padding until 6.17 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define GRTRACE_RELAY_PADDING_ARG	, size_t prev_padding
#else
#define GRTRACE_RELAY_PADDING_ARG
#endif

#endif /* _GRTRACE_COMPAT_H_ */
