// SPDX-License-Identifier: GPL-2.0
//
// rates: what a record costs in each step of the report wing.
//
//	rates [--runs N] NAME
//
// Reads the capture as the programs do, once for each step, and prints the CPU
// time of the step and of all before it, in ns per record: the least of N runs
// (5), as whatever else the machine does only adds to it. "tracker alone" has
// its events in memory already, as many as fit there.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "capture.h"
#include "job_tracker.h"
#include "text_printer.h"

using namespace grtrace;

namespace {

// Events kept for the tracker: 100 MB.
constexpr size_t kept_max = 1 << 20;

double cpu_ns()
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return static_cast<double>(now.tv_sec) * 1e9 +
	       static_cast<double>(now.tv_nsec);
}

struct JobCounter : JobSink {
	void job(const Job &) override { jobs++; }

	uint64_t jobs = 0;
};

class Rates {
public:
	Rates(std::string name, int runs) : name_(std::move(name)), runs_(runs)
	{
	}

	bool measure();

private:
	// CPU time of reading all, and whatever fn does with each event.
	template <typename Fn> double read(Fn fn);
	template <typename Step> void print(const char *title, Step step);
	double replay();

	std::string name_;
	int runs_;
	uint64_t records_ = 0;
	bool failed_ = false;
	Session *session_ = nullptr; // of the capture that is being read
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
	session_ = &capture.session();
	for (Next got; (got = capture.next(event)) != Next::end;)
		if (got == Next::event)
			fn(*event);
	records_ = capture.stats().records;
	return (cpu_ns() - begin) /
	       static_cast<double>(records_ ? records_ : 1);
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

	for (int i = 0; i < runs_ && !failed_; i++)
		least = std::min(least, step());
	if (!failed_)
		fmt::print("{:<14} {:>8.2f} ns {:>9.2f} M/s\n", title, least,
			   1e3 / least);
}

bool Rates::measure()
{
	print("read", [&] { return read([](const Event &) {}); });
	print("print", [&] {
		TextPrinter printer;
		fmt::memory_buffer text;

		return read([&](const Event &event) {
			text.clear();
			printer.print(text, event, *session_);
		});
	});
	print("track", [&] {
		JobCounter counter;
		JobTracker tracker(counter);

		return read([&](const Event &event) { tracker.feed(event); });
	});
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
	const char *name = argc > 1 ? argv[argc - 1] : "";

	if (argc == 4 && !strcmp(argv[1], "--runs"))
		std::from_chars(argv[2], argv[2] + strlen(argv[2]), runs);
	else if (argc != 2)
		name = "";
	if (!*name || runs < 1) {
		fmt::print(stderr, "usage: rates [--runs N] NAME\n");
		return 2;
	}
	return !Rates(name, runs).measure();
}
