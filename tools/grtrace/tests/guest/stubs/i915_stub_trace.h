/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events with the system, names and fields of i915's (i915_trace.h; the same
 * in 6.12 and 7.3), those that a distribution's kernel has.  Their arguments
 * are numbers, because there is no such device: a driver's pointers are just
 * numbers to a reader.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM i915

#if !defined(I915_STUB_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define I915_STUB_TRACE_H

#include <linux/tracepoint.h>

struct drm_i915_gem_object;
struct i915_address_space;

TRACE_EVENT(i915_gem_object_create,
	TP_PROTO(u64 obj, u64 size),
	TP_ARGS(obj, size),
	TP_STRUCT__entry(
		__field(struct drm_i915_gem_object *, obj)
		__field(u64, size)
	),
	TP_fast_assign(
		__entry->obj = (void *)(unsigned long)obj;
		__entry->size = size;
	),
	TP_printk("obj=%p size=%llu", __entry->obj, __entry->size)
);

TRACE_EVENT(i915_gem_object_destroy,
	TP_PROTO(u64 obj),
	TP_ARGS(obj),
	TP_STRUCT__entry(
		__field(struct drm_i915_gem_object *, obj)
	),
	TP_fast_assign(
		__entry->obj = (void *)(unsigned long)obj;
	),
	TP_printk("obj=%p", __entry->obj)
);

TRACE_EVENT(i915_vma_bind,
	TP_PROTO(u64 obj, u64 size, u64 offset, u64 vm, u32 flags),
	TP_ARGS(obj, size, offset, vm, flags),
	TP_STRUCT__entry(
		__field(struct drm_i915_gem_object *, obj)
		__field(struct i915_address_space *, vm)
		__field(u64, offset)
		__field(u64, size)
		__field(unsigned int, flags)
	),
	TP_fast_assign(
		__entry->obj = (void *)(unsigned long)obj;
		__entry->vm = (void *)(unsigned long)vm;
		__entry->offset = offset;
		__entry->size = size;
		__entry->flags = flags;
	),
	TP_printk("obj=%p size=%llu", __entry->obj, __entry->size)
);

TRACE_EVENT(i915_vma_unbind,
	TP_PROTO(u64 obj, u64 size, u64 offset, u64 vm),
	TP_ARGS(obj, size, offset, vm),
	TP_STRUCT__entry(
		__field(struct drm_i915_gem_object *, obj)
		__field(struct i915_address_space *, vm)
		__field(u64, offset)
		__field(u64, size)
	),
	TP_fast_assign(
		__entry->obj = (void *)(unsigned long)obj;
		__entry->vm = (void *)(unsigned long)vm;
		__entry->offset = offset;
		__entry->size = size;
	),
	TP_printk("obj=%p size=%llu", __entry->obj, __entry->size)
);

TRACE_EVENT(i915_gem_object_fault,
	TP_PROTO(u64 obj, u64 index, bool gtt, bool write),
	TP_ARGS(obj, index, gtt, write),
	TP_STRUCT__entry(
		__field(struct drm_i915_gem_object *, obj)
		__field(u64, index)
		__field(bool, gtt)
		__field(bool, write)
	),
	TP_fast_assign(
		__entry->obj = (void *)(unsigned long)obj;
		__entry->index = index;
		__entry->gtt = gtt;
		__entry->write = write;
	),
	TP_printk("obj=%p index=%llu", __entry->obj, __entry->index)
);

TRACE_EVENT(i915_gem_shrink,
	TP_PROTO(u64 target, u32 flags),
	TP_ARGS(target, flags),
	TP_STRUCT__entry(
		__field(int, dev)
		__field(unsigned long, target)
		__field(unsigned int, flags)
	),
	TP_fast_assign(
		__entry->dev = 0;
		__entry->target = target;
		__entry->flags = flags;
	),
	TP_printk("target=%lu", __entry->target)
);

TRACE_EVENT(i915_gem_evict,
	TP_PROTO(u64 size, u64 align, u64 vm, u32 flags),
	TP_ARGS(size, align, vm, flags),
	TP_STRUCT__entry(
		__field(u32, dev)
		__field(struct i915_address_space *, vm)
		__field(u64, size)
		__field(u64, align)
		__field(unsigned int, flags)
	),
	TP_fast_assign(
		__entry->dev = 0;
		__entry->vm = (void *)(unsigned long)vm;
		__entry->size = size;
		__entry->align = align;
		__entry->flags = flags;
	),
	TP_printk("size=%llu", __entry->size)
);

DECLARE_EVENT_CLASS(i915_request,
	TP_PROTO(u64 ctx, u16 class, u16 instance, u32 seqno),
	TP_ARGS(ctx, class, instance, seqno),
	TP_STRUCT__entry(
		__field(u32, dev)
		__field(u64, ctx)
		__field(u16, class)
		__field(u16, instance)
		__field(u32, seqno)
		__field(u32, tail)
	),
	TP_fast_assign(
		__entry->dev = 0;
		__entry->ctx = ctx;
		__entry->class = class;
		__entry->instance = instance;
		__entry->seqno = seqno;
		__entry->tail = 0;
	),
	TP_printk("engine=%u:%u ctx=%llu seqno=%u", __entry->class,
		  __entry->instance, __entry->ctx, __entry->seqno)
);

DEFINE_EVENT(i915_request, i915_request_add,
	TP_PROTO(u64 ctx, u16 class, u16 instance, u32 seqno),
	TP_ARGS(ctx, class, instance, seqno)
);

DEFINE_EVENT(i915_request, i915_request_wait_end,
	TP_PROTO(u64 ctx, u16 class, u16 instance, u32 seqno),
	TP_ARGS(ctx, class, instance, seqno)
);

TRACE_EVENT(i915_request_wait_begin,
	TP_PROTO(u64 ctx, u16 class, u16 instance, u32 seqno),
	TP_ARGS(ctx, class, instance, seqno),
	TP_STRUCT__entry(
		__field(u32, dev)
		__field(u64, ctx)
		__field(u16, class)
		__field(u16, instance)
		__field(u32, seqno)
		__field(unsigned int, flags)
	),
	TP_fast_assign(
		__entry->dev = 0;
		__entry->ctx = ctx;
		__entry->class = class;
		__entry->instance = instance;
		__entry->seqno = seqno;
		__entry->flags = 0;
	),
	TP_printk("engine=%u:%u ctx=%llu seqno=%u", __entry->class,
		  __entry->instance, __entry->ctx, __entry->seqno)
);

#endif

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE i915_stub_trace
#include <trace/define_trace.h>
