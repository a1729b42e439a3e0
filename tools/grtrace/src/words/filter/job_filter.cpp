// SPDX-License-Identifier: GPL-2.0
//
// Filters for processes and contexts are about jobs, but most records of a job do not contain
// its owner. So the fences of passing jobs are followed.
#include "words/filter/job_filter.h"

#include <algorithm>
#include <utility>

#include "lib/text/nearest.h"
#include "lib/text/utf8_text.h"
#include "lib/text/words_of.h"
#include "words/filter/client_name.h"

namespace grtrace {

Status JobFilter::add(std::string_view option, std::string_view words, uint64_t limit,
		      std::vector<Choice> &choices)
{
	return for_each_word(option, words, [&](std::string_view word) {
		Choice choice;

		if (!parse_id(word, limit, choice.number))
			return Status::error("{}: \"{}\" is not a number from 0 to {}", option,
					     word, limit);
		choices.push_back(choice);
		return Status();
	});
}

// Such a word is not the name of a process, even if the number is impossible.
static bool is_number(std::string_view word)
{
	if (word.starts_with('-') || word.starts_with('+'))
		word.remove_prefix(1);
	return !word.empty() && word.find_first_not_of("0123456789") == word.npos;
}

Status JobFilter::add_pids(std::string_view words)
{
	return for_each_word("--pid", words, [&](std::string_view word) {
		Choice choice;

		if (is_number(word))
			return add("--pid", word, UINT32_MAX, pids_);
		// The kernel also cuts names.
		if (!parse_id(word, UINT32_MAX, choice.number))
			choice.name = printable(word.substr(0, GRTRACE_COMM_LEN - 1));
		pids_.push_back(std::move(choice));
		return Status();
	});
}

Status JobFilter::add_clients(std::string_view words)
{
	return for_each_word("--client", words, [&](std::string_view word) {
		Choice choice;

		if (!client_by_name(word, choice.number) &&
		    !parse_id(word, UINT64_MAX, choice.number))
			return Status::error("--client: \"{}\" is neither a number nor a job of "
					     "amdgpu's own, such as vm_update",
					     word);
		clients_.push_back(choice);
		return Status();
	});
}

Status JobFilter::add_contexts(std::string_view words)
{
	return add("--ctx", words, UINT64_MAX, contexts_);
}

bool JobFilter::by_process(bool known, uint32_t pid, Session &session)
{
	bool found = pids_.empty();

	if (found || !known)
		return found;

	const Task *task = session.tasks.find(pid);
	const Task *leader = session.tasks.leader(pid);
	for (Choice &choice : pids_)
		if (!choice.name.empty() ?
			    task && (choice.name == task->name() || choice.name == leader->name()) :
			    choice.number == pid || (task && choice.number == task->tgid))
			found = choice.met = true;
	return found;
}

// A job without a known client matches none.
bool JobFilter::by_client(uint64_t client)
{
	bool found = clients_.empty();

	for (Choice &choice : clients_)
		if (client && choice.number == client)
			found = choice.met = true;
	return found;
}

bool JobFilter::by_context(uint64_t ctx)
{
	bool found = contexts_.empty();

	for (Choice &choice : contexts_)
		if (choice.number == ctx)
			found = choice.met = true;
	return found;
}

static bool is_of_job(const Event &event)
{
	return event.type >= GRTRACE_SUBMIT && event.type <= GRTRACE_COMPLETE;
}

// Follows the job's key, and the fence that signals its END or its completion.
void JobFilter::follow(const Event &event, FollowedFences &fences)
{
	fences.add(event.ctx, event.seqno);
	if (event.has_fence && (event.type == GRTRACE_COMMIT || event.type == GRTRACE_SUBMIT))
		fences.add(event.fence_ctx, event.fence_seqno);
}

FollowedFences &JobFilter::followed_by(const Event &event)
{
	if (event.capture >= followed_.size())
		followed_.resize(event.capture + size_t(1));
	return followed_[event.capture];
}

bool JobFilter::judge(const Event &event, Session &session)
{
	const bool has_ring = event.ring != GRTRACE_RING_NONE;
	const bool is_submit = event.type == GRTRACE_SUBMIT;
	FollowedFences &fences = followed_by(event);

	// Jobs of two rings may have the same fence.
	if (rings.any() && has_ring && !rings.wants(event, session))
		return false;
	const bool followed = fences.has(event.ctx, event.seqno);
	// In an interrupt the task is not related to the event.
	if (!followed && ((rings.any() && !has_ring) || !by_context(event.ctx) ||
			  !by_client(is_submit ? client_of(event) : 0) ||
			  !by_process(event.in_task(), event.pid, session)))
		return false;
	// The scheduler's worker picks jobs but owns none.
	if (is_of_job(event) && (followed || pids_.empty() || is_submit))
		follow(event, fences);
	return true;
}

bool JobFilter::wants(const Job &job, uint32_t capture, Session &session)
{
	return (!rings.any() || rings.wants(job.ring, capture, session)) && by_context(job.ctx) &&
	       by_client(job.client) && by_process(job.submit_ts != Job::none, job.pid, session);
}

// Returns the names of processes, or all names of tasks.
static std::vector<std::string> task_names(const CaptureSet &captures, bool all)
{
	std::vector<std::string> names;

	for (size_t i = 0; i < captures.size(); i++) {
		const TaskTable &tasks = captures.capture(i).session().tasks;

		for (const auto &[pid, task] : tasks.all())
			names.emplace_back(all ? task.name() : tasks.leader(pid)->name());
	}
	std::ranges::sort(names);
	names.erase(std::unique(names.begin(), names.end()), names.end());
	return names;
}

Status JobFilter::check(const CaptureSet &captures) const
{
	static constexpr size_t most = 32;

	for (const Choice &choice : pids_) {
		const std::vector<std::string> all = task_names(captures, true);

		if (choice.name.empty() || choice.met ||
		    std::ranges::binary_search(all, choice.name))
			continue;
		const std::vector<std::string_view> views(all.begin(), all.end());
		std::vector<std::string> listed = task_names(captures, false);
		const size_t more = listed.size() - std::min(listed.size(), most);
		listed.resize(listed.size() - more);
		return Status::error("--pid {}: not in the capture{}; its processes: {}{}",
				     choice.name, did_you_mean(choice.name, views),
				     listed.empty() ? "none has a name" :
						      fmt::format("{}", fmt::join(listed, ", ")),
				     more ? fmt::format(" and {} more", more) : "");
	}
	return rings.check(captures);
}

std::vector<std::string> JobFilter::missing() const
{
	std::vector<std::string> sentences;
	auto tell = [&](const char *option, const std::vector<Choice> &choices, const char *what) {
		for (const Choice &choice : choices)
			if (!choice.met)
				sentences.push_back(fmt::format(
					"{} {}: {} was read", option,
					choice.name.empty() ? fmt::to_string(choice.number) :
							      choice.name,
					what));
	};

	tell("--pid", pids_, "no event of such a thread or process");
	tell("--client", clients_, "no SUBMIT of such a client");
	tell("--ctx", contexts_, "no event of such a context");
	return sentences;
}

} // namespace grtrace
