// SPDX-License-Identifier: GPL-2.0
//
// FenceIndex: finds the job in flight that a fence belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "words/data/id_map.h"

namespace grtrace {

// The relation of a fence to its job.
enum class FenceRole : uint32_t { key, hardware, out };

// Finds by {ctx, seqno}. Several jobs may share a fence (the key of a job includes its
// ring), so the caller of a lookup can choose among the jobs.
//
// Each record is looked up, and the processor loses time where a branch differs from one
// lookup to the next. So a fence has one place, its home: homes of a context lie one after
// the other, four to a cache line. A fence whose home is taken is kept in a second hash
// with linear probing. There are few such fences, because the table grows when they become
// many; the second hash is not searched while it is empty.
class FenceIndex {
public:
	static constexpr uint32_t job_limit = 1u << 29;

	class alignas(16) Entry {
	public:
		Entry() = default;
		// job is less than job_limit.
		Entry(uint64_t of_ctx, uint32_t of_seqno, uint32_t job, FenceRole role)
			: ctx(of_ctx), seqno(of_seqno),
			  fact_(used_bit | static_cast<uint32_t>(role) << 29 | job % job_limit)
		{
		}

		uint32_t job() const { return fact_ % job_limit; }
		FenceRole role() const { return FenceRole(fact_ >> 29 & 3); }
		bool used() const { return fact_ & used_bit; }
		void clear() { fact_ = 0; }

		// Compares all fields at once, which takes one branch and not
		// three.
		bool is(uint64_t of_ctx, uint32_t of_seqno) const
		{
			return !((ctx ^ of_ctx) | (seqno ^ of_seqno) | (~fact_ & used_bit));
		}
		bool is(const Entry &other) const
		{
			return !((ctx ^ other.ctx) | (seqno ^ other.seqno) | (fact_ ^ other.fact_));
		}

		uint64_t ctx = 0;
		uint32_t seqno = 0;

	private:
		static constexpr uint32_t used_bit = 1u << 31;

		// One word and no bit-fields: a value that was stored in two pieces cannot
		// be loaded as one for some time.
		uint32_t fact_ = 0;
	};

	FenceIndex() : homes_(home_mask_ + 1), others_(64) {}

	// Returns the first entry, in order of insertion, for which takes(job) is true.
	template <typename Takes>
	[[gnu::always_inline]] const Entry *find(uint64_t ctx, uint32_t seqno, Takes takes) const
	{
		const Entry &first = homes_[home(ctx, seqno)];

		if (first.is(ctx, seqno) && takes(first.job()))
			return &first;
		if (!nr_others_)
			return nullptr;
		return find_other(ctx, seqno,
				  [&takes](const Entry &entry) { return takes(entry.job()); });
	}
	const Entry *find(uint64_t ctx, uint32_t seqno) const
	{
		return find(ctx, seqno, [](uint32_t) { return true; });
	}

	// The last in order of insertion.
	const Entry *find_newest(uint64_t ctx, uint32_t seqno) const
	{
		const Entry &first = homes_[home(ctx, seqno)];
		const Entry *newest = first.is(ctx, seqno) ? &first : nullptr;

		if (nr_others_)
			find_other(ctx, seqno, [&newest](const Entry &entry) {
				newest = &entry;
				return false;
			});
		return newest;
	}

	// Prefetches the home of a fence that will be looked up soon.
	void expect(uint64_t ctx, uint32_t seqno) const
	{
		__builtin_prefetch(&homes_[home(ctx, seqno)]);
	}
	// Returns the job at the fence's home: it may be another fence's job, or a job
	// that is gone.
	uint32_t guess(uint64_t ctx, uint32_t seqno) const
	{
		return homes_[home(ctx, seqno)].job();
	}

	void insert(uint64_t ctx, uint32_t seqno, uint32_t job, FenceRole role = FenceRole::key);
	// A job has at most one fence of each role.
	void erase(uint64_t ctx, uint32_t seqno, uint32_t job, FenceRole role = FenceRole::key);

private:
	// Up to this size (256 KiB) most homes may be free.
	static constexpr size_t roomy_max = 16384;

	size_t home(uint64_t ctx, uint32_t seqno) const
	{
		return (hash_id(ctx) + seqno) & home_mask_;
	}
	size_t mask() const { return others_.size() - 1; }
	size_t other_home(uint64_t ctx, uint32_t seqno) const
	{
		return hash_id(ctx * odd_ + seqno) & mask();
	}

	template <typename Takes>
	const Entry *find_other(uint64_t ctx, uint32_t seqno, Takes takes) const
	{
		for (size_t i = other_home(ctx, seqno);; i = (i + 1) & mask()) {
			const Entry &entry = others_[i];

			if (!entry.used())
				return nullptr;
			if (entry.is(ctx, seqno) && takes(entry))
				return &entry;
		}
	}
	bool is_crowded() const;
	// The entry is passed by value, so that it is written in one piece from registers.
	void place(Entry entry);
	void place_other(Entry entry);
	void erase_other(const Entry &entry);
	void grow();

	size_t home_mask_ = 1023; // one less than the number of homes
	// If any of several equal fences is at home, it is the first.
	std::vector<Entry> homes_;
	std::vector<Entry> others_;
	uint64_t odd_ = secret_odd();
	size_t size_ = 0; // entries in homes and others together
	size_t nr_others_ = 0;
};

} // namespace grtrace
