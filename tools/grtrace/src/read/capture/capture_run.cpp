// SPDX-License-Identifier: GPL-2.0
//
// The order matters: a line of progress is erased before a sentence is printed, outputs are closed
// before the run counts as successful, and losses are reported last, where they are seen.
#include "read/capture/capture_run.h"

#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

CaptureRun::CaptureRun(const char *word)
	: word_(word), diagnostics_([this](const std::string &sentence) { say(sentence); }),
	  captures_(diagnostics_)
{
}

CaptureRun::~CaptureRun() = default;

void CaptureRun::say(const std::string &sentence)
{
	clear_line();
	print_to(stderr, "{}: {}\n", word_, sentence);
}

int CaptureRun::refuse(const Status &status)
{
	say(status.sentence());
	return exit_error;
}

Status CaptureRun::open(const std::vector<OutputName> &outputs, const std::string &directory,
			const std::vector<std::string> &inputs, const OpenPlan &plan)
{
	Status status = check_outputs(outputs, directory, inputs);

	if (status.ok())
		status = captures_.open(directory, inputs, plan);
	return status;
}

std::optional<int> CaptureRun::check_rings(const Status &rings)
{
	if (rings.ok())
		return {};
	// A ring may be missing because a file could not be read.
	say(rings.sentence());
	return diagnostics_.errors() ? exit_error : exit_usage;
}

int CaptureRun::close(const std::vector<OutputFile *> &files)
{
	const Status written = close_all(files);

	for (const OutputFile *file : files)
		if (file->reader_gone())
			return exit_reader_gone;
	return written.ok() ? exit_ok : refuse(written);
}

void CaptureRun::say_losses()
{
	if (!lost_)
		lost_ = tell_losses(captures_);
}

int CaptureRun::finish(bool strict, std::initializer_list<std::vector<std::string>> missing)
{
	say_losses();
	for (const std::vector<std::string> &sentences : missing)
		for (const std::string &sentence : sentences)
			diagnostics_.warn(sentence);
	diagnostics_.finish();
	for (size_t i = 0; i < captures_.size(); i++) {
		const std::string &joined = captures_.capture(i).session().joined;

		if (joined.empty())
			continue;
		say(joined);
		return exit_usage;
	}
	if (diagnostics_.errors())
		return exit_error;
	return strict && *lost_ ? exit_lost : exit_ok;
}

} // namespace grtrace
