// SPDX-License-Identifier: GPL-2.0
#include "words/parse/parse_options.h"

#include "words/filter/ring_search.h"
#include "words/packets/stream_writer.h"
#include "words/parse/job_counting.h"
#include "words/window/window_finder.h"

namespace grtrace {

Status ParseAdditions::set(Option option, const std::string &argument)
{
	switch (option) {
	case Option::engine:
		return jobs_.rings.add_engines(argument);
	case Option::ring:
		return jobs_.rings.add_rings(argument);
	case Option::dev:
		return jobs_.rings.add_devices(argument);
	case Option::pid:
		return jobs_.add_pids(argument);
	case Option::client:
		return jobs_.add_clients(argument);
	case Option::ctx:
		return jobs_.add_contexts(argument);
	case Option::csv:
		return set_rows("--csv", RowForm::csv);
	case Option::json:
		return set_rows("--json", RowForm::json);
	case Option::track:
		programs_.steps = true;
		break;
	case Option::programs:
		programs_.shown = true;
		break;
	case Option::sort:
		return programs_.set_sort(argument);
	case Option::by_name:
		programs_.by_name = true;
		break;
	}
	return {};
}

Status ParseAdditions::set_rows(const char *option, RowForm form)
{
	if (rows_)
		return Status::error("{}: choose one of --csv and --json", option);
	rows_ = form;
	return {};
}

Status ParseAdditions::find(const std::string &directory,
			    const std::vector<std::string> &inputs) const
{
	return find_rings(jobs_.rings, directory, inputs);
}

std::unique_ptr<Counting> ParseAdditions::counting(CaptureSet &captures) const
{
	auto counting = std::make_unique<JobCounting>(
		programs_, StepsWanted{tracks(), chooses() || has_interval});

	for (size_t i = 0; i < captures.size(); i++)
		counting->add(captures.capture(i));
	return counting;
}

std::unique_ptr<EventWriter> ParseAdditions::writer(const Session &session) const
{
	struct Writer : EventWriter {
		explicit Writer(const Session &session) : stream(session) {}
		void write(fmt::memory_buffer &out, const Event &event) override
		{
			stream.write(out, event);
		}
		void skip(const Event &event) override { stream.skip(event); }
		void finish(fmt::memory_buffer &out) override { stream.finish(out); }

		BinaryWriter stream;
	};

	return std::make_unique<Writer>(session);
}

void ParseAdditions::print_names(fmt::memory_buffer &out) const
{
	if (rows_ == RowForm::csv)
		print_csv_header(out, event_columns());
}

void ParseAdditions::print_row(fmt::memory_buffer &out, const Event &event, Capture &capture,
			       uint64_t elapsed) const
{
	EventRow row(event, capture.session(), capture.name(), elapsed);

	if (rows_ == RowForm::csv)
		print_csv(out, event_columns(), row);
	else
		print_json(out, event_columns(), row);
}

// The summary, --strict, a choice of jobs, times of steps and the stream of -d are about the
// whole capture. So are formats with the task of any event. The usual formats name the tasks of
// jobs and waits alone, which the kernel names in each sub-buffer.
Status ParseOptions::parse(int argc, char **argv)
{
	const Status status = GrparseOptions::parse(argc, argv);
	additions.has_interval = filter.has_interval();
	bool has_usual = true; // lines may have the usual format

	if (!filter.has_interval() || !quiet || strict || !dump.empty() || choice() || rows() ||
	    additions.tracks())
		return status;
	for (const auto &[of_action, text] : formats) {
		if (text.find_first_of("CP") != text.npos)
			return status;
		has_usual &= of_action;
	}
	find_parts = window_finder(filter.from_ns(), filter.to_ns(), has_usual);
	return status;
}

std::string ParseOptions::help_text()
{
	return help_with(fmt::format(
		"Columns of --csv and keys of --json; what is missing is NA or null:\n{}\n",
		describe_event_columns()));
}

} // namespace grtrace
