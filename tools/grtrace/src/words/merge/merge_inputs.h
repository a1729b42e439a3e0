// SPDX-License-Identifier: GPL-2.0
//
// MergeInputs: the inputs of a merge, each placed on the clock of the first.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lib/text/diagnostics.h"
#include "read/stream/session.h"
#include "words/merge/clock_facts.h"
#include "words/merge/machine.h"
#include "words/merge/merge_options.h"
#include "words/merge/merge_source.h"
#include "words/reading/read_progress.h"

namespace grtrace {

class MergeInputs {
public:
	// One input of the merge.
	struct Input {
		std::string path;
		std::string machine_given;
		std::unique_ptr<MergeSource> source;
		size_t machine = 0;
		ClockOffset offset;
		MergeRecord head;
		// The time in the result. A LOST comes after its CPU's last record even if
		// it begins much later, and must not delay the records after it.
		uint64_t head_ts = 0;
		bool have_head = false;
		bool ended = false;
		uint64_t records = 0;
		// By event, if they are asked for.
		std::map<std::string, uint64_t> counts;
	};

	// Both must outlive it.
	MergeInputs(const MergeOptions &options, Diagnostics &diagnostics)
		: options_(options), diagnostics_(diagnostics)
	{
	}

	// Opens all inputs and reads up to their first records; then their clocks are
	// known.
	Status open(ReadProgress &progress);

	// Returns the input whose next record comes first; if several are equal, the
	// input that was named first. Returns nullptr if there is none, or if a record
	// has no time in the result.
	Input *first();
	// Says why the record has no time.
	const Status &misplaced() const { return misplaced_; }

	std::vector<Input> &all() { return inputs_; }
	const Machine &machine_of(const Input &input) const { return machines_[input.machine]; }
	Machine &machine_of(const Input &input) { return machines_[input.machine]; }
	// Returns the tables of the result, which are the first input's.
	Session &tables() { return tables_; }

	// Adds the losses of the inputs to lost. Returns false if an input could not be
	// read to its end, or not at all; a sentence was printed.
	bool close(uint64_t &lost);
	// Counts the record that the input has read ahead.
	static void count(Input &input);
	// Prints a table on stderr, or with --stats-only on stdout, that shows how each input
	// was placed. With that option or --verbose it also has the number of events of each
	// type.
	void print(uint64_t records) const;

private:
	std::string path_of(const MergeInput &input) const;
	Status open_input(const MergeInput &given, ReadProgress &progress);
	Status find_machine(Input &input);
	Status find_offset(Input &input);
	bool offset_by_machine(Input &input);
	Status check_time(const Input &input, uint64_t ts) const;
	void make_tables();
	Next fill(Input &input);

	const MergeOptions &options_;
	Diagnostics &diagnostics_;
	std::vector<Input> inputs_;
	std::vector<Machine> machines_;
	Session tables_;
	Status misplaced_; // a record has no time in the result
};

} // namespace grtrace
