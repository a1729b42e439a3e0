// SPDX-License-Identifier: GPL-2.0
#include "words/import/import_output.h"

#include "lib/options/word_main.h"
#include "lib/text/print_to.h"

namespace grtrace {

void ImportOutput::say(const std::string &sentence) const
{
	print_to(stderr, "grtrace import: {}: {}\n", options_.input, sentence);
}

int ImportOutput::refuse(const Status &status) const
{
	say(status.sentence());
	return exit_error;
}

Status ImportOutput::open()
{
	return options_.output == "-" ? out_.open("-") :
					out_.replace(options_.output, capture_mode);
}

ForeignCapture &ImportOutput::begin(const ForeignFacts &facts)
{
	ForeignFacts named = facts;

	named.path = options_.input;
	capture_ = std::make_unique<ForeignCapture>(named, out_);
	return *capture_;
}

void ImportOutput::cut(const std::string &sentence)
{
	say(sentence);
	is_cut_ = true;
}

Status ImportOutput::check() const
{
	if (capture_->events())
		return {};
	return Status::error("{}", capture_->nothing_read());
}

int ImportOutput::finish_file(int code)
{
	if (code != exit_ok && code != exit_lost)
		return code;
	const Status written = out_.close();
	return written.ok() ? code : refuse(written);
}

int ImportOutput::finish(const Status &read)
{
	Status status = read;

	if (status.ok() && !capture_->failed())
		status = check();
	if (!status.ok())
		return refuse(status);
	if (is_cut_ || options_.cut)
		capture_->cut_end();
	capture_->finish();
	const Status written = out_.close();
	if (out_.reader_gone())
		return exit_reader_gone;
	if (!written.ok())
		return refuse(written);
	if (!options_.quiet) {
		say(capture_->summary());
		for (const std::string &remark : capture_->remarks())
			say(remark);
	}
	return options_.strict && capture_->lost() ? exit_lost : exit_ok;
}

} // namespace grtrace
