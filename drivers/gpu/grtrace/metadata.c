// SPDX-License-Identifier: GPL-2.0
/*
 * The stream's description of itself: STREAM_INFO, and METADATA's tables of
 * events, engine classes and sources. It is written into the stream at the
 * start. The debugfs file "metadata" has this description at any time, with the
 * rings known by then, so none of it is lost when the channel is overwritten.
 */
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/seq_buf.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>

#include <uapi/drm/grtrace_drm.h>

#include "channel.h"
#include "clock.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "snapshot.h"
#include "source.h"
#include "stats.h"

#define METADATA_TEXT_MAX	SZ_8K	/* all tables together; 14 events need 500 bytes */
#define METADATA_CHUNK		1024	/* text per record; fits any sub-buffer */

/**
 * grtrace_metadata_info - fill STREAM_INFO for a session that starts now
 * @info: the record
 * @channel: the session's channel
 * @features: GRTRACE_FEATURE_*
 *
 * Context: Process.
 * The boot id stays zero: only /proc has it, and a recorder fills it in.
 *
 */
void grtrace_metadata_info(struct grtrace_rec_stream_info *info,
			   const struct grtrace_channel *channel, u64 features)
{
	unsigned long flags;

	memset(info, 0, sizeof(*info));
	info->hdr.type = cpu_to_le16(GRTRACE_STREAM_INFO);
	info->hdr.size = cpu_to_le16(sizeof(*info));
	info->clock = cpu_to_le32(channel->clock);
	info->session = cpu_to_le64(channel->session);
	info->features = cpu_to_le64(features);
	local_irq_save(flags);
	info->start_ts = cpu_to_le64(grtrace_clock(channel->clock));
	info->start_real = cpu_to_le64(ktime_get_real_ns());
	local_irq_restore(flags);
	strscpy(info->release, init_utsname()->release, sizeof(info->release));
	info->subbuf_size = cpu_to_le32(channel->subbuf_size);
	info->n_subbufs = cpu_to_le32(channel->n_subbufs);
	info->nr_cpus = cpu_to_le32(num_possible_cpus());
}

static void metadata_source_line(const struct grtrace_source *source,
				 unsigned int found, unsigned int known,
				 void *data)
{
	seq_buf_printf(data, "source %s %u %u\n", source->name, found, known);
}

/**
 * grtrace_metadata_device - the line of a device, if it has a model
 * @text: where to
 * @dev: the device
 *
 * Context: Process.
 */
void grtrace_metadata_device(struct seq_buf *text, struct device *dev)
{
	const char *compatible;

	if (dev_is_pci(dev))
		seq_buf_printf(text, "device %s pci %04x:%04x\n", dev_name(dev),
			       to_pci_dev(dev)->vendor, to_pci_dev(dev)->device);
	else if (!of_property_read_string(dev->of_node, "compatible", &compatible))
		seq_buf_printf(text, "device %s of %s\n", dev_name(dev), compatible);
}

static int metadata_is_minor(struct device *dev, void *data)
{
	return dev->class && !strcmp(dev->class->name, "drm");
}

static int metadata_platform_device(struct device *dev, void *text)
{
	if (device_for_each_child(dev, NULL, metadata_is_minor))
		grtrace_metadata_device(text, dev);
	return 0;
}

/* Lists all GPUs, because their rings may appear later. */
static void metadata_devices(struct seq_buf *text)
{
	static const u8 classes[] = {
		PCI_BASE_CLASS_DISPLAY, PCI_CLASS_ACCELERATOR_PROCESSING >> 8,
	};
	struct pci_dev *pdev = NULL;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(classes); i++)
		while ((pdev = pci_get_base_class(classes[i], pdev)))
			grtrace_metadata_device(text, &pdev->dev);
	bus_for_each_dev(&platform_bus_type, NULL, text, metadata_platform_device);
}

static void metadata_text(struct seq_buf *text,
			  const struct grtrace_snapshot *snapshot)
{
	u64 full = grtrace_stat_sum(GRTRACE_STAT_RINGS_FULL);
	unsigned int i;

	for (i = 0; i < GRTRACE_TYPE_LIMIT; i++)
		if (grtrace_record_event_name(i))
			seq_buf_printf(text, "event %u %s %s %zu\n", i,
				       grtrace_record_event_name(i),
				       grtrace_record_event_letter(i),
				       grtrace_record_event_size(i));
	for (i = 0; i < GRTRACE_CLASS_COUNT; i++)
		seq_buf_printf(text, "class %u %s\n", i,
			       grtrace_record_class_name(i));
	grtrace_sources_for_each(metadata_source_line, text);
	metadata_devices(text);
	if (full)
		seq_buf_printf(text, "rings_full %llu\n", full);
	if (snapshot)
		seq_buf_printf(text, "snapshot %s %llu\n",
			       grtrace_snapshot_reasons[snapshot->reason],
			       snapshot->ts);
}

/* Returns the length of the whole lines of @text after @at that fit into one record. */
static size_t metadata_chunk(const char *text, size_t length, size_t at)
{
	size_t end = min(length, at + METADATA_CHUNK);

	while (end < length && end > at && text[end - 1] != '\n')
		end--;
	return end - at;
}

static int metadata_for_each_chunk(const struct grtrace_snapshot *snapshot,
				   void (*fn)(void *data, const char *text,
					      size_t length),
				   void *data)
{
	char *memory __free(kvfree) = kvmalloc(METADATA_TEXT_MAX, GFP_KERNEL);
	size_t at, length, chunk;
	struct seq_buf text;

	if (!memory)
		return -ENOMEM;
	seq_buf_init(&text, memory, METADATA_TEXT_MAX);
	metadata_text(&text, snapshot);
	length = seq_buf_used(&text);
	for (at = 0; at < length; at += chunk) {
		chunk = metadata_chunk(memory, length, at);
		if (!chunk)
			break;
		fn(data, memory + at, chunk);
	}
	return 0;
}

static void metadata_chunk_record(void *data, const char *text, size_t length)
{
	grtrace_record_metadata(data, text, length);
}

/**
 * grtrace_metadata_tables - write the tables into the stream
 * @channel: channel to write to
 *
 * Context: Process.
 * Return: 0 or -ENOMEM.
 */
int grtrace_metadata_tables(struct grtrace_channel *channel)
{
	return metadata_for_each_chunk(NULL, metadata_chunk_record, channel);
}

/* ---------------------------------------------------- the file "metadata" */

struct metadata_out {
	void *data;
	size_t used;
	size_t size;
};

static void *metadata_out_add(struct metadata_out *out, size_t size)
{
	void *rec = out->data + out->used;

	if (out->used + size > out->size)
		return NULL;
	out->used += size;
	return rec;
}

static void metadata_chunk_copy(void *data, const char *text, size_t length)
{
	size_t size = ALIGN(sizeof(struct grtrace_rec_metadata) + length, 8);
	struct grtrace_rec_metadata *rec = metadata_out_add(data, size);

	if (!rec)
		return;
	rec->hdr.type = cpu_to_le16(GRTRACE_METADATA);
	rec->hdr.size = cpu_to_le16(size);
	memcpy(rec->text, text, length);
}

/**
 * grtrace_metadata_packet - the whole description as one packet
 * @info: STREAM_INFO of the session
 * @snapshot: the snapshot that it describes, or NULL
 * @size: set to the packet's size in bytes
 *
 * Context: Process.
 * Return: memory for kvfree(), or ERR_PTR(-ENOMEM).
 */
void *grtrace_metadata_packet(const struct grtrace_rec_stream_info *info,
			      const struct grtrace_snapshot *snapshot,
			      size_t *size)
{
	struct metadata_out out = {};
	struct grtrace_rec_packet *packet;
	struct grtrace_rec_stream_info *rec;
	struct grtrace_rec_ring *ring_rec;
	struct grtrace_ring *ring;
	u32 cursor = 0, rings = 0;

	guard(grtrace_rings)();
	while (grtrace_rings_next(&cursor))
		rings++;
	/* Rings that are added meanwhile have RING records in the stream. */
	out.size = sizeof(*packet) + sizeof(*info) + 2 * METADATA_TEXT_MAX +
		   rings * sizeof(*ring_rec);
	out.data = kvzalloc(out.size, GFP_KERNEL);
	if (!out.data)
		return ERR_PTR(-ENOMEM);

	packet = metadata_out_add(&out, sizeof(*packet));
	packet->hdr.type = cpu_to_le16(GRTRACE_PACKET);
	packet->hdr.size = cpu_to_le16(sizeof(*packet));
	packet->magic = cpu_to_le32(GRTRACE_MAGIC);
	packet->major = cpu_to_le16(GRTRACE_VERSION_MAJOR);
	packet->minor = cpu_to_le16(GRTRACE_VERSION_MINOR);
	packet->cpu = cpu_to_le32(GRTRACE_CPU_NONE);
	packet->session = info->session;
	packet->ts = info->start_ts;

	rec = metadata_out_add(&out, sizeof(*rec));
	*rec = *info;
	if (metadata_for_each_chunk(snapshot, metadata_chunk_copy, &out)) {
		kvfree(out.data);
		return ERR_PTR(-ENOMEM);
	}
	cursor = 0;
	while ((ring = grtrace_rings_next(&cursor))) {
		ring_rec = metadata_out_add(&out, sizeof(*ring_rec));
		if (!ring_rec)
			break;
		grtrace_record_ring_fill(ring_rec, ring);
		ring_rec->seq.ts = cpu_to_le32(le64_to_cpu(info->start_ts));
	}
	*size = out.used;
	return out.data;
}
