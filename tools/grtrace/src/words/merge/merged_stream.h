// SPDX-License-Identifier: GPL-2.0
//
// MergedStream: joins the records of many inputs into one stream.
#pragma once

#include <unordered_set>
#include <vector>

#include "lib/files/output_file.h"
#include "words/merge/machine.h"
#include "words/merge/merge_source.h"
#include "words/packets/stream_writer.h"

namespace grtrace {

// Gives each record its place in the new order, and changes its ids to the ids of the
// result. Memory grows with rings, tasks and CPUs.
class MergedStream {
public:
	// Both must outlive it; tables: all tables except the rings.
	MergedStream(const Session &tables, OutputFile &out)
		: tables_(tables), out_(out), writer_(tables_)
	{
		newest_.ts = tables.start_ts;
	}

	// The record's times are already those of the result. source: the number of its
	// input, which may be the text of another program. Returns false if the CPU cannot
	// exist.
	bool write(MergeRecord &record, size_t source, const Machine &machine,
		   const Session &session, bool from_text);

	// To be called when all records of all inputs are written: adds the rings of this
	// input that no record has.
	void finish(size_t source, const Machine &machine, const Session &session);
	// To be called after that for the last one: ends the stream.
	void stop();

	uint64_t records() const { return records_; }

private:
	void place_ring(MergeRecord &record, size_t source, const Machine &machine,
			const Session &session);
	uint32_t ring_of(const Event &event, uint32_t id, size_t source, const Machine &machine,
			 const Session &session);
	void describe(const Event &event, const Ring &ring, uint32_t id, const Machine &machine);
	bool is_new_task(const MergeRecord &record, bool from_text);
	void put(Event &event, uint8_t *raw);
	uint64_t &cseq(uint32_t cpu);

	const Session &tables_;
	OutputFile &out_;
	BinaryWriter writer_;
	MergedRings rings_;
	std::vector<uint64_t> cseqs_; // by CPU
	Event newest_ = {}; // newest of all written records, or the start
	std::unordered_set<uint32_t> named_; // pids
	uint64_t gseq_ = 0;
	uint64_t records_ = 0;
};

} // namespace grtrace
