// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_options.h"

#include "lib/options/word_options.h"
#include "words/reading/newest_capture.h"
#include "words/verify/verify_jobs.h"
#include "words/verify/verify_records.h"

namespace grtrace {

using Word = WordOption<VerifyOptions>;

static const Word table[] = {
	option_group<VerifyOptions>("Options"),
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
		"grtrace verify reads every byte of a capture and reports what is wrong with it.\n"
		"\n"
		"Usage: grtrace verify [OPTIONS] [[-i] NAME...]\n"
		"\n"
		"{}\n"
		"Each finding is a line: file, offset and record, what is wrong, and in brackets\n"
		"its severity and its kind. Damage: the bytes are not what was written.\n"
		"Fault: the records contradict each other, so a driver or grtrace is wrong.\n"
		"Note: it is unusual, but may result from a loss, from a change of sampling, or\n"
		"from a capture that began in the middle.\n"
		"\n"
		"Records of different CPUs are out of order only if their times are also out of\n"
		"order. The clocks of two CPUs may differ by {} us, and the clock of one CPU may\n"
		"go back by {} us; a fence is signalled up to {} ms before its record. The newest\n"
		"{} jobs are checked. Credits are not checked, because no record has the credits\n"
		"of a ring.\n"
		"\n"
		"{}",
		describe_options(table), clock_slack_ns / 1000,
		VerifyRecords::clock_slack_ns / 1000, VerifyJobs::signal_slack_ns / 1000000,
		VerifyJobs::most_jobs,
		describe_end({{"grtrace verify game", "is it complete and consistent?"},
			      {"grtrace verify --strict --limit 3 game",
			       "at most three lines of each kind"}},
			     {{"0", "done"},
			      {"1", "damage or faults"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status VerifyOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this);

	if (!status.ok() || help || version)
		return status;
	return name_newest_capture("grtrace verify", directory, inputs);
}

} // namespace grtrace
