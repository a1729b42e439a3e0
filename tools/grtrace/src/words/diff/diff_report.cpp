// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_report.h"

#include <cmath>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/columns/csv_line.h"
#include "words/columns/json_line.h"

namespace grtrace {

namespace {

constexpr DiffStat shown[] = {DiffStat::n,   DiffStat::mean, DiffStat::p50,
			      DiffStat::p90, DiffStat::p99,  DiffStat::p99_9};

// FNV-1a, so that the draws for a ring do not depend on the other rings.
uint64_t seed_of(uint64_t seed, const std::string &ring, size_t stage)
{
	uint64_t hash = 0xcbf29ce484222325ull;

	for (char c : ring)
		hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3ull;
	return (hash ^ stage) * 0x100000001b3ull + seed;
}

// A figure near 2^64 may have been rounded to it, and Job::none is not a figure.
uint64_t whole(double figure)
{
	const double rounded = std::round(figure);

	return rounded < 0x1p64 ? static_cast<uint64_t>(rounded) : Job::none - 1;
}

// Formats a figure of a row: a duration or, for n, a number.
std::string figure_text(DiffStat stat, double value)
{
	if (stat == DiffStat::n)
		return fmt::format("{:>11.0f}", value);
	return duration_text(whole(value));
}

std::string percent_text(double percent)
{
	if (std::isnan(percent))
		return "NA";

	const std::string text = fmt::format("{:+.1f}", percent);
	return text == "-0.0" ? "+0.0" : text;
}

} // namespace

DiffReport::DiffReport(const DiffOptions &options, const DiffSide &base, const DiffSide &fresh)
	: options_(options), base_(base), fresh_(fresh), judged_(options.conditions.size())
{
}

void DiffReport::print_text(fmt::memory_buffer &out, const Row &row) const
{
	const Interval interval = row.figures.percent_interval(row.stat);
	const bool is_first = row.stat == shown[0];
	std::string range = has_interval(row.stat) ? "NA" : "";

	if (interval.known)
		range = fmt::format("{} to {}", percent_text(interval.low),
				    percent_text(interval.high));
	print_to(out, "{:<6}{:<6}{}{:<2} {}{:<2} {:>9}  {:<18}{}\n",
		 is_first ? Stages::name(row.stage) : "", diff_stat_name(row.stat),
		 figure_text(row.stat, row.figures.base().figure(row.stat)),
		 row.base_touched ? " *" : "",
		 figure_text(row.stat, row.figures.fresh().figure(row.stat)),
		 row.fresh_touched ? " *" : "", percent_text(row.figures.percent(row.stat)), range,
		 row.figures.differs(row.stat) ? " !" : "");
	// Removes blanks at the end of a line.
	size_t size = out.size() - 1;
	while (out[size - 1] == ' ')
		size--;
	out.resize(size);
	out.push_back('\n');
}

void DiffReport::print_csv(fmt::memory_buffer &out, const Row &row) const
{
	const Interval interval = row.figures.percent_interval(row.stat);
	CsvLine line(out);
	auto percent = [&](bool known, double value) {
		if (known)
			line.text(fmt::format("{:.3f}", value));
		else
			line.na();
	};

	line.text(row.ring);
	line.text(Stages::name(row.stage));
	line.text(diff_stat_name(row.stat));
	line.number(whole(row.figures.base().figure(row.stat)));
	line.number(whole(row.figures.fresh().figure(row.stat)));
	percent(!std::isnan(row.figures.percent(row.stat)), row.figures.percent(row.stat));
	percent(interval.known, interval.low);
	percent(interval.known, interval.high);
	line.number(int(row.figures.differs(row.stat)));
	line.number(int(row.base_touched));
	line.number(int(row.fresh_touched));
	for (int column = 0; column < 3; column++)
		line.na();
	line.end();
}

void DiffReport::print_json(fmt::memory_buffer &out, const Row &row) const
{
	const Interval interval = row.figures.percent_interval(row.stat);
	JsonLine line(out);
	auto percent = [&](const char *key, bool known, double value) {
		if (known)
			line.decimal(key, value);
		else
			line.null(key);
	};

	line.text("row", "figure");
	line.text("ring", row.ring);
	line.text("stage", Stages::name(row.stage));
	line.text("stat", diff_stat_name(row.stat));
	line.number("base", whole(row.figures.base().figure(row.stat)));
	line.number("new", whole(row.figures.fresh().figure(row.stat)));
	percent("diff_percent", !std::isnan(row.figures.percent(row.stat)),
		row.figures.percent(row.stat));
	percent("low_percent", interval.known, interval.low);
	percent("high_percent", interval.known, interval.high);
	line.number("differs", int(row.figures.differs(row.stat)));
	line.number("base_lossy", int(row.base_touched));
	line.number("new_lossy", int(row.fresh_touched));
	line.end();
}

void DiffReport::print_row(fmt::memory_buffer &out, const Row &row) const
{
	switch (options_.form) {
	case DiffOptions::Form::table:
		return print_text(out, row);
	case DiffOptions::Form::csv:
		return print_csv(out, row);
	case DiffOptions::Form::json:
		return print_json(out, row);
	}
}

namespace {

// Prints a line with the same columns as the figures, but without figures.
void print_verdict_csv(fmt::memory_buffer &out, const std::string *ring,
		       const FailCondition &condition, const char *verdict, const std::string &why)
{
	CsvLine line(out);

	if (ring)
		line.text(*ring);
	else
		line.na();
	line.text(Stages::name(condition.stage()));
	line.text(diff_stat_name(condition.stat()));
	for (int column = 0; column < 8; column++)
		line.na();
	line.text(condition.text());
	line.text(verdict);
	if (why.empty())
		line.na();
	else
		line.text(why);
	line.end();
}

void print_verdict_json(fmt::memory_buffer &out, const std::string *ring,
			const FailCondition &condition, const char *verdict, const std::string &why)
{
	JsonLine line(out);

	line.text("row", "verdict");
	if (ring)
		line.text("ring", *ring);
	else
		line.null("ring");
	line.text("stage", Stages::name(condition.stage()));
	line.text("stat", diff_stat_name(condition.stat()));
	line.text("condition", condition.text());
	line.text("verdict", verdict);
	if (why.empty())
		line.null("why");
	else
		line.text("why", why);
	line.end();
}

} // namespace

// The user gets a sentence, programs get a line.
void DiffReport::take(fmt::memory_buffer &out, const Judgement &judgement)
{
	using Verdict = FailCondition::Verdict;

	const auto &[condition, ring, verdict, why] = judgement;
	const char *word = FailCondition::name(verdict);
	const std::string title =
		ring ? fmt::format("{}: {}", *ring, condition.text()) : condition.text();

	if (options_.form == DiffOptions::Form::csv)
		print_verdict_csv(out, ring, condition, word, why);
	else if (options_.form == DiffOptions::Form::json)
		print_verdict_json(out, ring, condition, word, why);
	if (verdict == Verdict::holds)
		notes_.push_back(title + " holds");
	else if (verdict == Verdict::not_known)
		notes_.push_back(fmt::format("{} cannot be judged: {}", title, why));
	fails_ |= verdict == Verdict::holds;
	open_ |= verdict == Verdict::not_known;
}

void DiffReport::judge(fmt::memory_buffer &out, const std::string &name, Stages::Stage stage,
		       const DiffFigures &figures)
{
	for (size_t i = 0; i < options_.conditions.size(); i++) {
		const FailCondition &condition = options_.conditions[i];
		std::string why;

		if (condition.stage() != stage ||
		    (!figures.fresh().figure(DiffStat::n) && condition.stat() != DiffStat::n))
			continue;
		judged_[i] = true;
		const FailCondition::Verdict verdict =
			condition.judge(figures, options_.by_interval, why);
		take(out, {condition, &name, verdict, why});
	}
}

void DiffReport::print_stage(fmt::memory_buffer &out, const std::string &name, Stages::Stage stage,
			     const DiffRing &base, const DiffRing &fresh)
{
	const DiffSeries &old_jobs = base.stages[stage];
	const DiffSeries &new_jobs = fresh.stages[stage];
	const bool table = options_.form == DiffOptions::Form::table;

	if (!old_jobs.values() || !new_jobs.values()) {
		const char *which = old_jobs.values() ? "the base" : "the new capture";

		if (!old_jobs.values() && !new_jobs.values())
			return;
		if (table)
			print_to(out, "{:<6}only {} has it\n", Stages::name(stage), which);
		else
			notes_.push_back(fmt::format("{}: only {} has {}", name, which,
						     Stages::name(stage)));
		return;
	}

	const DiffFigures figures(old_jobs, new_jobs, seed_of(options_.seed, name, stage));
	for (DiffStat stat : shown)
		print_row(out,
			  {name, stage, stat, figures, base_.touched(base), fresh_.touched(fresh)});
	judge(out, name, stage, figures);
}

void DiffReport::print_ring(fmt::memory_buffer &out, const std::string &name, const DiffRing &base,
			    const DiffRing &fresh)
{
	if (options_.form == DiffOptions::Form::table)
		print_to(out, "\n{}\n{:<6}{:<6}{:>11}   {:>11}   {:>9}  95 % interval\n", name,
			 "STAGE", "", "BASE", "NEW", "DIFF %");
	for (size_t i = 0; i < Stages::nr_stages; i++)
		print_stage(out, name, Stages::Stage(i), base, fresh);
}

// A ring without jobs in the new capture counts as one with 0 jobs.
void DiffReport::judge_gone(fmt::memory_buffer &out, const std::string &name, const DiffRing &base)
{
	static const DiffSeries none;

	for (size_t i = 0; i < Stages::nr_stages; i++)
		if (base.stages[i].values())
			judge(out, name, Stages::Stage(i), {base.stages[i], none, options_.seed});
}

// Notes these rings if the table does not show them, or if there are conditions.
void DiffReport::note_unmatched()
{
	if (options_.form == DiffOptions::Form::table && options_.conditions.empty())
		return;
	for (const auto &[name, ring] : base_.rings())
		if (!fresh_.rings().contains(name))
			notes_.push_back(name + ": only the base has jobs on it");
	for (const auto &[name, ring] : fresh_.rings())
		if (!base_.rings().contains(name))
			notes_.push_back(name + ": only the new capture has jobs on it");
}

void DiffReport::print_unmatched(fmt::memory_buffer &out) const
{
	auto only = [&](const DiffSide &here, const DiffSide &there, const char *which) {
		for (const auto &[name, ring] : here.rings())
			if (!there.rings().contains(name))
				print_to(out, "Only in {}: {}, {} {}\n", which, name,
					 thousands(ring.jobs), ring.jobs == 1 ? "job" : "jobs");
	};

	out.push_back('\n');
	only(base_, fresh_, "the base");
	only(fresh_, base_, "the new capture");
}

void DiffReport::print_end(fmt::memory_buffer &out) const
{
	print_unmatched(out);
	if (base_.lossy() || fresh_.lossy())
		print_to(out, "* records were lost in the time that this figure is about\n");
	for (const DiffSide *side : {&base_, &fresh_}) {
		print_to(out, "\n{} {}\n", side == &base_ ? "Base" : "New", side->capture().name());
		print_sampling(out, side->capture());
		print_losses(out, side->capture());
	}
}

// A test of nothing must not look like a test that passed.
void DiffReport::find_void(fmt::memory_buffer &out)
{
	if (base_.rings().empty() || fresh_.rings().empty()) {
		void_ = true;
		notes_.push_back(base_.rings().empty() ?
					 fmt::format("the base {}: has no jobs to compare",
						     base_.capture().name()) :
					 fmt::format("the new capture {}: has no jobs to compare",
						     fresh_.capture().name()));
	}
	for (size_t i = 0; i < judged_.size(); i++) {
		const FailCondition &condition = options_.conditions[i];

		if (!judged_[i])
			take(out, {condition, nullptr, FailCondition::Verdict::not_known,
				   fmt::format("no ring has jobs with {} in both captures",
					       Stages::name(condition.stage()))});
	}
	if (open_ && !fails_)
		notes_.emplace_back("a condition that cannot be judged does not pass: record "
				    "longer, choose rings with "
				    "--ring or --all-rings, or judge what was seen with --no-ci");
}

void DiffReport::print(fmt::memory_buffer &out)
{
	if (options_.form == DiffOptions::Form::csv)
		print_to(out, "ring,stage,stat,base,new,diff_percent,low_percent,high_percent,"
			      "differs,base_lossy,new_lossy,condition,verdict,why\n");
	for (const auto &[name, ring] : base_.rings()) {
		auto other = fresh_.rings().find(name);

		if (other != fresh_.rings().end())
			print_ring(out, name, ring, other->second);
		else if (!fresh_.rings().empty())
			judge_gone(out, name, ring);
	}
	note_unmatched();
	find_void(out);
	if (options_.form == DiffOptions::Form::table)
		print_end(out);
}

} // namespace grtrace
