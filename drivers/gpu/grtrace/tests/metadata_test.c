// SPDX-License-Identifier: GPL-2.0
/* The description that the file "metadata" has: devices with their models, and rings. */
#include <kunit/test.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <linux/seq_buf.h>
#include <linux/string.h>

#include "../rings.h"
#include "../session.h"
#include "trial.h"

/* A reader names the model by it: PCI's numbers, or what a device tree says first. */
static void metadata_devices_have_models(struct kunit *test)
{
	static const char compatible[] = "arm,mali-t860\0arm,mali-midgard";
	static struct property property = {
		.name = "compatible", .length = sizeof(compatible), .value = (void *)compatible,
	};
	static struct device_node node = { .properties = &property };
	struct pci_dev *pci = test_zalloc(test, sizeof(*pci));
	struct device *dev = test_zalloc(test, sizeof(*dev));
	char text[128];
	struct seq_buf s;

	seq_buf_init(&s, text, sizeof(text));
	pci->vendor = 0x1af4;
	pci->device = 0x50;
	pci->dev.bus = &pci_bus_type;
	pci->dev.init_name = "0000:01:00.0";
	grtrace_metadata_device(&s, &pci->dev);
	dev->init_name = "ffe40000.gpu";
	grtrace_metadata_device(&s, dev);
	dev->of_node = &node;
	grtrace_metadata_device(&s, dev);
	KUNIT_EXPECT_STREQ(test, seq_buf_str(&s), IS_ENABLED(CONFIG_OF) ?
			   "device 0000:01:00.0 pci 1af4:0050\n"
			   "device ffe40000.gpu of arm,mali-t860\n" :
			   "device 0000:01:00.0 pci 1af4:0050\n");
}

/* Returns whether the file has these lines. */
static bool metadata_says(struct kunit *test, const char *lines)
{
	const struct grtrace_rec_metadata *rec;
	bool found = false;
	size_t at, size;
	void *packet;

	packet = grtrace_session_packet(NULL, &size);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, packet);
	for (at = 0; at < size && !found; at += le16_to_cpu(rec->hdr.size)) {
		rec = packet + at;
		found = le16_to_cpu(rec->hdr.type) == GRTRACE_METADATA &&
			strnstr(rec->text, lines, le16_to_cpu(rec->hdr.size) - sizeof(*rec));
	}
	kvfree(packet);
	return found;
}

/* By this line a reader knows a finished recording. */
static void metadata_has_the_state(struct kunit *test)
{
	struct stream *stream = trial_start(test, "");
	size_t i;

	KUNIT_EXPECT_TRUE(test, metadata_says(test, "\nstate running\n"));
	KUNIT_EXPECT_FALSE(test, metadata_says(test, "state stopped"));
	trial_stop(test, stream);
	KUNIT_EXPECT_TRUE(test, metadata_says(test, "\nstate stopped\n"));
	KUNIT_EXPECT_FALSE(test, metadata_says(test, "state running"));
	/* the stream cannot know */
	for (i = 0; i < stream_count(stream, GRTRACE_METADATA); i++) {
		const struct grtrace_rec_metadata *rec =
			stream_nth(stream, GRTRACE_METADATA, i)->raw;

		KUNIT_EXPECT_NULL(test, strnstr(rec->text, "\nstate ",
						le16_to_cpu(rec->hdr.size) - sizeof(*rec)));
	}
	KUNIT_EXPECT_EQ(test, stream_count(stream, GRTRACE_STOP), num_online_cpus());
}

/* Only in UML a bus needs nothing else. */
#if IS_ENABLED(CONFIG_UML) && IS_ENABLED(CONFIG_PCI)
/* A bus without hardware, of a device for each class. */
static const u32 metadata_pci_classes[] = {
	0x020000,	/* a network */
	0x030000,	/* VGA */
	0x038000,	/* another display */
	0x110000,	/* signal processing */
	0x120000,	/* a processing accelerator */
	0x130000,	/* instrumentation */
};

static int metadata_pci_read(struct pci_bus *bus, unsigned int devfn, int where, int size,
			     u32 *value)
{
	unsigned int slot = PCI_SLOT(devfn);

	*value = U32_MAX;
	if (PCI_FUNC(devfn) || slot >= ARRAY_SIZE(metadata_pci_classes))
		return PCIBIOS_DEVICE_NOT_FOUND;
	switch (round_down(where, 4)) {
	case PCI_VENDOR_ID:
		*value = slot << 16 | 0x1af4;
		break;
	case PCI_CLASS_REVISION:
		*value = metadata_pci_classes[slot] << 8;
		break;
	default:
		*value = 0;
	}
	*value = *value >> 8 * (where % 4) & GENMASK(8 * size - 1, 0);
	return PCIBIOS_SUCCESSFUL;
}

static int metadata_pci_write(struct pci_bus *bus, unsigned int devfn, int where, int size,
			      u32 value)
{
	return PCIBIOS_SUCCESSFUL;
}

static void metadata_pci_remove(void *bus)
{
	pci_lock_rescan_remove();
	pci_stop_root_bus(bus);
	pci_remove_root_bus(bus);
	pci_unlock_rescan_remove();
}

static void metadata_lists_gpus_and_accelerators(struct kunit *test)
{
	static struct pci_ops ops = { .read = metadata_pci_read, .write = metadata_pci_write };
	LIST_HEAD(resources);
	struct pci_bus *bus;
	struct stream *stream;

	pci_lock_rescan_remove();
	bus = pci_scan_root_bus(NULL, 0x40, &ops, NULL, &resources);
	pci_unlock_rescan_remove();
	KUNIT_ASSERT_NOT_NULL(test, bus);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, metadata_pci_remove, bus), 0);
	stream = trial_start(test, "");
	KUNIT_EXPECT_TRUE(test, metadata_says(test, "\ndevice 0000:40:01.0 pci 1af4:0001\n"
						   "device 0000:40:02.0 pci 1af4:0002\n"
						   "device 0000:40:04.0 pci 1af4:0004\n"));
	KUNIT_EXPECT_FALSE(test, metadata_says(test, "1af4:0000"));
	KUNIT_EXPECT_FALSE(test, metadata_says(test, "1af4:0003"));
	KUNIT_EXPECT_FALSE(test, metadata_says(test, "1af4:0005"));
	trial_stop(test, stream);
}
#endif

/* The file has the name of a ring that went during the session. */
static void metadata_names_rings_that_went(struct kunit *test)
{
	struct stream *stream = trial_start(test, "");
	struct grtrace_ring *ring = trial_ring(test, 3);
	const struct grtrace_rec_hdr *hdr;
	unsigned int found = 0;
	size_t at, size;
	void *packet;

	grtrace_rings_retire(ring);
	packet = grtrace_session_packet(NULL, &size);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, packet);
	for (at = 0; at < size; at += le16_to_cpu(hdr->size)) {
		const struct grtrace_rec_ring *rec = packet + at;

		hdr = packet + at;
		KUNIT_ASSERT_GE(test, le16_to_cpu(hdr->size), sizeof(*hdr));
		if (le16_to_cpu(hdr->type) != GRTRACE_RING || le32_to_cpu(rec->ring) != ring->id)
			continue;
		KUNIT_EXPECT_STREQ(test, rec->name, "ring");
		KUNIT_EXPECT_STREQ(test, rec->driver, "kunit");
		found++;
	}
	KUNIT_EXPECT_EQ(test, found, 1);
	kvfree(packet);
	trial_stop(test, stream);
}

static struct kunit_case metadata_test_cases[] = {
	KUNIT_CASE(metadata_devices_have_models),
	KUNIT_CASE(metadata_has_the_state),
	KUNIT_CASE(metadata_names_rings_that_went),
#if IS_ENABLED(CONFIG_UML) && IS_ENABLED(CONFIG_PCI)
	KUNIT_CASE(metadata_lists_gpus_and_accelerators),
#endif
	{}
};

static struct kunit_suite metadata_test_suite = {
	.name = "grtrace_metadata",
	.init = trial_init,
	.test_cases = metadata_test_cases,
};

kunit_test_suite(metadata_test_suite);
