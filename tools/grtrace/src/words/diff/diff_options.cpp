// SPDX-License-Identifier: GPL-2.0
#include "words/diff/diff_options.h"

#include "lib/options/word_options.h"
#include "words/reading/filter_options.h"

namespace grtrace {

using Word = WordOption<DiffOptions>;

static const Word table[] = {
	option_group<DiffOptions>("Options"),
	directory_option<DiffOptions>,
	{'o', "output", "FILE", "to FILE, default is stdout", &DiffOptions::output},
	{0, "csv", nullptr, "a line of CSV for each figure",
	 [](DiffOptions &o, const std::string &) { return o.set_form(DiffOptions::Form::csv); }},
	{0, "json", nullptr, "a line of JSON for each figure",
	 [](DiffOptions &o, const std::string &) { return o.set_form(DiffOptions::Form::json); }},
	strict_option<DiffOptions>,
	version_option<DiffOptions>,
	help_option<DiffOptions>,
	option_group<DiffOptions>("Choose and compare"),
	{'w', "stopwatch", "[START:]END", "only this interval of each, in seconds since its start",
	 [](DiffOptions &o, const std::string &argument) {
		 return o.filter.set_interval(argument);
	 }},
	{0, "since", "TIME", "only from this time since the start of each on: 1.5, 200ms, 70us",
	 [](DiffOptions &o, const std::string &argument) { return o.filter.set_since(argument); }},
	{0, "until", "TIME", "only until then",
	 [](DiffOptions &o, const std::string &argument) { return o.filter.set_until(argument); }},
	ring_option<DiffOptions>,
	device_option<DiffOptions>,
	engine_option<DiffOptions>,
	engine_mask_option<DiffOptions>,
	pid_option<DiffOptions>,
	client_option<DiffOptions>,
	context_option<DiffOptions>,
	{0, "all-rings", nullptr, "the jobs of all rings together", &DiffOptions::all_rings},
	{0, "fail-if", "CONDITION",
	 "exit 4 if CONDITION holds on one of the rings, 5 if that cannot be judged; repeatable",
	 [](DiffOptions &o, const std::string &argument) {
		 return o.conditions.emplace_back().parse(argument);
	 }},
	{0, "no-ci", nullptr, "conditions use the observed figures, even if they may be chance",
	 [](DiffOptions &o, const std::string &) {
		 o.by_interval = false;
		 return Status();
	 }},
	{0, "seed", "N", "seed of the random numbers (1); equal seeds give equal results",
	 Word::Number{&DiffOptions::seed, 0, UINT64_MAX}},
};

std::string DiffOptions::help_text()
{
	return fmt::format(
		"grtrace diff compares two captures, ring by ring and stage by stage.\n"
		"\n"
		"Usage: grtrace diff [OPTIONS] BASE NEW\n"
		"\n"
		"{}\n"
		"Rings are matched by the names of device and ring.\n"
		"\n"
		"Figures are for all jobs. DIFF is how much more the new capture has. The\n"
		"interval contains the true difference with a probability of 95 %, and a ! marks\n"
		"a difference that is unlikely to be chance; still, one in twenty lines without a\n"
		"real difference gets the mark. Intervals come from a bootstrap that draws up to\n"
		"{} blocks of jobs in a row, {} times: drawing single jobs would find false\n"
		"differences, because jobs resemble their neighbours. There is no interval for\n"
		"fewer than 30 jobs, nor with fewer than 10 above a percentile (1000 jobs for\n"
		"p99). A * marks figures during which records were lost.\n"
		"\n"
		"CONDITION is STAT:STAGE, one of > >= < <=, and a number with its unit (%, ns,\n"
		"us, ms, s). STAT is n, mean, min, max, p50, p90, p99 or p99.9; grtrace report\n"
		"--help explains the stages. With a sign the number is relative to the base;\n"
		"without one it only concerns the new capture:\n"
		"\n"
		"  p99:Q2C>+5%     the new p99 is more than 5 % above the base's\n"
		"  mean:B2E>+20us  the new mean is more than 20 us above it\n"
		"  n:Q2C<-10%      there are more than 10 % fewer jobs\n"
		"  p99:Q2C>2ms     the new p99 is above 2 ms\n"
		"\n"
		"Quote it: the shell takes > and < for itself. A condition holds only if it is\n"
		"true for the whole interval; n, min and max have no interval and are compared\n"
		"directly. On each ring, both captures need this many recorded jobs: {} for mean\n"
		"and p50, {} for p90, {} for p99, {} for p99.9; with --no-ci one is enough.\n"
		"With --csv and --json each condition has a line for each ring: holds,\n"
		"does_not_hold, or not_known and why.\n"
		"\n"
		"{}",
		describe_options(table), DiffSeries::most_blocks, Bootstrap::draws,
		least_values(DiffStat::p50), least_values(DiffStat::p90),
		least_values(DiffStat::p99), least_values(DiffStat::p99_9),
		describe_end({{"grtrace diff base new", "all rings and stages"},
			      {"grtrace diff --fail-if \"p99:Q2C>+5%\" base new",
			       "exit 4 if it got slower"}},
			     {{"0", "done"},
			      {"1", "something could not be read or has no jobs"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"},
			      {"4", "a condition holds"},
			      {"5", "none holds, and one could not be judged"}}));
}

Status DiffOptions::set_form(Form wanted)
{
	if (form != Form::table && form != wanted)
		return Status::error("--csv and --json: give one of them");
	form = wanted;
	return {};
}

Status DiffOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (!status.ok() || help || version)
		return status;
	if (inputs.size() != 2)
		return Status::error("name two captures, the base and the new one; see --help");
	if (inputs[0] == "-" && inputs[1] == "-")
		return Status::error("only one of the two can come from stdin");
	return filter.check();
}

} // namespace grtrace
