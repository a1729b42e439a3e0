// SPDX-License-Identifier: GPL-2.0
//
// Any bytes at all, as one stream and as two CPU files, through everything
// that sees them: decoder, merger, tables, job tracker, printers, writer. What
// the writer wrote must be readable without damage.
#include <cstdlib>
#include <vector>

#include "binary_writer.h"
#include "capture.h"
#include "job_tracker.h"
#include "report.h"
#include "report_options.h"
#include "summary.h"
#include "text_printer.h"

using namespace grtrace;

using Bytes = std::vector<uint8_t>;

namespace {

ReportOptions everything()
{
	ReportOptions options;

	options.per_ring = true;
	options.per_ctx = true;
	options.per_process = true;
	options.histograms = {"lat", "size", "result"};
	options.top = 3;
	return options;
}

// Both sinks behind trackers of their own.
struct Analysis {
	explicit Analysis(Capture &capture, const ReportOptions &options)
		: summary(capture), report(options, capture, nullptr),
		  for_summary(summary), for_report(report)
	{
	}

	Summary summary;
	Report report;
	JobTracker for_summary;
	JobTracker for_report;
};

Bytes run(const std::vector<Bytes> &streams, bool per_cpu)
{
	static const ReportOptions options = everything();

	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	Analysis analysis(capture, options);
	BinaryWriter writer(capture);
	TextPrinter printer;
	fmt::memory_buffer text;
	fmt::memory_buffer binary;
	const Event *event;

	capture.open_memory(streams, per_cpu);
	while (capture.next(event) == Next::event) {
		printer.print(text, *event, capture.session());
		analysis.summary.add(*event);
		analysis.for_summary.feed(*event);
		analysis.for_report.feed(*event);
		writer.write(binary, *event);
		text.clear();
	}
	analysis.for_summary.finish();
	analysis.for_report.finish();
	analysis.summary.print(text, {true, true, true, 'N'});
	analysis.report.print(text);
	return Bytes(binary.begin(), binary.end());
}

void check_readable(const Bytes &bytes)
{
	Diagnostics diagnostics(nullptr);
	Capture capture(diagnostics);
	const Event *event;

	capture.open_memory({bytes}, false);
	while (capture.next(event) == Next::event)
		;
	if (capture.stats().damaged_bytes)
		abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Bytes all(data, data + size);
	Bytes first(data, data + size / 2);
	Bytes second(data + size / 2, data + size);

	check_readable(run({all}, false));
	run({first, second}, true);
	return 0;
}
