// SPDX-License-Identifier: GPL-2.0
#include "words/diff/fail_condition.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace grtrace {

static void skip_blanks(const std::string &text, size_t &at)
{
	while (at < text.size() && text[at] == ' ')
		at++;
}

// Returns the text up to one of the ends, without blanks after it.
static std::string_view word_at(const std::string &text, size_t &at, const char *ends)
{
	skip_blanks(text, at);
	const size_t begin = at;

	at = std::min(text.find_first_of(ends, begin), text.size());
	std::string_view word(text.data() + begin, at - begin);
	while (!word.empty() && word.back() == ' ')
		word.remove_suffix(1);
	return word;
}

Status FailCondition::wrong(size_t at, std::string_view what) const
{
	return Status::error("--fail-if \"{}\": at character {}: {}", text_, at + 1, what);
}

Status FailCondition::parse_stat(size_t &at)
{
	skip_blanks(text_, at);
	const size_t begin = at;
	const std::string_view word = word_at(text_, at, ":");

	if (!diff_stat_by_name(word, stat_))
		return wrong(
			begin,
			fmt::format("\"{}\" is not one of n, mean, min, max, p50, p90, p99, p99.9",
				    word));
	if (at == text_.size())
		return wrong(at, "a colon and a stage are missing");
	at++;
	return {};
}

Status FailCondition::parse_stage(size_t &at)
{
	skip_blanks(text_, at);
	const size_t begin = at;
	const std::string_view word = word_at(text_, at, "<>=");

	std::string names;

	for (size_t i = 0; i < Stages::nr_stages; i++) {
		const char *name = Stages::name(Stages::Stage(i));

		names += fmt::format("{}{}", i ? ", " : "", name);
		if (word != name)
			continue;
		stage_ = Stages::Stage(i);
		return {};
	}
	return wrong(begin, fmt::format("\"{}\" is not one of the stages {}", word, names));
}

Status FailCondition::parse_op(size_t &at)
{
	if (at == text_.size() || text_[at] == '=')
		return wrong(at, "one of > >= < <= is missing (quote the condition, or the shell "
				 "takes > and < for itself)");

	const bool greater = text_[at++] == '>';
	const bool equal = at < text_.size() && text_[at] == '=';

	at += equal;
	op_ = greater ? equal ? Op::greater_equal : Op::greater : equal ? Op::less_equal : Op::less;
	return {};
}

Status FailCondition::parse_unit(size_t &at, bool has_sign)
{
	static constexpr struct {
		const char *name;
		double ns;
	} units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

	skip_blanks(text_, at);
	const size_t begin = at;
	const std::string_view word = word_at(text_, at, "");

	if (word == "%" && !has_sign)
		return wrong(begin,
			     "percent of what? Say +5% for 5 % more than the base, -5% for less");
	kind_ = has_sign ? Kind::more : Kind::absolute;
	if (word == "%") {
		kind_ = Kind::percent;
		return {};
	}
	if (stat_ == DiffStat::n)
		return word.empty() ? Status() : wrong(begin, "a number of jobs has no unit but %");
	for (const auto &unit : units) {
		if (word != unit.name)
			continue;
		limit_ *= unit.ns;
		return {};
	}
	return wrong(begin,
		     word.empty() ?
			     "a unit is missing: %, ns, us, ms or s" :
			     fmt::format("\"{}\" is not one of the units %, ns, us, ms, s", word));
}

Status FailCondition::parse_limit(size_t &at)
{
	skip_blanks(text_, at);
	const bool has_sign = at < text_.size() && (text_[at] == '+' || text_[at] == '-');
	const bool negative = has_sign && text_[at] == '-';

	at += has_sign;
	const char *end = text_.data() + text_.size();
	// from_chars() must not accept a second sign, "inf" or "nan".
	const bool digit =
		at < text_.size() && (text_[at] == '.' || (text_[at] >= '0' && text_[at] <= '9'));
	const std::from_chars_result got =
		std::from_chars(text_.data() + at, end, limit_, std::chars_format::fixed);

	if (!digit || got.ec != std::errc())
		return wrong(at, "a number is missing");
	at = static_cast<size_t>(got.ptr - text_.data());
	if (negative)
		limit_ = -limit_;
	return parse_unit(at, has_sign);
}

Status FailCondition::parse(std::string_view text)
{
	size_t at = 0;

	text_ = text;
	Status status = parse_stat(at);
	if (status.ok())
		status = parse_stage(at);
	if (status.ok())
		status = parse_op(at);
	if (status.ok())
		status = parse_limit(at);
	return status;
}

double FailCondition::value(const DiffFigures &figures) const
{
	switch (kind_) {
	case Kind::percent:
		return figures.percent(stat_);
	case Kind::more:
		return figures.more(stat_);
	case Kind::absolute:
		break;
	}
	return figures.fresh().figure(stat_);
}

Interval FailCondition::interval(const DiffFigures &figures) const
{
	switch (kind_) {
	case Kind::percent:
		return figures.percent_interval(stat_);
	case Kind::more:
		return figures.more_interval(stat_);
	case Kind::absolute:
		break;
	}
	return figures.fresh_interval(stat_);
}

bool FailCondition::compare(double value) const
{
	switch (op_) {
	case Op::greater:
		return value > limit_;
	case Op::greater_equal:
		return value >= limit_;
	case Op::less:
		return value < limit_;
	case Op::less_equal:
		break;
	}
	return value <= limit_;
}

// Returns why a figure has no interval.
std::string FailCondition::no_interval(const DiffFigures &figures) const
{
	const uint64_t least = least_values(stat_);
	const uint64_t fewest = kind_ == Kind::absolute ?
					figures.fresh_values() :
					std::min(figures.base_values(), figures.fresh_values());

	if (fewest >= least)
		return "the base is 0 in some draws, so there is no percentage of it";
	if (kind_ == Kind::absolute)
		return fmt::format(
			"{} can be judged from {} recorded jobs on, and the new capture has {}",
			diff_stat_name(stat_), least, figures.fresh_values());
	return fmt::format("{} can be judged from {} recorded jobs on in each capture, and the "
			   "base has {}, the new one {}",
			   diff_stat_name(stat_), least, figures.base_values(),
			   figures.fresh_values());
}

FailCondition::Verdict FailCondition::judge(const DiffFigures &figures, bool by_interval,
					    std::string &why) const
{
	double nearest = value(figures);

	if (std::isnan(nearest)) {
		why = "the base is 0";
		return Verdict::not_known;
	}
	if (by_interval && has_interval(stat_)) {
		const Interval known = interval(figures);

		if (!known.known) {
			why = no_interval(figures);
			return Verdict::not_known;
		}
		// The end of the interval that is least favourable for the condition.
		nearest = op_ == Op::greater || op_ == Op::greater_equal ? known.low : known.high;
	}
	return compare(nearest) ? Verdict::holds : Verdict::does_not_hold;
}

const char *FailCondition::name(Verdict verdict)
{
	switch (verdict) {
	case Verdict::holds:
		return "holds";
	case Verdict::does_not_hold:
		return "does_not_hold";
	case Verdict::not_known:
		break;
	}
	return "not_known";
}

} // namespace grtrace
