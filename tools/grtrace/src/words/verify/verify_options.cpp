// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_options.h"

#include "lib/options/word_options.h"
#include "words/reading/newest_capture.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"

namespace grtrace {

using Word = WordOption<VerifyOptions>;

static const Word table[] = {
	input_option<VerifyOptions>,
	directory_option<VerifyOptions>,
	{'o', "output", "FILE", "to FILE, default is stdout", &VerifyOptions::output},
	{0, "limit", "N", "at most N lines of each kind (10); the sums count all",
	 Word::Number{&VerifyOptions::limit, 0, UINT64_MAX}},
	{0, "strict", nullptr, "exit 3 if records were lost and nothing else is wrong",
	 &VerifyOptions::strict},
	version_option<VerifyOptions>,
	help_option<VerifyOptions>,
};

std::string VerifyOptions::help_text()
{
	return fmt::format(
		"grtrace verify reads every byte of a capture and reports what is wrong with "
		"it.\n\n"
		"usage: grtrace verify [options] [[-i] NAME...]\n\n{}\n"
		"A line for each finding: file, offset and record, what is wrong, and in "
		"brackets\nhow bad and of which kind. Damage: the bytes are not what was written. "
		"Fault: the\nrecords contradict each other, so a driver or grtrace is wrong. "
		"Note: it is\nunusual, but may result from a loss, from a change of sampling, "
		"or from a capture that\nbegan in the middle.\n\n"
		"Records of different CPUs are out of order only if their times also say so. "
		"Clocks\nmay differ by {} us, and by {} us go back on one CPU; a fence is "
		"signalled up to\n{} ms before its record. The newest {} jobs are looked "
		"at.\n"
		"No record says how many credits a ring has: that is not checked.\n\n"
		"exit: 0, 1 damage or faults, 2 wrong usage, 3 records lost (--strict)\n",
		describe_options(table), clock_slack_ns / 1000,
		VerifyRecords::clock_slack_ns / 1000, VerifyJobs::signal_slack_ns / 1000000,
		VerifyJobs::most_jobs);
}

Status VerifyOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (!status.ok() || help || version)
		return status;
	return name_newest_capture("grtrace verify", directory, inputs);
}

} // namespace grtrace
