/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Differences between the kernels for which these files are built: as external
 * modules, and in a kernel tree to which the series was backported.
 */
#ifndef _GRTRACE_COMPAT_H_
#define _GRTRACE_COMPAT_H_

#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/version.h>

#ifndef kzalloc_obj
#define kzalloc_obj(object)	kzalloc(sizeof(object), GFP_KERNEL)
#define kvzalloc_obj(object)	kvzalloc(sizeof(object), GFP_KERNEL)
#endif

/* It has another name in 6.12, where it is not used. */
#ifndef EXPORT_SYMBOL_FOR_MODULES
#define EXPORT_SYMBOL_FOR_MODULES(symbol, modules)	EXPORT_SYMBOL_GPL(symbol)
#endif

/*
 * The ops of a fence were a plain pointer in older kernels. This reads both
 * kinds of pointer; sparse complains if the kernel's own function reads a plain
 * one.
 */
#undef rcu_access_pointer
#define rcu_access_pointer(pointer)	\
	((typeof(*(pointer)) __force *)READ_ONCE(pointer))

/* The functions that ask a fence for its names came with the rule that RCU protects them. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define dma_fence_driver_name(fence)	\
	((const char __rcu __force *)(fence)->ops->get_driver_name(fence))
#define dma_fence_timeline_name(fence)	\
	((const char __rcu __force *)(fence)->ops->get_timeline_name(fence))
#endif

/* relay passed padding to subbuf_start() until 6.17 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
#define GRTRACE_RELAY_PADDING_ARG	, size_t prev_padding
#else
#define GRTRACE_RELAY_PADDING_ARG
#endif

#endif /* _GRTRACE_COMPAT_H_ */
