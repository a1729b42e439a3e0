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

#include "channel_write.h"
#include "record.h"
#include "rings.h"
#include "session.h"
#include "snapshot.h"
#include "stats.h"

#define METADATA_VERSION	"0.1.0"	/* that of the tools which come with the module */
#define METADATA_TEXT_MAX	SZ_8K	/* all tables together; 14 events need 500 bytes */
#define METADATA_CHUNK		1024	/* text per record; fits any sub-buffer */

/**
 * grtrace_metadata_info - fill STREAM_INFO for a session that starts now
 * @info: the record
 * @channel: the session's channel
 * @features: GRTRACE_FEATURE_*
 *
 * The boot id stays zero: only /proc has it, and a recorder fills it in.
 *
 * Context: Process.
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

/* Prints the line of a device, if it has a model. */
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

static void metadata_print(struct seq_buf *text,
			   const struct grtrace_snapshot *snapshot,
			   const char *state)
{
	u64 full = grtrace_stat_sum(GRTRACE_STAT_RINGS_FULL);
	unsigned int i;

	seq_buf_puts(text, "module " METADATA_VERSION "\n");
	for (i = 0; i < GRTRACE_TYPE_LIMIT; i++)
		if (grtrace_record_event_name(i))
			seq_buf_printf(text, "event %u %s %s %zu\n", i,
				       grtrace_record_event_name(i),
				       grtrace_record_event_letter(i),
				       grtrace_record_event_size(i));
	for (i = 0; i < GRTRACE_CLASS_COUNT; i++)
		seq_buf_printf(text, "class %u %s\n", i,
			       grtrace_record_class_name(i));
	grtrace_sources_print(text);
	metadata_devices(text);
	if (full)
		seq_buf_printf(text, "rings_full %llu\n", full);
	if (snapshot)
		seq_buf_printf(text, "snapshot %s %llu\n",
			       grtrace_snapshot_reasons[snapshot->reason],
			       snapshot->ts);
	else if (state)
		seq_buf_printf(text, "state %s\n", state);
}

/* Returns the length of the whole lines of @text after @at that fit into one record. */
static size_t metadata_chunk(const char *text, size_t length, size_t at)
{
	size_t end = min(length, at + METADATA_CHUNK);

	while (end < length && end > at && text[end - 1] != '\n')
		end--;
	return end - at;
}

/* Returns all tables, for kvfree(), or NULL. */
static char *metadata_text(const struct grtrace_snapshot *snapshot,
			   const char *state, size_t *length)
{
	char *memory = kvmalloc(METADATA_TEXT_MAX, GFP_KERNEL);
	struct seq_buf text;

	if (!memory)
		return NULL;
	seq_buf_init(&text, memory, METADATA_TEXT_MAX);
	metadata_print(&text, snapshot, state);
	*length = seq_buf_used(&text);
	return memory;
}

/* Writes the tables into the stream. Returns 0 or -ENOMEM. */
int grtrace_metadata_tables(struct grtrace_channel *channel)
{
	char *text __free(kvfree) = NULL;
	size_t at, length, chunk;

	text = metadata_text(NULL, NULL, &length);
	if (!text)
		return -ENOMEM;
	for (at = 0; (chunk = metadata_chunk(text, length, at)); at += chunk)
		grtrace_record_metadata(channel, text + at, chunk);
	return 0;
}

/* ---------------------------------------------------- the file "metadata" */

/* Each of these fills a record at @at, which is zeroed, and returns its end. */
static void *metadata_packet_at(struct grtrace_rec_packet *packet,
				const struct grtrace_rec_stream_info *info)
{
	packet->hdr.type = cpu_to_le16(GRTRACE_PACKET);
	packet->hdr.size = cpu_to_le16(sizeof(*packet));
	packet->magic = cpu_to_le32(GRTRACE_MAGIC);
	packet->major = cpu_to_le16(GRTRACE_VERSION_MAJOR);
	packet->minor = cpu_to_le16(GRTRACE_VERSION_MINOR);
	packet->cpu = cpu_to_le32(GRTRACE_CPU_NONE);
	packet->session = info->session;
	packet->ts = info->start_ts;
	return packet + 1;
}

static void *metadata_chunk_at(struct grtrace_rec_metadata *rec,
			       const char *text, size_t length)
{
	size_t size = ALIGN(sizeof(*rec) + length, 8);

	rec->hdr.type = cpu_to_le16(GRTRACE_METADATA);
	rec->hdr.size = cpu_to_le16(size);
	memcpy(rec->text, text, length);
	return (void *)rec + size;
}

/**
 * grtrace_metadata_packet - the whole description as one packet
 * @info: STREAM_INFO of the session
 * @snapshot: the snapshot that it describes, or NULL
 * @state: without a snapshot, the state of the session
 * @size: set to the packet's size in bytes
 *
 * Context: Process.
 * Return: memory for kvfree(), or ERR_PTR(-ENOMEM).
 */
void *grtrace_metadata_packet(const struct grtrace_rec_stream_info *info,
			      const struct grtrace_snapshot *snapshot,
			      const char *state, size_t *size)
{
	char *text __free(kvfree) = NULL;
	u32 cursor = 0, rings = 0;
	struct grtrace_rec_ring *rec;
	struct grtrace_ring *ring;
	size_t i, length, chunk;
	void *data, *at;

	text = metadata_text(snapshot, state, &length);
	guard(mutex)(&grtrace_rings_lock);
	while (grtrace_rings_next(&cursor))
		rings++;
	data = text ? kvzalloc(sizeof(struct grtrace_rec_packet) +
			       sizeof(*info) + 2 * METADATA_TEXT_MAX +
			       rings * sizeof(struct grtrace_rec_ring),
			       GFP_KERNEL) : NULL;
	if (!data)
		return ERR_PTR(-ENOMEM);

	at = metadata_packet_at(data, info);
	memcpy(at, info, sizeof(*info));
	at += sizeof(*info);
	for (i = 0; (chunk = metadata_chunk(text, length, i)); i += chunk)
		at = metadata_chunk_at(at, text + i, chunk);
	/* Rings that were added meanwhile have RING records in the stream. */
	cursor = 0;
	for (rec = at; rings-- && (ring = grtrace_rings_next(&cursor)); rec++) {
		grtrace_record_ring_fill(rec, ring);
		rec->seq.ts = cpu_to_le32(le64_to_cpu(info->start_ts));
	}
	*size = (void *)rec - data;
	return data;
}
