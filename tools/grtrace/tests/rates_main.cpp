// SPDX-License-Identifier: GPL-2.0
//
// rates: what a record costs in each step of the report wing.
//
//	rates [--runs N] [--step STEP] NAME
//
// Reads the capture as the programs do, once for each step, and prints the CPU
// time of the step and of all before it, in ns per record: the least of N runs
// (5), as whatever else the machine does only adds to it. "stages" is a report
// with --per-ring, "report" the first screen, "full" one with all tables, and "no
// findings" the same without the findings. "tracker alone" has its events in memory
// already, as many as fit there.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "grparse/text_printer.h"
#include "read/capture/capture.h"
#include "words/report/report.h"
#include "words/report/report_options.h"
#include "words/tracker/job_tracker.h"

using namespace grtrace;

namespace {

// Events kept for the tracker: 100 MB.
constexpr size_t kept_max = 1 << 20;

double cpu_ns()
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct JobCounter : JobSink {
	void job(const Job &) override { jobs++; }

	uint64_t jobs = 0;
};

class Rates {
public:
	Rates(std::string name, int runs, std::string only)
		: name_(std::move(name)), runs_(runs), only_(std::move(only))
	{
	}

	bool measure();

private:
	// CPU time of reading all, and whatever fn does with each event.
	template <typename Fn> double read(Fn fn);
	template <typename Step> void print(const char *title, Step step);
	double report(std::vector<const char *> words, bool findings = true);
	double replay();

	std::string name_;
	int runs_;
	std::string only_; // this step, or empty
	uint64_t records_ = 0;
	bool failed_ = false;
	Capture *capture_ = nullptr; // that is being read
	std::vector<Event> kept_;
};

template <typename Fn> double Rates::read(Fn fn)
{
	Diagnostics diagnostics([this](const std::string &sentence) {
		failed_ = true;
		fmt::print(stderr, "rates: {}\n", sentence);
	});
	Capture capture(diagnostics);
	const Event *event;
	double begin = cpu_ns();

	if (Status status = capture.open("", name_); !status.ok()) {
		diagnostics.error(status.sentence());
		return 0;
	}
	capture_ = &capture;
	for (Next got; (got = capture.next(event)) != Next::end;)
		if (got == Next::event)
			fn(*event);
	records_ = capture.stats().records;
	return (cpu_ns() - begin) / static_cast<double>(records_ ? records_ : 1);
}

double Rates::report(std::vector<const char *> words, bool findings)
{
	ReportOptions options;
	std::unique_ptr<Report> report;
	std::unique_ptr<JobTracker> tracker;

	options.findings = findings;
	words.push_back(name_.c_str());
	if (!options.parse(static_cast<int>(words.size()), const_cast<char **>(words.data())).ok())
		return 0;
	return read([&](const Event &event) {
		if (!report) {
			report = std::make_unique<Report>(options, 0, *capture_, nullptr);
			tracker = std::make_unique<JobTracker>(*report, &report->sections());
			report->begin(event.ts);
		}
		tracker->feed(event);
	});
}

double Rates::replay()
{
	JobCounter counter;
	double begin = cpu_ns();
	JobTracker tracker(counter);

	for (const Event &event : kept_)
		tracker.feed(event);
	tracker.finish();
	return (cpu_ns() - begin) / static_cast<double>(kept_.size());
}

template <typename Step> void Rates::print(const char *title, Step step)
{
	double least = 1e18;

	if (!only_.empty() && only_ != title)
		return;
	for (int i = 0; i < runs_ && !failed_; i++)
		least = std::min(least, step());
	if (!failed_)
		fmt::print("{:<14} {:>8.2f} ns {:>9.2f} M/s\n", title, least, 1e3 / least);
}

bool Rates::measure()
{
	print("read", [&] { return read([](const Event &) {}); });
	print("print", [&] {
		TextPrinter printer;
		fmt::memory_buffer text;

		return read([&](const Event &event) {
			text.clear();
			printer.print(text, event, capture_->session());
		});
	});
	print("track", [&] {
		JobCounter counter;
		JobTracker tracker(counter);

		return read([&](const Event &event) { tracker.feed(event); });
	});
	print("stages", [&] { return report({"", "--per-ring"}); });
	print("report", [&] { return report({""}); });
	print("no findings", [&] { return report({"", "--full"}, false); });
	print("full", [&] { return report({"", "--full"}); });
	// Nothing prints these, so their bytes may die.
	kept_.clear();
	read([&](const Event &event) {
		if (kept_.size() < kept_max)
			kept_.push_back(event);
	});
	if (!kept_.empty())
		print("tracker alone", [&] { return replay(); });
	return !failed_;
}

} // namespace

int main(int argc, char **argv)
{
	int runs = 5;
	std::string name, only;

	for (int i = 1; i < argc; i++) {
		const std::string_view word = argv[i];

		if (word == "--runs" && i + 1 < argc)
			runs = atoi(argv[++i]);
		else if (word == "--step" && i + 1 < argc)
			only = argv[++i];
		else
			name = word;
	}
	if (name.empty() || runs < 1) {
		fmt::print(stderr, "usage: rates [--runs N] [--step STEP] NAME\n");
		return 2;
	}
	return !Rates(name, runs, only).measure();
}
