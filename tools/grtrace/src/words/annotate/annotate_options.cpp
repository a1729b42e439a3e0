// SPDX-License-Identifier: GPL-2.0
#include "words/annotate/annotate_options.h"

#include "lib/options/word_options.h"
#include "lib/text/words_of.h"

namespace grtrace {

namespace {

constexpr uint64_t most_seconds = INT32_MAX;
constexpr uint64_t least_buffer_kib = 4;
constexpr uint64_t most_buffer_kib = 262144;
constexpr size_t most_pids = 1024; // as the BPF map holds

using Word = WordOption<AnnotateOptions>;

const Word table[] = {
	option_group<AnnotateOptions>("Options"),
	{'o', "output", "FILE", "the capture; -: to stdout; default is annotations.grtrace",
	 [](AnnotateOptions &o, const std::string &argument) { return o.set_output(argument); }},
	{'p', "pid", "PID[,...]",
	 "only these processes or threads, without their children; repeatable",
	 [](AnnotateOptions &o, const std::string &argument) { return o.add_pids(argument); }},
	{'w', "stopwatch", "S", "stop after S seconds",
	 [](AnnotateOptions &o, const std::string &argument) { return o.set_seconds(argument); }},
	{'b', "buffer-size", "KIB",
	 "size of the buffer between kernel and file: a power of 2 from 4 to 262144; default is "
	 "4096",
	 [](AnnotateOptions &o, const std::string &argument) { return o.set_buffer(argument); }},
	{0, "no-waits", nullptr,
	 "record no waits for fences, for a merge with a capture that has them",
	 [](AnnotateOptions &o, const std::string &) {
		 o.waits = false;
		 return Status();
	 }},
	{0, "user", "NAME",
	 "run COMMAND as this user, a name or a number; default: who called sudo",
	 &AnnotateOptions::user},
	{0, "strict", nullptr, "exit with 3 if records were lost", &AnnotateOptions::strict},
	version_option<AnnotateOptions>,
	{0, "help", nullptr, "print this text", &AnnotateOptions::help},
};

} // namespace

std::string AnnotateOptions::help_text()
{
	return fmt::format(
		"grtrace annotate records DRM ioctls and waits for fences: who called what, how\n"
		"long it took and what it returned. Needs no module, but BPF, BTF and root.\n"
		"\n"
		"Usage: grtrace annotate [OPTIONS] [-- COMMAND...]\n"
		"\n"
		"{}\n"
		"It runs until Ctrl-C, the end of -w's time or of COMMAND. Read the capture with\n"
		"grparse, alone or together with that of grtrace record from the same time.\n"
		"\n"
		"{}",
		describe_options(table),
		describe_end(
			{{"grtrace annotate -w 10 -o calls", "10 seconds, into the file calls"},
			 {"grtrace annotate -- glxgears", "while a program runs"}},
			{{"0", "done, or the status of COMMAND"},
			 {"1", "it could not be recorded"},
			 {"2", "wrong usage"},
			 {"3", "records were lost (--strict)"}}));
}

Status AnnotateOptions::set_buffer(const std::string &argument)
{
	uint64_t kib;

	if (!parse_id(argument, most_buffer_kib, kib) || kib < least_buffer_kib || kib & (kib - 1))
		return Status::error("-b: '{}' is not a power of 2 from {} to {}", argument,
				     least_buffer_kib, most_buffer_kib);
	buffer_kib = static_cast<uint32_t>(kib);
	return {};
}

Status AnnotateOptions::add_pids(const std::string &argument)
{
	return for_each_word("-p", argument, [this](std::string_view word) {
		uint64_t pid;

		if (!parse_id(word, INT32_MAX, pid) || !pid)
			return Status::error("-p: '{}' is not a process", word);
		if (pids.size() == most_pids)
			return Status::error("-p: more than {} processes", most_pids);
		pids.push_back(static_cast<uint32_t>(pid));
		return Status();
	});
}

Status AnnotateOptions::set_output(const std::string &argument)
{
	output = argument;
	return argument.empty() ? Status::error("-o: its argument is empty") : Status();
}

Status AnnotateOptions::set_seconds(const std::string &argument)
{
	uint64_t number;

	if (!parse_id(argument, most_seconds, number) || !number)
		return Status::error("-w: '{}' is not 1 to {} seconds", argument, most_seconds);
	seconds = static_cast<unsigned int>(number);
	return {};
}

Status AnnotateOptions::parse(int argc, char **argv)
{
	Status status = read_options(table, argc, argv, *this, [this](const GivenOption &word) {
		if (!word.after_dashes)
			return Status::error("'{}': a command comes after --; see --help",
					     word.argument);
		command.push_back(word.argument);
		return Status();
	});

	if (status.ok() && !user.empty() && command.empty())
		return Status::error("--user is who runs the command: give one, after --");
	return status;
}

} // namespace grtrace
