// SPDX-License-Identifier: GPL-2.0
//
// TimelineGantt: draws the processes on each ring, the depth of its queue, and the ioctls
// of each thread, over time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "read/capture/capture.h"
#include "read/stream/ring_map.h"
#include "words/calls/call_kinds.h"
#include "words/data/id_map.h"
#include "words/data/spans.h"
#include "words/terminal/paint.h"
#include "words/terminal/terminal.h"
#include "words/timeline/timeline_axis.h"
#include "words/timeline/timeline_grid.h"
#include "words/timeline/timeline_threads.h"
#include "words/timeline/timeline_view.h"

namespace grtrace {

// A job is on its ring from START, recorded or inferred, to END, or to COMPLETE if no END
// is recorded. Each ring and process has a row of sums, of some 26 KiB for a terminal of
// 100 columns; all rows together take at most memory_max. Later processes are drawn as one,
// '*', and later rings are left out with a message.
class TimelineGantt : public TimelineView {
public:
	static constexpr size_t memory_max = 64 << 20;
	// At most this many processes of a ring are drawn at the same time.
	static constexpr size_t lanes_max = 3;
	// Width of the text to the left of each row.
	static constexpr size_t margin = 7;

	// All arguments must outlive the view.
	TimelineGantt(const Terminal &terminal, TimelineChoice &choice, uint32_t index,
		      Capture &capture, const CallKinds &kinds);

	void event(const Event &event) override;
	void end(uint64_t ts) override;
	void executed(const Job &job) override;
	void job(const Job &job) override;
	void lost(uint64_t from, uint64_t to) override;
	void called(const Call &call, std::span<const JobKey> jobs) override;
	void wait_over(const Wait &wait) override;
	void print(fmt::memory_buffer &out) override;

private:
	static constexpr uint32_t others = UINT32_MAX;

	// Jobs that were on a ring, and whether the beginning of any of them is
	// known.
	struct Stays {
		bool known = false;
		bool not_known = false;

		void note(const Job &job);
		bool all_unknown() const { return not_known && !known; }
	};
	struct Process {
		uint32_t tgid = 0;
		std::string comm;
		uint64_t jobs = 0;
		Stays stays;
		uint64_t on_ring = 0; // ns
		char letter = '*';
		size_t rank = SIZE_MAX;
	};
	// A process on a ring.
	struct Lane {
		uint32_t process;
		uint64_t on_ring = 0; // ns
		TimelineSums sums;
	};
	struct Track {
		uint32_t ring;
		uint64_t jobs = 0;
		uint64_t failed = 0;
		uint64_t started = 0; // jobs with a START
		uint64_t inferred = 0; // how many of these STARTs were inferred
		Stays stays;
		std::vector<Lane> lanes;
		TimelineSums depth;
		TimelineSums errors; // 1 ns for each error
	};
	// The part of a column that belongs to a row.
	struct Part {
		uint64_t ns;
		const Process *process;
	};
	// The errors or notes of one moment, collected until its nanosecond is
	// over.
	struct Mark {
		TimelineSums *sums;
		uint64_t ts;
	};
	// The columns of a track that are drawn.
	struct Columns {
		std::vector<std::vector<Part>> parts;
		std::vector<uint64_t> depth;
		std::vector<uint64_t> errors;
	};

	bool has_room() const;
	Track *track_of(uint32_t ring);
	uint32_t process_of(const Job &job);
	Lane &lane_of(Track &track, uint32_t process);
	Process &process_at(uint32_t index);
	uint64_t on_ring_until(const Job &job) const;
	void add_depth(Track &track, const Job &job);
	void note_error(const Event &event);
	void note_message(const Event &event);
	void mark(TimelineSums &sums, uint64_t ts);
	void settle_marks();

	void name_letters();
	std::vector<Track *> tracks_by_name();
	Columns columns_of(Track &track);
	void print_head();
	void print_track(Track &track);
	void print_title(Track &track, double most);
	void print_shares(Track &track, size_t room);
	void print_lane(const Columns &columns, size_t lane);
	void print_depth(const Columns &columns, double most);
	void print_errors(const std::vector<uint64_t> &errors);
	void print_losses();
	bool print_notes(const char *name, TimelineSums &notes);
	void print_process(const std::string &comm, const std::string &pid, const std::string &jobs,
			   const std::string &on_rings);
	void print_legend();
	void print_key();
	bool is_lost(size_t column) const;
	bool is_minor(uint64_t ns, size_t column) const;
	double average_depth(const Columns &columns, size_t column) const;

	const Terminal &terminal_;
	TimelineChoice &choice_;
	uint32_t index_; // number of the capture
	Capture &capture_;
	TimelineGrid grid_;
	bool begun_ = false;
	bool ended_ = false;
	RingMap<std::unique_ptr<Track>> tracks_;
	bool has_track_ = false;
	size_t rows_ = 0; // number of all rows
	uint64_t jobs_left_out_ = 0; // on rings for which there was no room
	bool has_crowd_ = false; // more processes at a time than lanes_max
	std::vector<Process> processes_;
	Process others_;
	IdMap<uint32_t> index_of_; // into processes_, by tgid
	LossSpans losses_;
	TimelineSums device_errors_; // errors without a ring
	uint64_t nr_device_errors_ = 0;
	TimelineSums vblanks_; // MESSAGEs
	TimelineSums notes_; // all other MESSAGEs
	bool drew_loss_ = false; // at least one was drawn
	bool drew_error_ = false;
	bool drew_vblank_ = false;
	bool drew_note_ = false;
	TimelineThreads threads_;
	std::vector<Mark> marks_; // within the latest nanosecond
	Paint *paint_ = nullptr; // set while it prints
};

} // namespace grtrace
