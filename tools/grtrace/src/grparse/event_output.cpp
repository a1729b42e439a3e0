// SPDX-License-Identifier: GPL-2.0
//
// A file that replaces another one appears when it is complete. The exception is reading a
// pipe while it is recorded: people follow that output, so it appears at once.
#include "grparse/event_output.h"

#include <algorithm>

#include "format/vocabulary.h"
#include "grparse/grparse_options.h"
#include "lib/text/print_to.h"

namespace grtrace {

Status EventOutput::open(OutputFile &file, const std::string &path, mode_t mode)
{
	if (std::ranges::find(options_.inputs, "-") != options_.inputs.end())
		return file.open(path, mode);
	return file.replace(path, mode);
}

Status EventOutput::open()
{
	Status status;

	// If the stream goes to standard output, there is no text; see parse().
	if (!(options_.dump == "-" && options_.output == "-"))
		status = open(text_, options_.output, usual_mode);
	if (status.ok() && options_.more && !options_.dump.empty()) {
		status = open(binary_, options_.dump, capture_mode);
		writer_ = options_.more->writer(captures_.capture(0).session());
	}
	if (status.ok() && rows_ && !options_.no_text)
		rows_->print_names(text_.text());
	return status;
}

bool EventOutput::wants_text(const Event &event) const
{
	if (options_.no_text)
		return false;
	// An event of unknown type is shown if the METADATA names it.
	return rows_ || is_known_event(event.type) || event.type == GRTRACE_LOST ||
	       event.type == GRTRACE_MESSAGE || event.type == GRTRACE_SAMPLE || options_.verbose ||
	       (event.is_event() &&
		captures_.capture(event.capture).session().event_names.contains(event.type));
}

void EventOutput::print_text(const Event &event, uint64_t elapsed)
{
	Capture &capture = captures_.capture(event.capture);

	if (rows_)
		rows_->print_row(text_.text(), event, capture, elapsed);
	else
		options_.printer.print(text_.text(), event, capture.session(), elapsed);
	text_.drain();
}

void EventOutput::print(const Event &event, uint64_t elapsed)
{
	if (wants_text(event))
		print_text(event, elapsed);
	if (!writer_)
		return;
	if (event.type == GRTRACE_MESSAGE && options_.no_messages)
		return writer_->skip(event);
	writer_->write(binary_.text(), event);
	binary_.drain();
}

fmt::memory_buffer &EventOutput::tables()
{
	return text_.is_open() && !rows_ ? text_.text() : aside_;
}

void EventOutput::flush()
{
	text_.flush();
	if (writer_)
		binary_.flush();
}

void EventOutput::finish()
{
	if (!writer_ || failed())
		return;
	writer_->finish(binary_.text());
	binary_.drain();
}

void EventOutput::print_tables_aside() const
{
	print_to(stderr, "{}", fmt::to_string(aside_));
}

} // namespace grtrace
