// SPDX-License-Identifier: GPL-2.0
#include "words/import/import_options.h"

#include "lib/options/word_options.h"

namespace grtrace {

using Word = WordOption<ImportOptions>;

static const Word table[] = {
	option_group<ImportOptions>("Options"),
	{'o', "output", "FILE", "the capture, - for stdout", &ImportOptions::output},
	{0, "events", nullptr,
	 "print which event of which kernel becomes which record, and nothing else",
	 &ImportOptions::events},
	{0, "live", nullptr,
	 "write what came from a pipe whenever nothing more comes, for readers that print\n"
	 "events at once",
	 &ImportOptions::live},
	{0, "cut", nullptr, "the end of the trace is missing: count a loss there",
	 &ImportOptions::cut},
	{0, "no-limit", nullptr,
	 "unpack a compressed trace also to more than 64 times its size and 64 MiB",
	 &ImportOptions::no_limit},
	{'q', "quiet", nullptr, "do not print on stderr what was taken and what is missing",
	 &ImportOptions::quiet},
	strict_option<ImportOptions>,
	version_option<ImportOptions>,
	help_option<ImportOptions>,
};

std::string ImportOptions::help_text()
{
	return fmt::format(
		"grtrace import makes a capture of a trace that another program recorded.\n"
		"\n"
		"Usage: grtrace import [OPTIONS] -o FILE TRACE\n"
		"       grtrace import --events\n"
		"\n"
		"{}\n"
		"TRACE is text: /sys/kernel/tracing/trace or trace_pipe, or what trace-cmd report\n"
		"or perf script print; or a trace.dat, by libtracecmd or trace-cmd; or a "
		"perf.data,\n"
		"by perf, which has to be installed; or a trace of Perfetto. grparse, report and\n"
		"the other words that read captures take such a file directly.\n"
		"\n"
		"The figures depend on the events in the file. Best is:\n"
		"  trace-cmd record -C mono -e gpu_scheduler -e dma_fence -e DRIVER\n"
		"DRIVER being amdgpu, i915 or virtio_gpu. Events that the file lacks are listed,\n"
		"and their times are NA in each table. Times at which a job began are inferred.\n"
		"\n"
		"{}",
		describe_options(table),
		describe_end({{"grtrace import -o slow trace.dat", "then read it as any capture"},
			      {"grtrace report trace.txt", "read it directly"}},
			     {{"0", "done"},
			      {"1", "the trace could not be read, or has no event of a GPU"},
			      {"2", "wrong usage"},
			      {"3", "events were lost (--strict)"}}));
}

Status ImportOptions::parse(int argc, char **argv)
{
	Status status =
		read_options(table, argc, argv, *this, [this](const GivenOption &given) -> Status {
			if (!input.empty())
				return Status::error("one trace at a time: {} or {}", input,
						     given.argument);
			input = given.argument;
			return {};
		});

	if (!status.ok() || help || version || events)
		return status;
	if (input.empty())
		return Status::error("no trace; see --help");
	if (output.empty())
		return Status::error("-o is missing: name the file for the capture");
	return {};
}

} // namespace grtrace
