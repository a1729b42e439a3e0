// SPDX-License-Identifier: GPL-2.0
//
// Exporter: a format of another program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "lib/text/status.h"
#include "read/capture/capture.h"
#include "read/jobs/job.h"
#include "read/jobs/job_watcher.h"
#include "read/stream/event.h"

namespace grtrace {

// One capture on its way out. Sees each event that passed the filters, before
// the tracker does, and all that the tracker makes of it.
class CaptureExport : public JobSink, public JobWatcher {
public:
	virtual void event(const Event &) {}
	// This one did not pass; in_time: not because of its time.
	virtual void skip(const Event &, bool /* in_time */) {}
	// Records are in no file between these times, and no LOST reports it.
	virtual void gap(const Gap &) {}
	// All that can come has come.
	virtual void finish() {}

	void job(const Job &) override {}
	void moved(const Job &, JobPhase, uint64_t) override {}
};

// Owns the output. The first error stays and is returned by close(); no
// reader sees a file of that name before close() found that all is written.
class Exporter {
public:
	virtual ~Exporter() = default;

	virtual Status open(const std::string &path) = 0;
	// The index is that of event.capture. The exporter must outlive it, and
	// it must outlive the capture.
	virtual std::unique_ptr<CaptureExport> add(uint32_t index, Capture &capture) = 0;
	// A pipe is silent: its reader wants to see what there is.
	virtual void flush() {}
	// There is no point in going on.
	virtual bool failed() const = 0;
	// Because the reader of its pipe has exited.
	virtual bool reader_gone() const { return false; }
	virtual Status close() = 0;
};

} // namespace grtrace
