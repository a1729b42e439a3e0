// SPDX-License-Identifier: GPL-2.0
#include "words/tracefs/event_merge.h"

#include "format/byte_order.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace grtrace {

namespace {

using Bytes = std::vector<uint8_t>;

// A sub-buffer as the kernel hands it out: its time, its size and flags, then
// events of one word of data, each with the time since the one before.
class Subbuf {
public:
	static constexpr uint64_t missed = 1u << 31;
	static constexpr uint64_t stored = 1u << 30;

	explicit Subbuf(uint64_t ts) : bytes_(4096), ts_(ts)
	{
		memcpy(&bytes_[0], &ts, sizeof(ts));
	}

	Subbuf &event(uint64_t ts, uint32_t data)
	{
		// A type below 29 is the number of words.
		put(uint32_t(ts - ts_) << 5 | 1);
		put(data);
		ts_ = ts;
		return *this;
	}
	Bytes done(uint64_t flags = 0, uint64_t lost = 0)
	{
		const uint64_t commit = (used_ - 16) | flags;

		memcpy(&bytes_[8], &commit, sizeof(commit));
		memcpy(&bytes_[used_], &lost, sizeof(lost));
		return bytes_;
	}

private:
	void put(uint32_t word)
	{
		memcpy(&bytes_[used_], &word, sizeof(word));
		used_ += sizeof(word);
	}

	Bytes bytes_;
	size_t used_ = 16;
	uint64_t ts_;
};

uint32_t word(const RawEvent *event)
{
	return event ? load32(event->data.data()) : 0;
}

// A buffer whose kernel has no more to say: the end of a pipe.
std::unique_ptr<EventBuffer> buffer(uint32_t cpu)
{
	int fds[2];

	EXPECT_EQ(pipe2(fds, O_NONBLOCK), 0);
	static std::vector<Fd> writers;
	writers.emplace_back(fds[1]);
	return std::make_unique<EventBuffer>(cpu, Fd(fds[0]), 4096);
}

} // namespace

TEST(EventBuffer, EventsOfSubBuffers)
{
	auto events = buffer(3);

	EXPECT_EQ(events->front(), nullptr);
	events->push(Subbuf(1000).event(1000, 11).event(1500, 12).done());
	events->push(Subbuf(2000).done()); // empty
	events->push(Subbuf(3000).event(3100, 13).done());
	const uint64_t times[] = {1000, 1500, 3100};
	for (uint32_t i = 0; i < 3; i++) {
		ASSERT_EQ(word(events->front()), 11 + i);
		EXPECT_EQ(events->front()->ts, times[i]);
		EXPECT_EQ(events->front()->cpu, 3u);
		EXPECT_EQ(events->lost_before(), 0);
		events->pop();
	}
	EXPECT_EQ(events->front(), nullptr);
	EXPECT_EQ(events->last_ts(), 3100u);
}

TEST(EventBuffer, WhatWasLostIsToldWithTheNextEvent)
{
	auto events = buffer(0);

	events->push(Subbuf(1000).event(1000, 1).done());
	events->push(Subbuf(2000).event(2000, 2).event(2100, 3).done(
		Subbuf::missed | Subbuf::stored, 77));
	events->push(Subbuf(3000).event(3000, 4).done(Subbuf::missed));
	const int64_t lost[] = {0, 77, 0, EventBuffer::lost_unknown};
	for (uint32_t i = 0; i < 4; i++) {
		ASSERT_EQ(word(events->front()), i + 1);
		EXPECT_EQ(events->lost_before(), lost[i]);
		events->pop();
	}
}

TEST(EventBuffer, IsCompleteAsFarAsItWasRead)
{
	auto events = buffer(0);

	ASSERT_TRUE(events->fill(50'000'000).ok());
	EXPECT_TRUE(events->is_drained());
	// An event that is being written may be a little older.
	EXPECT_EQ(events->complete_until(), 48'000'000u);
	ASSERT_TRUE(events->fill(1).ok());
	EXPECT_EQ(events->complete_until(), 48'000'000u);
}

TEST(EventMerge, WaitsForWhatMayBeOlder)
{
	std::vector<std::unique_ptr<EventBuffer>> buffers;

	buffers.push_back(buffer(0));
	buffers.push_back(buffer(1));
	EventMerge merge(buffers);
	EXPECT_EQ(merge.next(), nullptr);
	buffers[0]->push(Subbuf(1000).event(5'000'000, 1).event(60'000'000, 3).done());
	EXPECT_EQ(merge.next(), nullptr);
	ASSERT_TRUE(buffers[1]->fill(30'000'000).ok());
	ASSERT_EQ(merge.next(), buffers[0].get());
	buffers[0]->pop();
	EXPECT_EQ(merge.next(), nullptr);
	buffers[1]->push(Subbuf(1000).event(40'000'000, 2).done());
	ASSERT_EQ(merge.next(), buffers[1].get());
	buffers[1]->pop();
	EXPECT_EQ(merge.next(), nullptr);
	merge.finish();
	ASSERT_EQ(merge.next(), buffers[0].get());
	buffers[0]->pop();
	EXPECT_EQ(merge.next(), nullptr);
}

// Else a recorder with a full buffer waits until the clock is where it was.
TEST(EventMerge, EventsOfAClockThatWasSetBackAreDueWhenNothingElseMoves)
{
	constexpr uint64_t hour = 3'600'000'000'000;
	std::vector<std::unique_ptr<EventBuffer>> buffers;

	buffers.push_back(buffer(0));
	buffers.push_back(buffer(1));
	EventMerge merge(buffers);
	ASSERT_TRUE(buffers[1]->fill(30'000'000).ok());
	buffers[0]->push(Subbuf(hour).event(hour, 1).event(hour + 1, 2).done());
	for (unsigned int round = 0; round < EventMerge::stalled_most; round++) {
		ASSERT_EQ(merge.next(), nullptr) << round;
		EXPECT_TRUE(merge.end_round(false));
	}
	for (uint32_t i = 1; i <= 2; i++) {
		ASSERT_EQ(merge.next(), buffers[0].get());
		EXPECT_EQ(word(buffers[0]->front()), i);
		buffers[0]->pop();
	}
	// From then on as before.
	EXPECT_FALSE(merge.end_round(true));
	buffers[0]->push(Subbuf(hour).event(hour + 2, 3).done());
	EXPECT_EQ(merge.next(), nullptr);
}

TEST(EventMerge, ManyEventsOfManyCpusAreInOrder)
{
	std::vector<std::unique_ptr<EventBuffer>> buffers;
	constexpr uint32_t cpus = 5, each = 100;

	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		Subbuf subbuf(0);

		// Runs of some length on one CPU, with others between.
		for (uint32_t i = 0; i < each; i++)
			subbuf.event((i / 7 * cpus + cpu) * 100 + i % 7, i);
		buffers.push_back(buffer(cpu));
		buffers.back()->push(subbuf.done());
	}
	EventMerge merge(buffers);
	merge.finish();
	uint64_t last = 0, count = 0;
	while (EventBuffer *next = merge.next()) {
		EXPECT_GE(next->front()->ts, last);
		last = next->front()->ts;
		next->pop();
		count++;
	}
	EXPECT_EQ(count, cpus * each);
}

} // namespace grtrace
