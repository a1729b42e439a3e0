// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_findings.h"

#include "format/vocabulary.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"

namespace grtrace {

namespace {

struct KindText {
	const char *name;
	Severity severity; // the usual one
	const char *what;
};

constexpr KindText kinds[nr_fault_kinds] = {
	{"damage", Severity::damage, "bytes that are no record"},
	{"hole", Severity::damage, "sequence numbers that are in no file"},
	{"lost-sum", Severity::damage, "LOST records that do not add up to PACKET.lost"},
	{"no-stream-info", Severity::damage, "no STREAM_INFO"},
	{"gseq", Severity::fault, "gseq repeated or running backwards"},
	{"clock", Severity::fault, "time running backwards on a CPU"},
	{"unknown-ring", Severity::fault, "a ring without a RING record"},
	{"no-task", Severity::note, "a pid without a TASK record"},
	{"bad-value", Severity::fault, "a number that means nothing"},
	{"no-submit", Severity::fault, "a job without a SUBMIT"},
	{"early-step", Severity::fault, "a step before the job's SUBMIT"},
	{"submit-twice", Severity::fault, "a SUBMIT of a job in flight"},
	{"seqno-order", Severity::fault, "seqnos of a context running backwards"},
	{"job-clock", Severity::fault, "time running backwards in a job"},
	{"end-early", Severity::fault, "END before COMMIT"},
	{"end-twice", Severity::fault, "END of a job that had ended"},
	{"start-late", Severity::fault, "START of a job that was over"},
	{"complete-twice", Severity::fault, "COMPLETE of a complete job"},
	{"complete-order", Severity::fault, "COMPLETE out of order in a context"},
	{"dependency", Severity::fault, "a job that did not wait for its dependency"},
	{"no-wait", Severity::fault, "SYNC_WAIT_EXIT without ENTER"},
};

constexpr const char *severity_names[nr_severities] = {"damage", "fault", "note"};

const KindText &text_of(FaultKind kind)
{
	return kinds[static_cast<size_t>(kind)];
}

const char *name_of(Severity severity)
{
	return severity_names[static_cast<size_t>(severity)];
}

} // namespace

std::string key_text(uint64_t ctx, uint32_t seqno)
{
	return fmt::format("{}:{}", ctx, seqno);
}

RecordPlace::RecordPlace(const Event &event)
	: offset(event.offset), gseq(event.gseq), ctx(event.ctx), ts(event.ts), seqno(event.seqno),
	  ring(event.ring), cpu(event.cpu), stream(event.stream), type(event.type)
{
}

bool is_before(const RecordPlace &a, const Event &b)
{
	return a.cpu == b.cpu || a.ts < b.ts;
}

static std::string record_text(const RecordPlace &place)
{
	const RecordKind *kind = record_kind(place.type);
	const std::string name = kind ? kind->name : fmt::format("type {:#x}", place.type);

	if (!place.type)
		return {};
	if (place.type >= GRTRACE_TYPE_LIMIT)
		return fmt::format("{} (CPU {}): ", name, place.cpu);
	return fmt::format("{} {} ring {} (CPU {}, gseq {}): ", name,
			   key_text(place.ctx, place.seqno), place.ring, place.cpu, place.gseq);
}

// Counts a finding, and returns whether there is room for its line.
bool VerifyFindings::counts(FaultKind kind, Severity severity)
{
	return numbers_[static_cast<size_t>(kind)][static_cast<size_t>(severity)]++ < limit_;
}

void VerifyFindings::add(FaultKind kind, const RecordPlace &place, const std::string &what)
{
	add(kind, text_of(kind).severity, place, what);
}

void VerifyFindings::add(FaultKind kind, Severity severity, const RecordPlace &place,
			 const std::string &what)
{
	if (counts(kind, severity))
		print_to(text_, "{}:{}: {}{} [{} {}]\n", capture_.file(place.stream), place.offset,
			 record_text(place), what, name_of(severity), text_of(kind).name);
}

void VerifyFindings::add(FaultKind kind, const std::string &what)
{
	const Severity severity = text_of(kind).severity;

	if (counts(kind, severity))
		print_to(text_, "{} [{} {}]\n", what, name_of(severity), text_of(kind).name);
}

void VerifyFindings::judge(const Suspect &suspect)
{
	if (losses_.touch(suspect.from, suspect.to))
		add(suspect.kind, Severity::note, suspect.place,
		    suspect.what + "; records were lost or left out there");
	else
		add(suspect.kind, suspect.place, suspect.what);
}

void VerifyFindings::suspect(FaultKind kind, const RecordPlace &place, const std::string &what,
			     uint64_t from, uint64_t to)
{
	Suspect suspect = {kind, place, what, std::min(from, to), std::max(from, to)};

	if (suspects_.size() >= most_suspects || losses_.touch(suspect.from, suspect.to))
		judge(suspect);
	else
		suspects_.push_back(std::move(suspect));
}

void VerifyFindings::judge_suspects()
{
	for (const Suspect &suspect : suspects_)
		judge(suspect);
	suspects_.clear();
}

uint64_t VerifyFindings::number(Severity severity) const
{
	uint64_t sum = 0;

	for (const auto &numbers : numbers_)
		sum += numbers[static_cast<size_t>(severity)];
	return sum;
}

uint64_t VerifyFindings::number(FaultKind kind) const
{
	uint64_t sum = 0;

	for (uint64_t number : numbers_[static_cast<size_t>(kind)])
		sum += number;
	return sum;
}

void VerifyFindings::print_summary(fmt::memory_buffer &out) const
{
	for (size_t s = 0; s < nr_severities; s++)
		for (size_t k = 0; k < nr_fault_kinds; k++)
			if (numbers_[k][s])
				print_to(out, "{:>12} {:<7}{:<15} {}\n", thousands(numbers_[k][s]),
					 severity_names[s], kinds[k].name, kinds[k].what);
	print_to(out, "{}: {} damaged places, {} faults, {} notes\n", capture_.name(),
		 thousands(number(Severity::damage)), thousands(number(Severity::fault)),
		 thousands(number(Severity::note)));
}

} // namespace grtrace
