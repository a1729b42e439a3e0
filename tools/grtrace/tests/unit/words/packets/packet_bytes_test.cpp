// SPDX-License-Identifier: GPL-2.0
#include "words/packets/packet_bytes.h"

#include "format/byte_order.h"

#include <gtest/gtest.h>

namespace grtrace {

namespace {

constexpr PacketHead first = {.session = 9,
			      .ts = 5'000'000'000,
			      .gseq = 70,
			      .cseq = 30,
			      .lost = 2,
			      .cpu = 1,
			      .ctx_hi = 4};

// A packet with one sequenced record, and what may come behind it.
class Packet : public testing::Test {
protected:
	Packet()
	{
		packet.open(first);
		packet.add_sequenced(GRTRACE_SUBMIT, sizeof(grtrace_rec_job),
				     {first.ts, first.gseq, 7});
		next.cseq++;
	}

	uint16_t type_at(size_t at) { return load16(&packet.bytes()[at]); }
	uint16_t size_at(size_t at) { return load16(&packet.bytes()[at + 2]); }

	PacketBytes packet;
	PacketHead next = first;
};

constexpr size_t head_size = sizeof(grtrace_rec_packet);

} // namespace

TEST_F(Packet, begins_with_what_its_records_are_widened_from)
{
	using Record = grtrace_rec_packet;

	const uint8_t *record = packet.bytes().data();

	EXPECT_EQ(type_at(0), GRTRACE_PACKET);
	EXPECT_EQ(size_at(0), head_size);
	EXPECT_EQ(load32(record + offsetof(Record, magic)), GRTRACE_MAGIC);
	EXPECT_EQ(load32(record + offsetof(Record, cpu)), 1u);
	EXPECT_EQ(load64(record + offsetof(Record, session)), 9u);
	EXPECT_EQ(load64(record + offsetof(Record, ts)), first.ts);
	EXPECT_EQ(load64(record + offsetof(Record, gseq)), 70u);
	EXPECT_EQ(load64(record + offsetof(Record, cseq)), 30u);
	EXPECT_EQ(load64(record + offsetof(Record, lost)), 2u);
	EXPECT_EQ(load32(record + offsetof(Record, ctx_hi)), 4u);
	EXPECT_EQ(load32(record + offsetof(Record, sample)), 0u);
}

TEST_F(Packet, takes_what_can_be_widened)
{
	EXPECT_TRUE(packet.takes(next));
	next.ts += (1 << 30) - 1;
	next.gseq += 1000;
	EXPECT_TRUE(packet.takes(next));
	next.ts = first.ts - (1 << 30);
	EXPECT_TRUE(packet.takes(next));
}

TEST_F(Packet, does_not_take_what_is_too_far)
{
	PacketHead later = next, earlier = next, behind = next;

	later.ts += 1 << 30;
	earlier.ts -= (1 << 30) + 1;
	behind.gseq += 1 << 30;
	EXPECT_FALSE(packet.takes(later));
	EXPECT_FALSE(packet.takes(earlier));
	EXPECT_FALSE(packet.takes(behind));
}

TEST_F(Packet, does_not_take_what_its_head_does_not_say)
{
	PacketHead cpu = next, ctx = next, weight = next, gap = next;

	cpu.cpu = 2;
	ctx.ctx_hi = 5;
	weight.weight = 10;
	gap.cseq++;
	for (const PacketHead &other : {cpu, ctx, weight, gap})
		EXPECT_FALSE(packet.takes(other));
}

TEST_F(Packet, goes_on_when_its_bytes_were_taken_until_it_is_closed)
{
	EXPECT_EQ(packet.take().size(), head_size + sizeof(grtrace_rec_job));
	packet.go_to(next);
	EXPECT_EQ(packet.bytes().size(), 0u);
	packet.close();
	packet.go_to(next);
	ASSERT_EQ(packet.bytes().size(), head_size);
	EXPECT_EQ(load64(packet.bytes().data() + offsetof(grtrace_rec_packet, cseq)), 31u);
}

TEST_F(Packet, what_is_lost_takes_numbers)
{
	packet.add_lost({5, 1000, 2000});
	EXPECT_FALSE(packet.takes(next));
	next.cseq += 5;
	EXPECT_TRUE(packet.takes(next));
	EXPECT_EQ(packet.head().lost, 7u);
}

TEST_F(Packet, every_record_is_filled_up_to_eight_bytes)
{
	for (size_t length = 0; length < 9; length++) {
		packet.clear();
		packet.add_metadata(std::string(length, 'x'));
		EXPECT_EQ(packet.bytes().size(), 8 + (length + 7) / 8 * 8);
		EXPECT_EQ(size_at(0), packet.bytes().size());
		for (size_t i = 8 + length; i < packet.bytes().size(); i++)
			EXPECT_EQ(packet.bytes()[i], 0u);
	}
}

TEST_F(Packet, a_long_name_keeps_its_nul)
{
	const std::string long_name(100, 'n');
	const uint8_t *record = packet.add_ring({3, 1, long_name, "driver", "name", 5, 500});

	record += offsetof(grtrace_rec_ring, device);
	EXPECT_EQ(record[GRTRACE_DEVICE_LEN - 2], 'n');
	EXPECT_EQ(record[GRTRACE_DEVICE_LEN - 1], 0u);
	record -= offsetof(grtrace_rec_ring, device);
	EXPECT_EQ(load32(record + offsetof(grtrace_rec_ring, flags)), 5u);
	EXPECT_EQ(load32(record + offsetof(grtrace_rec_ring, timeout_ms)), 500u);
}

TEST_F(Packet, a_weight_is_said_where_it_is_not_one)
{
	next.weight = 10;
	packet.clear();
	packet.go_to(next);
	EXPECT_EQ(load32(packet.bytes().data() + offsetof(grtrace_rec_packet, sample)), 10u);
}

TEST_F(Packet, a_stop_has_the_numbers_of_what_could_follow)
{
	using Stop = grtrace_rec_stop;

	constexpr size_t at = head_size + sizeof(grtrace_rec_job);

	next.ts += 100;
	next.gseq = 75;
	packet.add_stop(next);
	ASSERT_EQ(packet.bytes().size(), at + sizeof(Stop));
	const uint8_t *stop = packet.bytes().data() + at;
	EXPECT_EQ(type_at(at), GRTRACE_STOP);
	EXPECT_EQ(load64(stop + offsetof(Stop, ts)), first.ts + 100);
	EXPECT_EQ(load64(stop + offsetof(Stop, gseq)), 75u);
	EXPECT_EQ(load64(stop + offsetof(Stop, cseq)), 31u);
	EXPECT_EQ(load64(stop + offsetof(Stop, lost)), 2u);
	EXPECT_FALSE(packet.takes(next));
	// Another CPU's is in a packet of its own.
	next.cpu++;
	packet.add_stop(next);
	EXPECT_EQ(type_at(at + sizeof(Stop)), GRTRACE_PACKET);
	EXPECT_EQ(type_at(at + sizeof(Stop) + head_size), GRTRACE_STOP);
}

} // namespace grtrace
