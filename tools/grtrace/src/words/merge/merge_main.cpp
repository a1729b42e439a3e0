// SPDX-License-Identifier: GPL-2.0
//
// grtrace merge: what was recorded side by side, on one clock. This file is its
// table of contents.
#include "words/merge/merge_main.h"

#include <cstdio>
#include <memory>

#include "lib/files/output_file.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/merge/merge_inputs.h"
#include "words/merge/merge_options.h"
#include "words/merge/merged_stream.h"

using namespace grtrace;

namespace {

void say(const std::string &sentence)
{
	print_to(stderr, "grtrace merge: {}\n", sentence);
}

int refuse(const std::string &sentence)
{
	say(sentence);
	return exit_error;
}

// A run reads captures and texts, and writes one capture.
class Run {
public:
	explicit Run(const MergeOptions &options)
		: options_(options), progress_(options.output == "-"),
		  diagnostics_([this](const std::string &sentence) {
			  progress_.clear();
			  say(sentence);
		  }),
		  inputs_(options, diagnostics_)
	{
	}

	int run();

private:
	Status open();
	void merge();
	int refused(const Status &written) const;
	int close();

	const MergeOptions &options_;
	ReadProgress progress_;
	Diagnostics diagnostics_;
	MergeInputs inputs_;
	OutputFile out_;
	std::unique_ptr<MergedStream> stream_; // none with --stats-only
	uint64_t records_ = 0; // read
};

Status Run::open()
{
	if (Status status = inputs_.open(progress_); !status.ok())
		return status;
	if (options_.stats_only)
		return {};
	stream_ = std::make_unique<MergedStream>(inputs_.tables(), out_);
	return options_.output == "-" ? out_.open("-") :
					out_.replace(options_.output, capture_mode);
}

void Run::merge()
{
	std::vector<MergeInputs::Input> &all = inputs_.all();

	while (MergeInputs::Input *input = inputs_.first()) {
		const size_t index = static_cast<size_t>(input - &all[0]);
		const bool counted = options_.verbose || options_.stats_only;

		if (counted)
			MergeInputs::count(*input);
		const bool placed =
			!stream_ ||
			stream_->write(input->head, index, inputs_.machine_of(*input),
				       *input->source->session(), input->source->is_text());

		if (!placed)
			diagnostics_.error(fmt::format(
				"{}: a record of CPU {}is left out: a merge has no number for it",
				input->path, input->head.event.cpu));
		input->records++;
		input->have_head = false;
		records_++;
		if (stream_ && out_.failed())
			return;
	}
	for (size_t i = 0; stream_ && i < all.size(); i++)
		stream_->finish(i, inputs_.machine_of(all[i]), *all[i].source->session());
	if (stream_)
		stream_->stop();
}

// The result could not be written, or its reader is gone.
int Run::refused(const Status &written) const
{
	return out_.reader_gone() ? exit_reader_gone : refuse(written.sentence());
}

int Run::close()
{
	uint64_t lost = 0;

	// Without a reader the inputs are not read either.
	if (stream_ && out_.failed())
		return refused(out_.close());
	// Half a file of events is worse than none, so out_ removes it.
	const Status status = !inputs_.close(lost) ?
				      Status::error("{}: is not written", options_.output) :
			      stream_ ? out_.close() :
					Status();
	if (stream_ && out_.failed())
		return refused(status);
	if (!status.ok())
		diagnostics_.error(status.sentence());
	diagnostics_.finish();
	if ((!options_.quiet || !stream_) && status.ok())
		inputs_.print(stream_ ? stream_->records() : records_);
	if (diagnostics_.errors())
		return exit_error;
	return options_.strict && lost ? exit_lost : exit_ok;
}

int Run::run()
{
	if (const Status status = open(); !status.ok())
		return refuse(status.sentence());
	merge();
	progress_.clear();
	// Nothing was given a name yet.
	for (const MergeInputs::Input &input : inputs_.all())
		if (const std::string &joined = input.source->session()->joined; !joined.empty()) {
			(void)refuse(joined);
			return exit_usage;
		}
	if (inputs_.misplaced().ok())
		return close();
	// The half that was written never had a name, so it disappears.
	return refuse(fmt::format("{}; {} is not written", inputs_.misplaced().sentence(),
				  options_.output));
}

} // namespace

int merge_main(int argc, char **argv)
{
	return word_main<MergeOptions, Run>(argc, argv);
}
