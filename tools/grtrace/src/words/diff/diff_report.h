// SPDX-License-Identifier: GPL-2.0
//
// DiffReport: two captures side by side, and the result of --fail-if.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "words/diff/diff_figures.h"
#include "words/diff/diff_options.h"
#include "words/diff/diff_side.h"

namespace grtrace {

// Goes through the rings that both have, stage by stage, and prints as it goes.
// Memory is that of the bootstrap of one stage.
class DiffReport {
public:
	// All of them must outlive it.
	DiffReport(const DiffOptions &options, const DiffSide &base, const DiffSide &fresh);

	void print(fmt::memory_buffer &out);

	// Sentences about the conditions, of what --fail-if was given.
	const std::vector<std::string> &notes() const { return notes_; }
	bool fails() const { return fails_; }
	// A condition is neither known to hold nor known not to.
	bool is_open() const { return open_; }
	// There was nothing to compare.
	bool is_void() const { return void_; }

private:
	// A line of the table: one figure of both.
	struct Row {
		const std::string &ring;
		Stages::Stage stage;
		DiffStat stat;
		const DiffFigures &figures;
		bool base_touched;
		bool fresh_touched;
	};
	// A condition, on a ring.
	struct Judgement {
		const FailCondition &condition;
		const std::string *ring; // nullptr: there is none
		FailCondition::Verdict verdict;
		std::string why; // it is not known
	};

	void print_ring(fmt::memory_buffer &out, const std::string &name, const DiffRing &base,
			const DiffRing &fresh);
	void print_stage(fmt::memory_buffer &out, const std::string &name, Stages::Stage stage,
			 const DiffRing &base, const DiffRing &fresh);
	void print_row(fmt::memory_buffer &out, const Row &row) const;
	void print_text(fmt::memory_buffer &out, const Row &row) const;
	void print_csv(fmt::memory_buffer &out, const Row &row) const;
	void print_json(fmt::memory_buffer &out, const Row &row) const;
	void print_unmatched(fmt::memory_buffer &out) const;
	void print_end(fmt::memory_buffer &out) const;
	void judge_gone(fmt::memory_buffer &out, const std::string &name, const DiffRing &base);
	void note_unmatched();
	void judge(fmt::memory_buffer &out, const std::string &name, Stages::Stage stage,
		   const DiffFigures &figures);
	void take(fmt::memory_buffer &out, const Judgement &judgement);
	void find_void(fmt::memory_buffer &out);

	const DiffOptions &options_;
	const DiffSide &base_;
	const DiffSide &fresh_;
	std::vector<bool> judged_; // by condition: on some ring
	std::vector<std::string> notes_;
	bool fails_ = false;
	bool open_ = false;
	bool void_ = false;
};

} // namespace grtrace
