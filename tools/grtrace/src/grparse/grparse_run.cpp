// SPDX-License-Identifier: GPL-2.0
//
// grparse: blkparse for GPU jobs. This file is its table of contents.
#include "grparse/grparse_run.h"

#include "lib/options/exec_word.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

Status Grparse::open()
{
	Status status = reading_.open({{"-o", options_.output}, {"-d", options_.dump, true}},
				      options_.directory, options_.inputs,
				      {.batch = options_.batch,
				       .live = !options_.counts(),
				       .find_parts = options_.find_parts});

	if (status.ok())
		status = output_.open();
	if (status.ok())
		start_counting();
	return status;
}

void Grparse::start_counting()
{
	if (options_.counts())
		counting_ = options_.more->counting(captures_);
	for (size_t i = 0; !options_.quiet && i < captures_.size(); i++)
		summaries_.emplace_back(captures_.capture(i));
}

// A job is more than the events the user wants to see: it is counted whatever their
// types are, and its times may have begun before the interval.
bool Grparse::wants(const Event &event, Session &session)
{
	const bool counts = options_.filter.wants_time(event, session) &&
			    (!choice_ || choice_->wants(event, session));

	if (counting_)
		counting_->feed(event, counts);
	return counts && options_.filter.wants_type(event);
}

void Grparse::event(const Event &event)
{
	Capture &capture = captures_.capture(event.capture);

	if (capture.has_gaps()) {
		const std::vector<Gap> gaps = capture.take_gaps();

		if (counting_)
			counting_->lose(event.capture, gaps);
	}
	if (!wants(event, capture.session()))
		return output_.skip(event);
	shown_ += event.is_event();
	if (!options_.quiet)
		summaries_[event.capture].add(event);
	if (counting_)
		counting_->show(event);
	output_.print(event, counting_ ? counting_->elapsed(event.capture) : no_time);
}

bool Grparse::enough() const
{
	return output_.failed() || (options_.limit && shown_ == options_.limit);
}

// Everything that can be read is shown, whatever is wrong in between.
void Grparse::read()
{
	const Event *next;

	for (Next got; !enough() && (got = captures_.next(next)) != Next::end;)
		got == Next::again ? output_.flush() : event(*next);
	output_.finish();
}

void Grparse::summarise()
{
	for (uint32_t i = 0; i < summaries_.size(); i++)
		if (!captures_.capture(i).session().refused && captures_.capture(i).stats().packets)
			summaries_[i].print(output_.tables(),
					    counting_ ? std::optional(counting_->texts(i)) :
							std::nullopt);
	if (options_.limit && shown_ == options_.limit)
		print_to(output_.tables(),
			 "Stopped after {} events (--limit): what comes later was not read\n",
			 thousands(shown_));
}

int Grparse::close()
{
	if (const int code = reading_.close(output_.files()))
		return code;
	output_.print_tables_aside();
	return reading_.finish(options_.strict,
			       {choice_ ? choice_->missing() : std::vector<std::string>(),
				options_.filter.missing(captures_)});
}

int Grparse::run()
{
	if (!options_.other_word.empty())
		return exec_word("grparse", options_.other_word, "libfmt-dev");
	// With --limit not all is read, and the names of the rest are not known.
	if (choice_ && !options_.limit)
		if (const auto code = reading_.check_rings(
			    choice_->find(options_.directory, options_.inputs)))
			return *code;
	if (const Status status = open(); !status.ok())
		return reading_.refuse(status);
	read();
	if (!enough())
		if (const auto code =
			    reading_.check_rings(choice_ ? choice_->check(captures_) : Status()))
			return *code;
	// Without a reader there is no summary.
	if (!options_.quiet && !output_.failed())
		summarise();
	return close();
}

} // namespace grtrace
