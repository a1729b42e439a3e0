// SPDX-License-Identifier: GPL-2.0
//
// FailCondition: a condition of `grtrace diff --fail-if`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lib/text/status.h"
#include "words/diff/diff_figures.h"
#include "words/jobs/stages.h"

namespace grtrace {

// STAT:STAGE OP [+-]NUMBER[UNIT]. With a sign, the number says by how much the figure of
// the new capture is greater (+) or less (-), in % or in ns, us, ms or s. Without a sign
// the condition concerns only the new capture. A number of jobs has no unit.
class FailCondition {
public:
	enum class Verdict {
		holds,
		does_not_hold,
		not_known, // too few jobs, or the base is 0
	};

	// Returns a word for other programs.
	static const char *name(Verdict verdict);

	Status parse(std::string_view text);

	Stages::Stage stage() const { return stage_; }
	DiffStat stat() const { return stat_; }
	// Returns the condition as the user wrote it.
	const std::string &text() const { return text_; }

	// by_interval: the condition has to hold for the whole 95 % interval, if the figure
	// has one, and not only for the observed value. why: set to a sentence for the user
	// if the result is not_known.
	Verdict judge(const DiffFigures &figures, bool by_interval, std::string &why) const;

private:
	enum class Op { greater, greater_equal, less, less_equal };
	enum class Kind { percent, more, absolute };

	Status wrong(size_t at, std::string_view what) const;
	Status parse_stat(size_t &at);
	Status parse_stage(size_t &at);
	Status parse_op(size_t &at);
	Status parse_limit(size_t &at);
	Status parse_unit(size_t &at, bool has_sign);
	double value(const DiffFigures &figures) const;
	Interval interval(const DiffFigures &figures) const;
	bool compare(double value) const;
	std::string no_interval(const DiffFigures &figures) const;

	std::string text_;
	DiffStat stat_ = DiffStat::n;
	Stages::Stage stage_ = Stages::q2c;
	Op op_ = Op::greater;
	Kind kind_ = Kind::absolute;
	double limit_ = 0; // percent, ns or jobs
};

} // namespace grtrace
