/* SPDX-License-Identifier: MIT */
#ifndef __NOUVEAU_TRACE_HELPERS__
#define __NOUVEAU_TRACE_HELPERS__

#include <linux/device.h>

#include <drm/drm_device.h>

#include <nvif/cl0080.h>

#include "nouveau_drv.h"
#include "nouveau_chan.h"
#include "nouveau_fence.h"

/* Also while the channel has no struct nouveau_fence_chan yet, or no more. */
static inline u64 nouveau_trace_context(const struct nouveau_channel *chan)
{
	return chan->cli->drm->runl[chan->runlist].context_base + chan->chid;
}

/* NV_DEVICE_HOST_RUNLIST_ENGINES_* of the channel's runlist; 0: not known. */
static inline u64 nouveau_trace_engines(const struct nouveau_channel *chan)
{
	const struct nvif_device *device = &chan->cli->device;

	if (!device->runlist || chan->runlist >= device->runlists)
		return 0;
	return device->runlist[chan->runlist].engines;
}

/* The device of a fence context that has an event. */
static inline struct device *
nouveau_trace_event_dev(const struct nouveau_fence_chan *fctx)
{
	return container_of(fctx->event.object.client, struct nouveau_cli,
			    base)->drm->dev->dev;
}

#endif /* __NOUVEAU_TRACE_HELPERS__ */

#if !defined(__NOUVEAU_TRACE_H__) || defined(TRACE_HEADER_MULTI_READ)
#define __NOUVEAU_TRACE_H__

#include <linux/stringify.h>
#include <linux/tracepoint.h>
#include <linux/types.h>

#undef TRACE_SYSTEM
#define TRACE_SYSTEM nouveau
#define TRACE_INCLUDE_FILE nouveau_trace

#define show_nouveau_engines(engines)					\
	__print_flags(engines, "|",					\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_SW, "SW" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_GR, "GR" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_MPEG, "MPEG" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_ME, "ME" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_CIPHER, "CIPHER" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_BSP, "BSP" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_VP, "VP" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_CE, "CE" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_SEC, "SEC" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_MSVLD, "MSVLD" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_MSPDEC, "MSPDEC" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_MSPPP, "MSPPP" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_MSENC, "MSENC" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_VIC, "VIC" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_SEC2, "SEC2" },	\
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_NVDEC, "NVDEC" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_NVENC, "NVENC" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_NVJPG, "NVJPG" }, \
		      { NV_DEVICE_HOST_RUNLIST_ENGINES_OFA, "OFA" })

/*
 * Channel ids, and with them fence contexts, are used again: what belongs to one
 * context between a nouveau_channel_new and a nouveau_channel_del is one channel.
 */
DECLARE_EVENT_CLASS(nouveau_channel,
	TP_PROTO(struct nouveau_channel *chan),
	TP_ARGS(chan),
	TP_STRUCT__entry(
			 __string(dev, dev_name(chan->cli->drm->dev->dev))
			 __string(client, chan->cli->name)
			 __field(int, runlist)
			 __field(int, chid)
			 __field(u64, engines)
			 __field(u64, fence_context)
			 ),
	TP_fast_assign(
		       __assign_str(dev);
		       __assign_str(client);
		       __entry->runlist = chan->runlist;
		       __entry->chid = chan->chid;
		       __entry->engines = nouveau_trace_engines(chan);
		       __entry->fence_context = nouveau_trace_context(chan);
		       ),
	TP_printk("dev=%s, client=%s, runlist=%d, chid=%d, engines=%s, fence_context=%llu",
		  __get_str(dev), __get_str(client), __entry->runlist,
		  __entry->chid, show_nouveau_engines(__entry->engines),
		  __entry->fence_context)
);

/* A channel can be used. */
DEFINE_EVENT(nouveau_channel, nouveau_channel_new,
	TP_PROTO(struct nouveau_channel *chan),
	TP_ARGS(chan)
);

/* A channel's fences are all signalled, and its id is about to be free. */
DEFINE_EVENT(nouveau_channel, nouveau_channel_del,
	TP_PROTO(struct nouveau_channel *chan),
	TP_ARGS(chan)
);

/* An error of the hardware or a timeout; pending fences are about to fail. */
DEFINE_EVENT(nouveau_channel, nouveau_channel_kill,
	TP_PROTO(struct nouveau_channel *chan),
	TP_ARGS(chan)
);

/* A fence was written to a channel, after the work that it will tell the end of. */
TRACE_EVENT(nouveau_fence_emit,
	TP_PROTO(struct nouveau_fence *fence, struct nouveau_channel *chan),
	TP_ARGS(fence, chan),
	TP_STRUCT__entry(
			 __string(dev, dev_name(chan->cli->drm->dev->dev))
			 __string(ring, ((struct nouveau_fence_chan *)chan->fence)->name)
			 __field(int, runlist)
			 __field(int, chid)
			 __field(u64, fence_context)
			 __field(u64, fence_seqno)
			 ),
	TP_fast_assign(
		       __assign_str(dev);
		       __assign_str(ring);
		       __entry->runlist = chan->runlist;
		       __entry->chid = chan->chid;
		       __entry->fence_context = fence->base.context;
		       __entry->fence_seqno = fence->base.seqno;
		       ),
	TP_printk("dev=%s, ring=%s, runlist=%d, chid=%d, fence=%llu:%llu",
		  __get_str(dev), __get_str(ring), __entry->runlist,
		  __entry->chid, __entry->fence_context,
		  __entry->fence_seqno)
);

/* The non-stall interrupt, in which nobody knows yet how far the channel came. */
TRACE_EVENT(nouveau_fence_intr,
	TP_PROTO(struct nouveau_fence_chan *fctx),
	TP_ARGS(fctx),
	TP_STRUCT__entry(
			 __string(dev, dev_name(nouveau_trace_event_dev(fctx)))
			 __string(ring, fctx->name)
			 __field(u64, fence_context)
			 ),
	TP_fast_assign(
		       __assign_str(dev);
		       __assign_str(ring);
		       __entry->fence_context = fctx->context;
		       ),
	TP_printk("dev=%s, ring=%s, fence_context=%llu",
		  __get_str(dev), __get_str(ring), __entry->fence_context)
);

#endif /* __NOUVEAU_TRACE_H__ */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH ../../drivers/gpu/drm/nouveau
#include <trace/define_trace.h>
