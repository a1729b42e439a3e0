// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_records.h"

#include "format/vocabulary.h"
#include "read/capture/losses.h"

namespace grtrace {

constexpr uint16_t known_flags =
	GRTRACE_TIME_MASK | GRTRACE_IN_MASK | GRTRACE_SLOW_QUEUE | GRTRACE_SLOW_EXEC;

// The first hole that no jump of cseq explains is reported at the end.
void VerifyRecords::notice_hole(const Event &event)
{
	findings_.lost(last_.ts, event.ts);
	if (has_hole_ || !capture_.stats().holes.records())
		return;
	has_hole_ = true;
	hole_ = RecordPlace(event);
	hole_from_ = last_.gseq + 1;
}

// gseq counts the written records of all CPUs, without holes.
void VerifyRecords::check_sequence(const Event &event, const Cpu &cpu)
{
	if (cpu.seen && event.gseq <= cpu.gseq) {
		findings_.add(
			FaultKind::gseq, RecordPlace(event),
			fmt::format("the record before it on CPU {} has gseq {}: gseq counts up",
				    event.cpu, cpu.gseq));
	} else if (began_ && event.gseq == last_.gseq) {
		findings_.add(FaultKind::gseq, RecordPlace(event),
			      fmt::format("a record on CPU {} has the same gseq: each has its own",
					  last_.cpu));
	} else if (began_ && event.gseq > last_.gseq + 1) {
		notice_hole(event);
	}
	if (!began_ || event.gseq > last_.gseq)
		last_ = RecordPlace(event);
	began_ = true;
}

void VerifyRecords::check_clock(const Event &event, const Cpu &cpu)
{
	if (!cpu.seen || event.ts + clock_slack_ns >= cpu.ts)
		return;
	findings_.add(FaultKind::clock, RecordPlace(event),
		      fmt::format("its time is {} ns before that of the record before it on CPU "
				  "{}: a CPU reads its clock for one record after the other",
				  cpu.ts - event.ts, event.cpu));
}

// A change of N may cut jobs, like a loss.
void VerifyRecords::check_sampling(const Event &event, Cpu &cpu)
{
	if (!event.is_event() || Event::is_never_sampled(event.type))
		return;
	if (cpu.weight && cpu.weight != event.weight)
		findings_.lost(cpu.ts, event.ts);
	cpu.weight = event.weight;
}

void VerifyRecords::check_queue(const RecordPlace &place, const QueueChange &change)
{
	if (change.state > GRTRACE_QUEUE_ON)
		streams_.bad_value(place, fmt::format("its state is {}, the last one is {}",
						      change.state, int(GRTRACE_QUEUE_ON)));
	if (change.reason > GRTRACE_QUEUE_FAULTED)
		streams_.bad_value(place, fmt::format("its reason is {}, the last one is {}",
						      change.reason, int(GRTRACE_QUEUE_FAULTED)));
}

void VerifyRecords::check_values(const Event &event)
{
	const RecordPlace place(event);

	if (event.type == GRTRACE_ERROR && event.kind > GRTRACE_ERROR_WEDGED)
		streams_.bad_value(place, fmt::format("its kind is {}, the last one is {}",
						      event.kind, int(GRTRACE_ERROR_WEDGED)));
	if (event.type == GRTRACE_QUEUE)
		check_queue(place, queue_of(event));
	if (event.flags & ~known_flags)
		streams_.bad_value(
			Severity::note, place,
			fmt::format("its flags are {:#x}, and this program does not know {:#x} of "
				    "these; it ignores them",
				    event.flags, event.flags & ~known_flags));
	if ((event.flags & GRTRACE_IN_MASK) == GRTRACE_IN_MASK)
		streams_.bad_value(
			place,
			fmt::format("its flags are {:#x}: it is in softirq and hardirq at once",
				    event.flags));
}

// RING is written before the first record that uses the id. Only the end shows whether it
// was lost or comes with the tables.
void VerifyRecords::check_ring(const Event &event)
{
	if (event.ring != GRTRACE_RING_NONE && !capture_.session().rings.find(event.ring).known &&
	    unknown_rings_.size() < most_rings)
		unknown_rings_.try_emplace(event.ring, RecordPlace(event));
}

void VerifyRecords::enter(Task &task, const Event &event)
{
	for (Wait &wait : task.waits) {
		if (wait.used)
			continue;
		wait = {event.ctx, event.seqno, true};
		return;
	}
	task.too_many = true;
}

void VerifyRecords::leave(Task &task, const Event &event)
{
	for (Wait &wait : task.waits) {
		if (!wait.used || wait.ctx != event.ctx || wait.seqno != event.seqno)
			continue;
		wait.used = false;
		return;
	}
	if (task.too_many)
		return;
	// A task that has waited since before the capture has no earlier record in it.
	if (!task.seen)
		findings_.add(FaultKind::no_wait, Severity::note, RecordPlace(event),
			      "its task began to wait before the capture");
	else
		findings_.suspect(FaultKind::no_wait, RecordPlace(event),
				  fmt::format("task {} did not begin to wait for this fence, "
					      "though it has earlier records",
					      event.pid),
				  task.since, event.ts);
}

void VerifyRecords::check_task(const Event &event)
{
	if (!event.in_task() || !event.pid)
		return;
	if (tasks_.size() >= most_tasks)
		tasks_.clear();

	Task &task = tasks_.get(event.pid);
	if (!task.told && !capture_.session().tasks.find(event.pid)) {
		task.told = true;
		findings_.add(
			FaultKind::no_task, RecordPlace(event),
			fmt::format("pid {} has no TASK record before it: its name is unknown",
				    event.pid));
	}
	if (event.type == GRTRACE_SYNC_WAIT_ENTER)
		enter(task, event);
	else if (event.type == GRTRACE_SYNC_WAIT_EXIT)
		leave(task, event);
	if (!task.seen)
		task.since = event.ts;
	task.seen = true;
}

void VerifyRecords::notice_gaps()
{
	for (const Gap &gap : capture_.take_gaps())
		findings_.lost(gap.from_ts, gap.to_ts);
}

void VerifyRecords::feed(const Event &event)
{
	streams_.now(event.ts);
	notice_gaps();
	if (!event.sequenced)
		return;
	if (event.cpu >= cpus_.size())
		cpus_.resize(event.cpu + 1);

	Cpu &cpu = cpus_[event.cpu];
	check_sequence(event, cpu);
	check_clock(event, cpu);
	check_sampling(event, cpu);
	cpu.ts = event.ts;
	cpu.gseq = event.gseq;
	cpu.seen = true;
	if (event.type == GRTRACE_RING)
		streams_.check_ring(RecordPlace(event), event.raw);
	if (event.type == GRTRACE_SAMPLE)
		findings_.lost(event.ts, event.ts);
	// Records of unknown types have no known fields.
	if (!is_known_event(event.type))
		return;
	if (event.type == GRTRACE_IOCTL)
		return check_task(event);
	check_values(event);
	check_ring(event);
	check_task(event);
}

void VerifyRecords::finish()
{
	const uint64_t unseen = capture_.unseen();
	uint64_t missing = 0; // by the numbers of each CPU: with whole packets

	for (const CpuStats &cpu : capture_.stats().cpus)
		missing += cpu.missing;
	// A flight recorder's newer packets overwrote them.
	if (missing && !capture_.session().overwrite())
		findings_.add(FaultKind::hole,
			      fmt::format("{}: {} records are in no file: packets were cut out",
					  capture_.name(), thousands(missing)));
	notice_gaps();
	for (const auto &[ring, place] : unknown_rings_)
		if (!capture_.session().rings.find(ring).known)
			findings_.suspect(FaultKind::unknown_ring, place,
					  fmt::format("ring {} has no RING record "
						      "before its first use",
						      ring),
					  0, place.ts);
	// The CPUs of a flight recorder are not stopped at the same moment.
	if (unseen)
		findings_.add(FaultKind::hole,
			      capture_.session().overwrite() ? Severity::note : Severity::damage,
			      hole_,
			      fmt::format("{} records are in no file, the first of them is gseq "
					  "{}: a file is missing or was cut between records",
					  thousands(unseen), hole_from_));
}

} // namespace grtrace
