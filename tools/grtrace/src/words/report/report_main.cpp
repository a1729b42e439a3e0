// SPDX-License-Identifier: GPL-2.0
//
// grtrace report: where the jobs of a capture spent their time.
#include "words/report/report_main.h"

#include <memory>
#include <optional>
#include <vector>

#include "lib/files/output_file.h"
#include "lib/options/word_main.h"
#include "lib/text/print_to.h"
#include "words/delays/delay_csv.h"
#include "words/findings/finding_json.h"
#include "words/jobs/job_columns.h"
#include "words/page/html_page.h"
#include "words/reading/interval_check.h"
#include "words/reading/next_command.h"
#include "words/reading/refused.h"
#include "words/reading/word_run.h"
#include "words/report/page_findings.h"
#include "words/report/report_options.h"
#include "words/report/reporting.h"
#include "words/terminal/pager.h"

using namespace grtrace;

namespace {

// A run reads captures and writes tables and CSV.
class Run {
public:
	explicit Run(ReportOptions &options)
		: options_(options), reading_("grtrace report", options.csv == "-")
	{
	}

	int run();

private:
	Status open();
	void read();
	Status check();
	std::span<const Event> within_limit(std::span<const Event> run);
	bool is_enough() const { return options_.limit && events_ == options_.limit; }
	void print();
	void draw();
	int close();

	ReportOptions &options_;
	std::optional<Pager> pager_; // of text_
	WordRun reading_;
	OutputFile text_;
	fmt::memory_buffer aside_; // for people, if text_ is not open
	OutputFile csv_;
	OutputFile json_;
	OutputFile delays_;
	OutputFile groups_;
	OutputFile depth_;
	OutputFile html_;
	std::vector<std::unique_ptr<Reporting>> reportings_;
	uint64_t events_ = 0; // of the interval; counted if there is a limit
};

Status Run::open()
{
	Status status = reading_.open({{"-o", options_.output},
				       {"--csv", options_.csv},
				       {"--json", options_.json},
				       {"--delays-csv", options_.delays_csv},
				       {"--groups-csv", options_.groups_csv},
				       {"--depth-csv", options_.depth_csv},
				       {"--html", options_.html}},
				      options_.directory, options_.inputs);

	if (status.ok() && !options_.csv.empty()) {
		status = csv_.replace(options_.csv);
		print_csv_header(csv_.text(), job_columns());
	}
	if (status.ok() && !options_.delays_csv.empty()) {
		status = delays_.replace(options_.delays_csv);
		DelayCsv::print_header(delays_.text());
	}
	if (status.ok() && !options_.groups_csv.empty()) {
		status = groups_.replace(options_.groups_csv);
		GroupTable::print_csv_header(groups_.text());
	}
	if (status.ok() && !options_.depth_csv.empty()) {
		status = depth_.replace(options_.depth_csv);
		Activity::print_depth_header(depth_.text());
	}
	if (status.ok() && !options_.json.empty())
		status = json_.replace(options_.json);
	// Output for a program, or a picture, is not mixed with tables.
	if (status.ok() && (options_.output != "-" || !options_.takes_stdout()))
		status = text_.replace(options_.output);
	if (status.ok() && !options_.html.empty())
		status = html_.replace(options_.html);
	for (uint32_t i = 0; status.ok() && i < reading_.captures().size(); i++)
		reportings_.push_back(
			std::make_unique<Reporting>(options_, i, reading_.captures().capture(i),
						    csv_.is_open() ? &csv_ : nullptr));
	return status;
}

std::span<const Event> Run::within_limit(std::span<const Event> run)
{
	const Session &session = reading_.captures().capture(run.front().capture).session();
	size_t at = 0;

	if (!options_.limit)
		return run;
	for (; at < run.size() && !is_enough(); at++)
		events_ += run[at].is_event() && options_.filter.wants_time(run[at], session);
	return run.first(at);
}

void Run::read()
{
	std::span<const Event> run;

	for (Next got; !is_enough() && (got = reading_.captures().next(run)) != Next::end;) {
		if (got == Next::event)
			reportings_[run.front().capture]->feed(within_limit(run));
		else if (csv_.is_open())
			csv_.flush();
		if (csv_.failed())
			break;
	}
}

// Checks whether there is anything of what the user chose.
Status Run::check()
{
	std::vector<CoveredTime> covered;

	if (Status status = options_.jobs.check(reading_.captures()); !status.ok())
		return status;
	for (const std::unique_ptr<Reporting> &reporting : reportings_) {
		reporting->lose_gaps();
		reporting->covered.add_end(reporting->capture.end_ts());
		covered.push_back(reporting->covered);
	}
	return check_interval(options_.filter, reading_.captures(), covered);
}

void Run::print()
{
	fmt::memory_buffer &out = text_.is_open() ? text_.text() : aside_;

	for (size_t i = 0; i < reportings_.size(); i++) {
		const std::unique_ptr<Reporting> &reporting = reportings_[i];

		reporting->finish(!is_enough());
		if (is_refused(reporting->capture))
			continue;
		if (is_enough())
			reporting->report.note_stop();
		reporting->report.print(out, {input_words(options_.directory, options_.inputs[i],
							  options_.is_session),
					      options_.choice});
		if (delays_.is_open())
			reporting->report.print_delays(delays_.text());
		if (groups_.is_open())
			reporting->report.print_groups_csv(groups_.text());
		if (depth_.is_open())
			reporting->report.print_depth_csv(depth_.text());
		if (json_.is_open())
			print_findings_json(json_.text(), *reporting->report.findings(),
					    reporting->capture);
	}
}

void Run::draw()
{
	std::vector<HtmlCapture> captures;

	for (const std::unique_ptr<Reporting> &reporting : reportings_) {
		fmt::memory_buffer end;

		if (is_refused(reporting->capture))
			continue;
		reporting->report.print_end(end);
		captures.emplace_back(*reporting->report.picture(), reporting->report.delays(),
				      fmt::to_string(end));
		captures.back().findings =
			page_findings(*reporting->report.findings(), reporting->capture);
	}
	HtmlPage(html_).write(captures);
}

int Run::close()
{
	const int code =
		reading_.close({&csv_, &json_, &delays_, &groups_, &depth_, &html_, &text_});

	pager_.reset();
	if (code)
		return code;
	print_to(stderr, "{}", fmt::to_string(aside_));
	return reading_.finish(options_.strict, {options_.jobs.missing(),
						 options_.filter.missing(reading_.captures())});
}

int Run::run()
{
	if (options_.schema) {
		print_to(stdout, "{}", findings_schema());
		return exit_ok;
	}
	if (const Status status = open(); !status.ok())
		return reading_.refuse(status);
	read();
	// The part that was not read may name more rings.
	if (!is_enough())
		if (const auto code = reading_.read_all(check()))
			return *code;
	pager_.emplace(text_.is_open() && options_.output == "-");
	// An incomplete report is not printed.
	if (!csv_.failed()) {
		print();
		if (options_.wants_picture())
			draw();
	}
	// There is nothing that a file could hold.
	if (are_refused(reading_.captures()))
		return reading_.finish(options_.strict, {});
	return close();
}

} // namespace

int report_main(int argc, char **argv)
{
	return word_main<ReportOptions, Run>(argc, argv);
}
