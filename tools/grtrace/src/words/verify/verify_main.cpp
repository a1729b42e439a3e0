// SPDX-License-Identifier: GPL-2.0
//
// grtrace verify: is what a capture says possible? This file is its table of
// contents.
#include "words/verify/verify_main.h"

#include <cstdio>

#include "lib/files/output_file.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "read/capture/output_names.h"
#include "words/reading/read_progress.h"
#include "words/verify/verify_capture.h"
#include "words/verify/verify_options.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace verify: {}\n", sentence);
}

// A run reads one capture after the other.
class Run {
public:
	explicit Run(const VerifyOptions &options) : options_(options), progress_(false) {}

	int run();

private:
	void verify(const std::string &name);
	void flush(VerifyFindings &findings);

	const VerifyOptions &options_;
	ReadProgress progress_;
	OutputFile output_;
	bool failed_ = false;
	bool joined_ = false;
	uint64_t lost_ = 0;
};

void Run::flush(VerifyFindings &findings)
{
	fmt::memory_buffer &text = findings.text();

	if (!text.size())
		return;
	progress_.clear();
	output_.text().append(text.data(), text.data() + text.size());
	text.clear();
	output_.drain();
}

void Run::verify(const std::string &name)
{
	VerifyCapture capture(options_.limit);
	const Status status = capture.open(options_.directory, name);

	if (!status.ok()) {
		say(status.sentence());
		failed_ = true;
		return;
	}
	capture.tell(progress_);
	for (Next got; (got = capture.next()) != Next::end;) {
		flush(capture.findings());
		// The reader of a live capture should see the findings at once.
		if (got == Next::again)
			output_.flush();
		if (output_.failed())
			return;
	}
	progress_.clear();
	flush(capture.findings());
	if (const std::string &joined = capture.capture().session().joined; !joined.empty()) {
		say(joined);
		joined_ = true;
		return;
	}
	print_models(output_.text(), capture.capture().session());
	print_losses(output_.text(), capture.capture());
	capture.findings().print_summary(output_.text());
	failed_ |= capture.findings().number(Severity::damage) ||
		   capture.findings().number(Severity::fault);
	lost_ += lost_records(capture.capture());
}

int Run::run()
{
	Status status =
		check_outputs({{"-o", options_.output}}, options_.directory, options_.inputs);

	if (status.ok())
		status = output_.replace(options_.output);
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	for (const std::string &name : options_.inputs)
		if (!output_.failed())
			verify(name);
	status = output_.close();
	if (output_.reader_gone())
		return exit_reader_gone;
	if (!status.ok()) {
		say(status.sentence());
		return exit_error;
	}
	if (joined_)
		return exit_usage;
	if (failed_)
		return exit_error;
	return options_.strict && lost_ ? exit_lost : exit_ok;
}

} // namespace

int verify_main(int argc, char **argv)
{
	return word_main<VerifyOptions, Run>(argc, argv);
}
