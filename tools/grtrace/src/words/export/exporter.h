// SPDX-License-Identifier: GPL-2.0
//
// Exporter: writes captures in the format of another program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lib/text/status.h"
#include "read/capture/capture.h"
#include "read/stream/event.h"
#include "words/jobs/job_label.h"
#include "words/tracker/job.h"
#include "words/tracker/job_watcher.h"

namespace grtrace {

// The export of one capture. Receives each event that passed the filters, before the
// tracker does, and everything that the tracker makes of the chosen jobs.
class CaptureExport : public JobWatcher {
public:
	virtual void event(const Event &) {}
	// An event that did not pass; in_time: it is within the interval.
	virtual void skip(const Event &, bool /* in_time */) {}
	// Records between these times are in no file, and no LOST reports it.
	virtual void gap(const Gap &) {}
	// The capture was read to its end.
	virtual void finish() {}

	// A chosen job is over.
	virtual void job(const Job &, JobLabel) {}
	// A job that is not chosen is over; it may be what a chosen one depended on.
	virtual void other_job(const Job &, JobLabel) {}
	void moved(const Job &, JobPhase, uint64_t) override {}
};

// Owns the output. The first error stays and is returned by close(). The file gets its name
// only when close() finds that everything is written.
class Exporter {
public:
	virtual ~Exporter() = default;

	virtual Status open(const std::string &path) = 0;
	// index is that of event.capture. The exporter must outlive the CaptureExport,
	// which must outlive the capture.
	virtual std::unique_ptr<CaptureExport> add(uint32_t index, Capture &capture) = 0;
	// The input pipe is silent, so readers should see what there is.
	virtual void flush() {}
	// Returns a sentence for each thing that was chosen and is not in the file.
	virtual std::vector<std::string> missing() const { return {}; }
	// Returns whether continuing is pointless.
	virtual bool failed() const = 0;
	// Returns whether continuing is pointless because the reader of the
	// pipe has exited.
	virtual bool reader_gone() const { return false; }
	virtual Status close() = 0;
};

} // namespace grtrace
