// SPDX-License-Identifier: GPL-2.0
//
// The meaning of the letters and signs of a TimelineGantt.
#include <algorithm>

#include "lib/text/duration.h"
#include "read/capture/losses.h"
#include "words/timeline/timeline_gantt.h"

namespace grtrace {

// Sorted by time on the rings, the greatest first.
void TimelineGantt::name_letters()
{
	std::vector<Process *> order;

	for (Process &process : processes_)
		if (process.letter != '?')
			order.push_back(&process);
	std::sort(order.begin(), order.end(), [](const Process *a, const Process *b) {
		if (a->on_ring != b->on_ring)
			return a->on_ring > b->on_ring;
		return a->tgid < b->tgid;
	});
	for (size_t i = 0; i < order.size(); i++) {
		order[i]->rank = i;
		if (i < 26)
			order[i]->letter = static_cast<char>('A' + i);
	}
}

// Prints what follows a letter: comm, pid, jobs if there is room, time on the rings.
void TimelineGantt::print_process(const std::string &comm, const std::string &pid,
				  const std::string &jobs, const std::string &on_rings)
{
	constexpr size_t wide = 54;
	std::string line = fmt::format("  {}{:>8}", fit(comm, 16), pid);

	if (terminal_.width >= wide)
		line += fmt::format("{:>14}", jobs);
	paint_->put(fit(fmt::format("{}  {:>11}", line, on_rings), terminal_.width - 1));
	paint_->end_line();
}

void TimelineGantt::print_legend()
{
	std::vector<const Process *> order;
	uint64_t more = 0;

	for (const Process &process : processes_) {
		if (process.letter == '*')
			more++;
		else if (process.jobs)
			order.push_back(&process);
	}
	std::sort(order.begin(), order.end(),
		  [](const Process *a, const Process *b) { return a->rank < b->rank; });
	if (!processes_.empty()) {
		paint_->end_line();
		paint_->put(" ");
		print_process("COMM", "PID", "JOBS", "ON RINGS");
	}
	for (const Process *process : order) {
		bool known = process->letter != '?';

		paint_->put({&process->letter, 1}, colour_of(process->rank));
		print_process(
			!known                ? "no SUBMIT seen" :
			process->comm.empty() ? "?" :
						process->comm,
			known ? fmt::to_string(process->tgid) : "NA", thousands(process->jobs),
			duration_text(process->stays.all_unknown() ? Job::none : process->on_ring));
	}
	if (more) {
		paint_->put(fmt::format("*  {} more", thousands(more)));
		paint_->end_line();
	}
	threads_.print_legend(*paint_);
	print_key();
}

// Explains the signs in the drawing that are hard to guess.
void TimelineGantt::print_key()
{
	std::vector<std::string> signs;

	if (!processes_.empty())
		signs = {"A: on the ring for half of the column or more", "a: for less", ".: idle"};
	if (has_crowd_)
		signs.push_back("+: more processes than these");
	if (drew_loss_)
		signs.push_back("/: records were lost");
	if (has_track_)
		signs.push_back(
			terminal_.utf8 ?
				"depth: jobs from SUBMIT to END, on average, the greatest is a "
				"full block" :
				"depth: jobs from SUBMIT to END, on average, + is 10 or more");
	for (std::string &sign : threads_.key())
		signs.push_back(std::move(sign));
	if (drew_error_ || threads_.drew_failure())
		signs.push_back(threads_.empty() ? "!: an ERROR, or a job failed" :
						   "!: an ERROR, or a job or ioctl failed");
	if (drew_vblank_ || drew_note_)
		signs.push_back(fmt::format("{}: how many messages, + is 10 or more",
					    !drew_note_   ? "vblank" :
					    !drew_vblank_ ? "note" :
							    "vblank, note"));
	paint_->end_line();
	for (const std::string &line : wrap(signs, terminal_.width)) {
		paint_->put(line, Colour::faint);
		paint_->end_line();
	}
}

} // namespace grtrace
