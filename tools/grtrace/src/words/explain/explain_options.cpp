// SPDX-License-Identifier: GPL-2.0
#include "words/explain/explain_options.h"

#include <algorithm>

#include "lib/options/word_options.h"
#include "words/reading/newest_capture.h"

namespace grtrace {

using Word = WordOption<ExplainOptions>;

static const Word table[] = {
	option_group<ExplainOptions>("Options"),
	input_option<ExplainOptions>,
	directory_option<ExplainOptions>,
	{'b', "batch", "N",
	 "put a stream in which CPUs alternate, such as stdin, in order by "
	 "holding back at most N events (131072)",
	 Word::Number{&ExplainOptions::batch, 1, UINT64_MAX}},
	{'o', "output", "FILE", "to FILE, default is stdout", &ExplainOptions::output},
	{0, "root", nullptr,
	 "continue with the job that it waited for longest, and so on, up to one that hung or ran "
	 "longest itself",
	 &ExplainOptions::root},
	strict_option<ExplainOptions>,
	version_option<ExplainOptions>,
	help_option<ExplainOptions>,
};

std::string ExplainOptions::help_text()
{
	return fmt::format(
		"grtrace explain prints what held one job, where its time went, and what is\n"
		"recorded of it, each number with its source.\n"
		"\n"
		"Usage: grtrace explain [OPTIONS] CTX:SEQ [[-i] NAME...]\n"
		"\n"
		"{}\n"
		"A SEQ below 2^32 selects all jobs whose seqno has these lower 32 bits. If there\n"
		"is no such job, the nearest ones of its context are named. Lines are as wide as\n"
		"the terminal, or as COLUMNS says, else 80 columns.\n"
		"\n"
		"The source of a number is in brackets, as grparse prints it: Q SUBMIT, I PICK,\n"
		"D COMMIT, B START, C COMPLETE, FS a hardware fence, UN blocked by a fence,\n"
		"ER an error; gseq is the record's number.\n"
		"\n"
		"{}",
		describe_options(table),
		describe_end({{"grtrace explain 5:17 game", "the story of this job"},
			      {"grtrace explain --root 5:17 game",
			       "and of the jobs that it waited for"}},
			     {{"0", "done"},
			      {"1", "there is no such job, or something could not be read"},
			      {"2", "wrong usage"},
			      {"3", "records were lost (--strict)"}}));
}

Status ExplainOptions::parse(int argc, char **argv)
{
	std::string name;
	bool named = false;
	Status status = read_options(table, argc, argv, *this, [&](const GivenOption &given) {
		if (named)
			inputs.push_back(given.argument);
		else
			name = given.argument;
		named = true;
		return Status();
	});

	if (!status.ok() || help || version)
		return status;
	if (!named)
		return Status::error("name a job as ctx:seqno, such as 5:17; see --help");
	if (root && std::ranges::find(inputs, "-") != inputs.end())
		return Status::error("--root reads the capture again: name a file");
	const bool has_input = !inputs.empty();
	status = job.parse(name);
	if (status.ok())
		status = name_newest_capture("grtrace explain", directory, inputs);
	is_session = !has_input && status.ok() && inputs[0].starts_with("/dev/fd/");
	return status;
}

} // namespace grtrace
