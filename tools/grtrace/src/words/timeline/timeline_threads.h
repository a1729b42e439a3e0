// SPDX-License-Identifier: GPL-2.0
//
// TimelineThreads: draws the ioctls of each thread, and its waits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "read/stream/session.h"
#include "words/calls/call_kinds.h"
#include "words/calls/call_watcher.h"
#include "words/data/id_map.h"
#include "words/data/spans.h"
#include "words/terminal/paint.h"
#include "words/terminal/terminal.h"
#include "words/timeline/timeline_grid.h"

namespace grtrace {

// Draws rows below the rings, on the same grid: the ioctls of a thread, with a digit for
// each kind, and its waits. Each thread and kind has a row of sums; all rows together take
// at most memory_max. Later kinds are drawn as "*", and later threads are left out with a
// message.
class TimelineThreads {
public:
	static constexpr size_t memory_max = 32 << 20;
	// At most this many threads are drawn: the threads that were in the kernel for
	// longest.
	static constexpr size_t threads_max = 16;
	static constexpr size_t kinds_max = 9; // kinds that have a digit

	// All arguments must outlive it; the grid must have reached every time that is
	// passed.
	TimelineThreads(const Terminal &terminal, const TimelineGrid &grid, const LossSpans &losses,
			Session &session, const CallKinds &kinds)
		: terminal_(terminal), grid_(grid), losses_(losses), session_(session),
		  kinds_(kinds)
	{
	}

	void called(const Call &call);
	void wait_over(const Wait &wait);

	bool empty() const { return threads_.empty(); }
	void print(Paint &paint);
	bool drew_failure() const { return drew_failure_; }
	void print_legend(Paint &paint) const;
	// Returns the meaning of its signs.
	std::vector<std::string> key() const;

private:
	static constexpr uint32_t others = UINT32_MAX;

	// A kind of ioctl in a thread.
	struct Lane {
		uint32_t kind;
		TimelineSums sums;
	};
	struct Thread {
		uint32_t pid = 0;
		uint32_t tgid = 0;
		std::string comm;
		uint64_t ioctls = 0;
		uint64_t failed = 0;
		uint64_t waits = 0;
		uint64_t in_ioctls = 0; // ns of the drawn ioctls
		uint64_t in_waits = 0;
		std::vector<Lane> lanes;
		TimelineSums waited;
		TimelineSums failures; // 1 ns for each failure
	};
	// All calls of one kind, from all threads.
	struct Kind {
		uint64_t calls = 0;
		uint64_t failed = 0;
		uint64_t ns = 0;
		char sign = '*';
		size_t rank = SIZE_MAX;
	};
	// The figures of a column.
	struct Part {
		uint64_t ns = 0;
		uint32_t kind = others;
	};

	bool has_room() const;
	Thread *thread_of(uint32_t pid);
	TimelineSums &sums_of(Thread &thread, uint32_t kind);
	uint64_t add(TimelineSums &sums, uint64_t from, uint64_t to) const;
	std::vector<Thread *> by_time() const;
	std::vector<uint32_t> name_signs();
	bool is_minor(uint64_t ns, size_t column) const;
	bool is_lost(size_t column) const;
	void print_title(Paint &paint, const Thread &thread) const;
	void print_thread(Paint &paint, Thread &thread) const;
	void print_ioctls(Paint &paint, Thread &thread) const;
	void print_waits(Paint &paint, Thread &thread) const;
	void print_failures(Paint &paint, Thread &thread) const;

	const Terminal &terminal_;
	const TimelineGrid &grid_;
	const LossSpans &losses_;
	Session &session_;
	const CallKinds &kinds_;
	std::vector<std::unique_ptr<Thread>> threads_;
	IdMap<uint32_t> index_of_; // into threads_, by pid
	size_t rows_ = 0; // number of all rows
	std::vector<Kind> all_; // by kind
	std::vector<uint32_t> order_; // of the kinds that have a digit
	uint64_t left_out_ = 0; // calls and waits of threads for which there was no room
	bool has_others_ = false;
	bool drew_wait_ = false;
	bool drew_failure_ = false;
};

} // namespace grtrace
