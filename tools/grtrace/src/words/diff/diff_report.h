// SPDX-License-Identifier: GPL-2.0
//
// DiffReport: prints two captures side by side, and the result of --fail-if.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "words/diff/diff_figures.h"
#include "words/diff/diff_options.h"
#include "words/diff/diff_side.h"

namespace grtrace {

// Compares the rings that both captures have, stage by stage, and prints immediately.
// Memory is needed for the bootstrap of one stage.
class DiffReport {
public:
	// All arguments must outlive it.
	DiffReport(const DiffOptions &options, const DiffSide &base, const DiffSide &fresh);

	void print(fmt::memory_buffer &out);

	// Returns sentences about the conditions of --fail-if.
	const std::vector<std::string> &notes() const { return notes_; }
	bool fails() const { return fails_; }
	// Returns whether the result of some condition is unknown.
	bool is_open() const { return open_; }
	// Returns whether there was nothing to compare.
	bool is_void() const { return void_; }

private:
	// A line of the table: one figure of both captures.
	struct Row {
		const std::string &ring;
		Stages::Stage stage;
		DiffStat stat;
		const DiffFigures &figures;
		bool base_touched;
		bool fresh_touched;
	};
	// The result of a condition on a ring.
	struct Judgement {
		const FailCondition &condition;
		const std::string *ring; // nullptr: the condition matched no ring
		FailCondition::Verdict verdict;
		std::string why; // why the result is not known
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
	std::vector<bool> judged_; // by condition: it was judged on some ring
	std::vector<std::string> notes_;
	bool fails_ = false;
	bool open_ = false;
	bool void_ = false;
};

} // namespace grtrace
