// SPDX-License-Identifier: GPL-2.0
//
// TextJobs: the records of jobs that are made of the lines of another program.
#pragma once

#include <cstdint>
#include <deque>

#include "read/stream/session.h"
#include "words/foreign/event_forms.h"
#include "words/foreign/trace_line.h"
#include "words/merge/merge_source.h"
#include "words/translate/device_names.h"
#include "words/translate/task_names.h"
#include "words/translate/translator.h"

namespace grtrace {

// Takes lines in the order of their time. Events around the rings (vblank, sched_switch) are
// lines in a merge, so they are not taken. Memory: that of a translator.
class TextJobs : public RecordSink {
public:
	TextJobs();

	// A capture of the same machine has the events of these sources, so they would be
	// there twice.
	void leave_to(const Session &capture);
	// Returns whether the line became records.
	bool take(const TraceLine &line);
	void lose() { translator_.lose(); }

	bool has_record() const { return !records_.empty(); }
	MergeRecord next();
	// The rings of the records.
	Session &session() { return session_; }

	void event(uint32_t cpu, const NewRecord &record) override;
	void ring(uint32_t cpu, uint64_t ts, const RingFacts &ring) override;
	void fence_name(uint32_t cpu, uint64_t ts, const FenceNameFacts &fence) override;
	// The source has the tasks, and the losses of the file.
	void task(uint32_t, uint64_t, const TaskFacts &) override {}
	void lost(uint32_t, uint64_t, uint64_t, uint64_t) override {}
	void message(uint32_t, uint64_t, uint32_t, std::string_view) override {}

private:
	MergeRecord &add(uint32_t cpu, uint64_t ts, uint32_t pid);

	const EventForms forms_;
	Session session_;
	DeviceNames devices_{""};
	TaskNames tasks_{"", ""};
	Translator translator_;
	FieldValues fields_; // of the current event
	std::deque<MergeRecord> records_;
	uint64_t left_ = 0; // bit n: events of kind n are lines
};

} // namespace grtrace
