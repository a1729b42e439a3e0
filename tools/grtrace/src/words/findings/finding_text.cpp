// SPDX-License-Identifier: GPL-2.0
#include "words/findings/finding_text.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "read/capture/losses.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

const char *FindingText::title(const Finding &finding) const
{
	const bool one_job = finding.root_ns >= finding.ns / 100 * 60;

	switch (finding.kind) {
	case CauseKind::hang:
		return "A job hung";
	case CauseKind::own_queue:
		return one_job ? "A long job" : "Own queue";
	case CauseKind::other_process:
		return one_job ? "A long job" : "Another process";
	case CauseKind::unknown_process:
		return "Unknown process";
	case CauseKind::dependency:
		return "Dependencies";
	case CauseKind::host:
		return "Host of the VM";
	case CauseKind::scheduler:
		return "Scheduler";
	case CauseKind::driver:
		return "Driver";
	case CauseKind::hardware:
		return "Ring was idle";
	case CauseKind::completion:
		return "Late completion";
	case CauseKind::late_submit:
		return "Late submission";
	case CauseKind::late_wake:
		return "Late wake-up";
	case CauseKind::reset:
		return "Reset";
	case CauseKind::fence:
		return finding.fences ? "Foreign fence" : "Unknown fence";
	case CauseKind::loss:
		return "Records lost";
	case CauseKind::unknown:
		return "Not recorded";
	case CauseKind::forgotten:
		return "Not followed";
	case CauseKind::not_over:
		return StandstillText::title(standstill(finding));
	}
	return "?";
}

std::string FindingText::job(const JobName &job)
{
	return fmt::format("{}:{}", job.ctx, job.seqno);
}

const Standstill &FindingText::standstill(const Finding &finding) const
{
	return findings_.causes().not_over().all()[finding.standstill - 1];
}

std::string FindingText::place(const Finding &finding) const
{
	if (finding.kind == CauseKind::not_over)
		return fmt::format("since {} s", at(finding.from));
	if (finding.kind == CauseKind::hang)
		return fmt::format("at {} s", at(finding.root_start));
	if (at(finding.from) == at(finding.to))
		return fmt::format("at {} s", at(finding.from));
	return fmt::format("{} to {} s", at(finding.from), at(finding.to));
}

static std::string jobs_text(uint64_t jobs)
{
	return fmt::format("{} {}", thousands(jobs), jobs == 1 ? "job" : "jobs");
}

// "5 jobs on 2 rings waited 2.62 s"; the rings are left out if the reader knows them.
std::string FindingText::who_waited(const Finding &finding) const
{
	std::string where;

	if (finding.rings.size() == Finding::rings_max)
		where = fmt::format(" on {} rings or more", finding.rings.size());
	else if (finding.rings.size() > 1)
		where = fmt::format(" on {} rings", finding.rings.size());
	else if (finding.rings.front() != finding.ring)
		where = fmt::format(" on {}", ring(finding.rings.front()));
	return fmt::format("{}{} waited {}", jobs_text(finding.jobs), where,
			   short_time(finding.ns));
}

// On a ring of the CPU's, a job waited for what the CPU did.
const char *FindingText::what_executes(const Finding &finding) const
{
	size_t cpu = 0;

	for (const uint32_t id : finding.rings)
		cpu += session_.rings.find(id).has(GRTRACE_RING_CPU);
	if (!cpu)
		return "GPU";
	return cpu < finding.rings.size() ? "GPU and the CPU" : "CPU";
}

// Whether a job that no record names a fence for had none: some recorders and kernels do not
// report all of them.
bool FindingText::tells_fences() const
{
	return findings_.tells_fences() && !lacks(session_, "dependencies") &&
	       std::ranges::all_of(session_.sources, [](const Source &source) {
		       return source.name != "drm_sched" || source.found >= source.known;
	       });
}

// Returns " on compute0" if it is a single ring.
std::string FindingText::on_ring(const Finding &finding) const
{
	return finding.ring == GRTRACE_RING_NONE ? "" : " on " + ring(finding.ring);
}

// How much of the wait the job that a finding names is for.
static std::string_view most_of(const Finding &finding)
{
	return finding.root_ns >= finding.ns / 2 ? "Mostly" : "Longest";
}

// Names the most important job.
std::string FindingText::mostly(const Finding &finding) const
{
	if (finding.root == JobName() || finding.root_end <= finding.root_start)
		return "";
	return fmt::format(" {} for {}, which ran {}{} at {} s.", most_of(finding),
			   job(finding.root), short_time(finding.root_end - finding.root_start),
			   finding.root.ring == finding.ring ?
				   "" :
				   fmt::format(" on {}", ring(finding.root.ring)),
			   at(finding.root_start));
}

// with_time: says when it was, because nothing beside it does.
std::string FindingText::hang_text(const Hang &hang, bool with_time) const
{
	const std::string who = fmt::format("{} of {}", job(hang.name), process(hang.process));
	const std::string where = ring(hang.name.ring);
	// A job that began before the capture ran for longer.
	const std::string length =
		(hang.before ? "at least " : "") + short_time(hang.left - hang.start);
	std::string error;

	if (hang.again)
		return fmt::format("{} hung on {} for {}, {}until it was handed over again", who,
				   where, length,
				   with_time ? fmt::format("from {} s, ", at(hang.start)) : "");
	if (hang.error < 0 && hang.error >= -4095)
		error = fmt::format(" ({})", strerrorname_np(-hang.error) ?: "?");
	if (hang.guilty_pid)
		error += ", for which the driver blames " + session_.tasks.guilty(hang.guilty_pid);
	return fmt::format("{} {}ran {} on {}, {}{}", who,
			   with_time ? fmt::format("began at {} s and ", at(hang.start)) : "",
			   length, where, hang.until(), error);
}

// A job that was handed over again may itself have waited during that time.
std::string FindingText::hang_waits(const Finding &finding) const
{
	if (!finding.own_ns)
		return fmt::format(". {} for it.", who_waited(finding));
	if (finding.own_ns == finding.ns)
		return "; it waited itself until then.";
	return fmt::format(". {} for it, itself among them.", who_waited(finding));
}

// No record of a GPU shows why the task did not run.
std::string FindingText::late_wake(const Finding &finding) const
{
	return fmt::format("{} ran again {} after the COMPLETE of {}{} that it waited for.{} The "
			   "GPU was done; --sched records what kept the task from running.",
			   process(finding.process), short_time(finding.ns),
			   jobs_text(finding.jobs), on_ring(finding),
			   finding.jobs == 1 ?
				   "" :
				   fmt::format(" Longest for {}: {}.", job(finding.root),
					       short_time(finding.root_end - finding.root_start)));
}

// The names of its context say who signals it; a job's fence would have a ring.
std::string FindingText::fence(const Finding &finding) const
{
	const FenceNames *names = session_.fences.find(finding.root.ctx);

	if (!finding.fences || !names)
		return fmt::format("{} for fences of no job that was recorded. No record shows "
				   "what signals them.",
				   who_waited(finding));
	return fmt::format("{} for fences of driver {} ({}), which are no jobs that were recorded. "
			   "{} for {}, which blocked for {} at {} s.",
			   who_waited(finding), names->driver, names->timeline, most_of(finding),
			   job(finding.root), short_time(finding.root_end - finding.root_start),
			   at(finding.root_start));
}

std::string FindingText::sentences(const Finding &finding) const
{
	if (finding.kind == CauseKind::not_over)
		return standing_.sentence(standstill(finding));

	const std::string waited = who_waited(finding);

	switch (finding.kind) {
	case CauseKind::hang:
		return hang_text(findings_.hangs()[finding.hang - 1], false) + hang_waits(finding);
	case CauseKind::own_queue:
		// Some may have waited for a job in that queue, and be another process's.
		return fmt::format("{} queued more{} than could run: {} for earlier jobs of that "
				   "process.{}",
				   process(finding.process), on_ring(finding), waited,
				   mostly(finding));
	case CauseKind::other_process:
		return fmt::format("{} had the {}{}: {} for its jobs.{}", process(finding.process),
				   what_executes(finding), on_ring(finding), waited,
				   mostly(finding));
	case CauseKind::unknown_process:
		return fmt::format("{} for jobs{} of unknown processes.{}", waited,
				   on_ring(finding), mostly(finding));
	case CauseKind::dependency:
		return fmt::format("{} for fences of jobs of {}.{}", waited,
				   process(finding.process), mostly(finding));
	case CauseKind::host:
		return fmt::format("{} for the host, which had a command{}.{}", waited,
				   on_ring(finding), mostly(finding));
	case CauseKind::scheduler:
		return fmt::format("{} until the scheduler picked a job{}, {} no job ran there. "
				   "The records do not say why: {}no credits, a stopped queue, or "
				   "a busy CPU.",
				   waited, on_ring(finding),
				   tells_fences() ? "though no fence held it and" : "and",
				   tells_fences() ? "" : "a fence, ");
	case CauseKind::driver:
		return fmt::format("{} in the driver{}, from PICK until it handed them over.",
				   waited, on_ring(finding));
	case CauseKind::hardware:
		// A job may also wait for one that another ring had.
		return fmt::format(
			"{} while {} had a job, ran none, and did not begin it. The "
			"kernel cannot see why.",
			waited, finding.ring == GRTRACE_RING_NONE ? "a ring" : ring(finding.ring));
	case CauseKind::completion:
		return fmt::format("{} for jobs{} that had ended, until their COMPLETE.", waited,
				   on_ring(finding));
	case CauseKind::late_submit:
		return fmt::format("{} for jobs that {} had not yet submitted.", waited,
				   process(finding.process));
	case CauseKind::late_wake:
		return late_wake(finding);
	case CauseKind::reset:
		return fmt::format("{} until their ring{} was reset and got them again.", waited,
				   on_ring(finding));
	case CauseKind::fence:
		return fence(finding);
	case CauseKind::loss:
		return fmt::format("{} while records were lost: nothing is known about that time.",
				   waited);
	case CauseKind::unknown:
		return fmt::format("{}, and no record says for what.", waited);
	case CauseKind::forgotten:
		return fmt::format("{} behind a longer chain of jobs, or more at a time, than is "
				   "followed.",
				   waited);
	case CauseKind::not_over:
		break;
	}
	return waited;
}

std::string FindingText::chain(const Finding &finding) const
{
	std::string text;

	if (finding.chain.size() < 2)
		return text;
	for (size_t i = finding.chain.size(); i--;) {
		const JobName &name = finding.chain[i];

		text += fmt::format("{}{}", text.empty() ? "" : " <- ", job(name));
		if (i + 1 == finding.chain.size() || name.ring != finding.chain[i + 1].ring)
			text += name.ring == GRTRACE_RING_NONE ? "" : " " + ring(name.ring);
	}
	return text;
}

// Only reports about jobs whose waits are known; others may also have waited.
std::string FindingText::quiet_waits(uint32_t hang) const
{
	const char *who = findings_.is_chosen() ? "None of the chosen jobs" : "No other job";
	const char *when = findings_.is_clipped() ? " in this interval" : "";
	std::string text = ".";

	if (findings_.waited_itself(hang))
		text = "; it waited itself until then.";
	if (const uint64_t ns = findings_.waited_for(hang))
		text += fmt::format(" Other jobs waited {} for it.", short_time(ns));
	else if (!findings_.knows_all())
		text += fmt::format(" {} is known to have waited for it{}.", who, when);
	else if (!findings_.waited_itself(hang))
		text += fmt::format(" {} waited for it{}.", who, when);
	return text;
}

std::string FindingText::quiet_hangs() const
{
	std::string text;
	size_t more = 0;

	for (size_t i = 0; i < findings_.hangs().size(); i++) {
		const Hang &hang = findings_.hangs()[i];

		const auto number = static_cast<uint32_t>(i + 1);

		if (findings_.is_told(number) || !findings_.concerns(hang))
			continue;
		if (!text.empty()) {
			more++;
			continue;
		}
		text = hang_text(hang, true) + quiet_waits(number);
	}
	if (more)
		text += fmt::format(" {} more hung like that.", more);
	return text;
}

std::string FindingText::rest() const
{
	const uint64_t rest = findings_.rest_ns();

	if (!rest)
		return "";
	return fmt::format("The rest, {} ({:.1f} %), has causes of less than {} % or {} each, or "
			   "of less than {} for a job.",
			   short_time(rest),
			   100.0 * static_cast<double>(rest) /
				   static_cast<double>(findings_.all_ns()),
			   Findings::least_percent, short_time(Findings::least_ns),
			   short_time(Findings::least_each_ns));
}

} // namespace grtrace
