// SPDX-License-Identifier: GPL-2.0
//
// Any bytes at all, as one stream and as two CPU files, through everything
// that sees them: decoder, merger, tables, job tracker, all sections of a
// report, pictures, timeline, printers, writer, verify. The output of the
// writer must be readable without damage, and each of its records is read, or lost.
#include <cstdlib>
#include <memory>
#include <vector>

#include "fuzz/fuzz_stream.h"
#include "grparse/summary.h"
#include "grparse/text_printer.h"
#include "read/capture/capture.h"
#include "words/packets/stream_writer.h"
#include "words/page/html_capture.h"
#include "words/parse/job_counting.h"
#include "words/report/report.h"
#include "words/report/report_options.h"
#include "words/terminal/fold_tables.h"
#include "words/timeline/timeline_drawing.h"
#include "words/timeline/timeline_gantt.h"
#include "words/timeline/timeline_latency.h"
#include "words/tracker/job_tracker.h"
#include "words/verify/verify_capture.h"

using namespace grtrace;

namespace {

ReportOptions everything()
{
	ReportOptions options;

	options.per_ring = true;
	options.per_device = true;
	options.busy = true;
	options.delays = DelayRings::all;
	options.html = "wanted"; // nothing is written
	options.per_ctx = true;
	options.per_process = true;
	options.histograms = {"lat", "size", "result"};
	options.top = 3;
	return options;
}

// Each sink behind a tracker of its own.
struct Analysis {
	explicit Analysis(Capture &capture, ReportOptions &options)
		: capture(capture), terminal(TerminalFacts(), ColourWhen::never, 80),
		  summary(capture), report(options, 0, capture, nullptr),
		  timeline(choice, 0, capture),
		  counting({true, true, true, 'N'}, {.shown = true, .apart = true}),
		  for_report(report, &report.sections())
	{
		counting.add(capture);
		timeline.add(std::make_unique<TimelineGantt>(terminal, choice, 0, capture,
							     timeline.kinds()));
		timeline.add(std::make_unique<TimelineLatency>(true, terminal, capture,
							       timeline.kinds()));
	}

	void tell_gaps()
	{
		const std::vector<Gap> gaps = capture.take_gaps();

		sum.lose(gaps);
		counting.lose(0, gaps);
		for_report.lose(gaps);
		timeline.lose(gaps);
	}
	void feed(const Event &event)
	{
		if (!begun)
			report.begin(event.ts);
		begun = true;
		last_ts = std::max(last_ts, event.ts);
		tell_gaps();
		sum.feed(event);
		summary.add(event);
		timeline.feed(event);
		counting.feed(event, true);
		counting.show(event);
		for_report.feed(event);
	}
	void finish(fmt::memory_buffer &text)
	{
		tell_gaps();
		sum.check(capture);
		for_report.finish();
		timeline.finish();
		report.finish(last_ts);
		summary.print(text, counting.texts(0));
		report.print(text, {" capture", ""});
		fold_tables({text.data(), text.size()}, 60);
		timeline.print(text);
		HtmlCapture(*report.picture(), report.delays(), "");
	}

	Capture &capture;
	Terminal terminal;
	TimelineChoice choice;
	Summary summary;
	Report report;
	TimelineDrawing timeline;
	JobCounting counting;
	JobTracker for_report;
	StreamSum sum;
	uint64_t last_ts = 0;
	bool begun = false;
};

Bytes run(const std::vector<Bytes> &streams, bool per_cpu)
{
	static ReportOptions options = everything();

	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	Analysis analysis(capture, options);
	BinaryWriter writer(capture.session());
	TextPrinter printer;
	fmt::memory_buffer text;
	fmt::memory_buffer binary;
	const Event *event;

	capture.open_memory(streams, per_cpu);
	while (capture.next(event) == Next::event) {
		printer.print(text, *event, capture.session());
		analysis.feed(*event);
		writer.write(binary, *event);
		text.clear();
	}
	analysis.finish(text);
	writer.finish(binary);
	return Bytes(binary.begin(), binary.end());
}

void verify(const std::vector<Bytes> &streams, bool per_cpu)
{
	VerifyCapture verify(10);

	verify.open_memory(streams, per_cpu);
	while (verify.next() != Next::end)
		;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const Bytes all = near_cpus(data, size);
	const auto middle = all.begin() + static_cast<ptrdiff_t>(size / 2);
	const Bytes first(all.begin(), middle), second(middle, all.end());

	check_readable({run({all}, false)}, false);
	run({first, second}, true);
	verify({first, second}, true);
	return 0;
}
