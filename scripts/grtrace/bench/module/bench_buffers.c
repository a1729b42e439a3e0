// SPDX-License-Identifier: GPL-2.0
/* The memory of the other buffers: 1 MB for each CPU, the oldest is overwritten. */
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "bench_buffers.h"

#define BUFFER_SIZE	SZ_1M

struct trace_buffer *grtrace_bench_ring;

#ifdef CONFIG_SIMPLE_RING_BUFFER

#define BUFFER_PAGES	(BUFFER_SIZE / PAGE_SIZE)

struct simple_rb_per_cpu grtrace_bench_simple;
static struct simple_buffer_page *buffer_pages;
static struct ring_buffer_desc *buffer_desc;

static void buffer_simple_exit(void)
{
	unsigned int i;

	if (!buffer_desc)
		return;
	simple_ring_buffer_unload(&grtrace_bench_simple);
	for (i = 0; i < buffer_desc->nr_page_va; i++)
		free_page(buffer_desc->page_va[i]);
	free_page(buffer_desc->meta_va);
	kfree(buffer_pages);
	kfree(buffer_desc);
}

static int buffer_simple_init(void)
{
	unsigned int i;

	buffer_desc = kzalloc(struct_size(buffer_desc, page_va, BUFFER_PAGES), GFP_KERNEL);
	if (!buffer_desc)
		return -ENOMEM;
	buffer_desc->nr_page_va = BUFFER_PAGES;
	buffer_desc->meta_va = get_zeroed_page(GFP_KERNEL);
	buffer_pages = kcalloc(BUFFER_PAGES, sizeof(*buffer_pages), GFP_KERNEL);
	if (!buffer_desc->meta_va || !buffer_pages)
		return -ENOMEM;
	for (i = 0; i < BUFFER_PAGES; i++) {
		buffer_desc->page_va[i] = get_zeroed_page(GFP_KERNEL);
		if (!buffer_desc->page_va[i])
			return -ENOMEM;
	}
	return simple_ring_buffer_init(&grtrace_bench_simple, buffer_pages, buffer_desc) ?:
	       simple_ring_buffer_enable_tracing(&grtrace_bench_simple, true);
}

#else

static void buffer_simple_exit(void)
{
}

static int buffer_simple_init(void)
{
	return 0;
}

#endif

/**
 * grtrace_bench_buffers_init - allocate the buffers
 *
 * Return: 0 or -ENOMEM; grtrace_bench_buffers_exit() frees what there is.
 */
int grtrace_bench_buffers_init(void)
{
	grtrace_bench_ring = ring_buffer_alloc(BUFFER_SIZE, RB_FL_OVERWRITE);
	return grtrace_bench_ring ? buffer_simple_init() : -ENOMEM;
}

/**
 * grtrace_bench_buffers_exit - free the buffers
 */
void grtrace_bench_buffers_exit(void)
{
	buffer_simple_exit();
	if (grtrace_bench_ring)
		ring_buffer_free(grtrace_bench_ring);
}
