// SPDX-License-Identifier: GPL-2.0
//
// How TimelineThreads are drawn.
#include <algorithm>

#include "lib/text/duration.h"
#include "lib/text/utf8_text.h"
#include "read/capture/losses.h"
#include "read/stream/ring_table.h"
#include "words/timeline/timeline_threads.h"

namespace grtrace {

// Returns the threads that were in the kernel for longest, in the order of their processes.
std::vector<TimelineThreads::Thread *> TimelineThreads::by_time() const
{
	std::vector<Thread *> order;

	for (auto &thread : threads_)
		order.push_back(thread.get());
	std::stable_sort(order.begin(), order.end(), [](const Thread *a, const Thread *b) {
		return a->in_ioctls + a->in_waits > b->in_ioctls + b->in_waits;
	});
	order.resize(std::min(order.size(), threads_max));
	std::sort(order.begin(), order.end(), [](const Thread *a, const Thread *b) {
		if (a->tgid != b->tgid)
			return a->tgid < b->tgid;
		return a->pid < b->pid;
	});
	return order;
}

// Sorted by time, the greatest first.
std::vector<uint32_t> TimelineThreads::name_signs()
{
	std::vector<uint32_t> order;

	for (uint32_t kind = 0; kind < all_.size(); kind++)
		if (all_[kind].calls)
			order.push_back(kind);
	std::stable_sort(order.begin(), order.end(),
			 [this](uint32_t a, uint32_t b) { return all_[a].ns > all_[b].ns; });
	has_others_ = order.size() > kinds_max;
	order.resize(std::min(order.size(), kinds_max));
	for (size_t i = 0; i < order.size(); i++) {
		all_[order[i]].sign = static_cast<char>('1' + i);
		all_[order[i]].rank = i;
	}
	return order;
}

static std::string share(uint64_t part, uint64_t whole)
{
	return fmt::format("{:.1f} %",
			   whole ? static_cast<double>(part) * 100 / static_cast<double>(whole) :
				   0);
}

bool TimelineThreads::is_minor(uint64_t ns, size_t column) const
{
	const uint64_t length = grid_.column_length(column);

	return ns < length && ns < length - ns;
}

bool TimelineThreads::is_lost(size_t column) const
{
	const uint64_t from = grid_.column_start(column);

	return losses_.touch(from, from + grid_.column_length(column) - 1);
}

void TimelineThreads::print_title(Paint &paint, const Thread &thread) const
{
	std::string title = fmt::format("{} {}", thread.comm.empty() ? "?" : printable(thread.comm),
					thread.pid);
	std::string counts;

	if (thread.tgid != thread.pid)
		title += fmt::format(" of {}", thread.tgid);
	if (thread.ioctls)
		counts += fmt::format("  {} {} {}", thousands(thread.ioctls),
				      thread.ioctls == 1 ? "ioctl" : "ioctls",
				      share(thread.in_ioctls, grid_.span()));
	if (thread.failed)
		counts += fmt::format(", {} failed", thousands(thread.failed));
	if (thread.waits)
		counts += fmt::format("  {} {} {}", thousands(thread.waits),
				      thread.waits == 1 ? "wait" : "waits",
				      share(thread.in_waits, grid_.span()));
	title.resize(std::min<size_t>(title.size(), terminal_.width));
	paint.end_line();
	paint.put(title, Colour::bold);
	if (counts.size() > terminal_.width - title.size()) {
		paint.end_line();
		title.clear();
	}
	paint.put(fit_parts(counts, terminal_.width - title.size()));
	paint.end_line();
}

// Each column shows the kind that took longest in it; it is faint if all kinds together
// take less than half of it.
void TimelineThreads::print_ioctls(Paint &paint, Thread &thread) const
{
	std::vector<Part> most(grid_.columns());
	std::vector<uint64_t> sums(grid_.columns());

	if (!thread.ioctls)
		return;
	for (Lane &lane : thread.lanes) {
		const std::vector<uint64_t> part = lane.sums.columns(grid_);

		for (size_t i = 0; i < part.size(); i++) {
			sums[i] += part[i];
			if (part[i] > most[i].ns)
				most[i] = {part[i], lane.kind};
		}
	}
	paint.put(" ioctl ");
	for (size_t i = 0; i < most.size(); i++) {
		const Kind kind = most[i].kind == others ? Kind() : all_[most[i].kind];

		if (most[i].ns)
			paint.put({&kind.sign, 1},
				  is_minor(sums[i], i) ? Colour::faint : colour_of(kind.rank));
		else if (is_lost(i))
			paint.put("/", Colour::red);
		else
			paint.put(".", Colour::faint);
	}
	paint.end_line();
}

void TimelineThreads::print_waits(Paint &paint, Thread &thread) const
{
	if (!thread.waits)
		return;
	const std::vector<uint64_t> sums = thread.waited.columns(grid_);

	paint.put("  wait ");
	for (size_t i = 0; i < sums.size(); i++)
		paint.put(!sums[i] ? " " : is_minor(sums[i], i) ? "w" : "W", Colour::yellow);
	paint.end_line();
}

void TimelineThreads::print_failures(Paint &paint, Thread &thread) const
{
	if (!thread.failed)
		return;
	paint.put(" error ");
	for (uint64_t count : thread.failures.columns(grid_))
		paint.put(count ? "!" : " ", Colour::bright_red);
	paint.end_line();
}

void TimelineThreads::print_thread(Paint &paint, Thread &thread) const
{
	print_title(paint, thread);
	print_ioctls(paint, thread);
	print_waits(paint, thread);
	print_failures(paint, thread);
}

void TimelineThreads::print(Paint &paint)
{
	std::vector<std::string> missing;

	order_ = name_signs();
	for (Thread *thread : by_time()) {
		print_thread(paint, *thread);
		drew_wait_ |= thread->waits != 0;
		drew_failure_ |= thread->failed != 0;
	}
	if (threads_.size() > threads_max)
		missing.push_back(fmt::format("{} more threads: choose with --pid",
					      thousands(threads_.size() - threads_max)));
	if (left_out_)
		missing.push_back(fmt::format(
			"No room for {} ioctls and waits of other threads: choose with --pid",
			thousands(left_out_)));
	for (const std::string &sentence : missing) {
		paint.put(fit(sentence, terminal_.width));
		paint.end_line();
	}
}

void TimelineThreads::print_legend(Paint &paint) const
{
	if (order_.empty())
		return;
	auto line = [&](const std::string &name, const std::string &calls,
			const std::string &failed, const std::string &time) {
		paint.put(fit(
			fmt::format("  {}{:>8}{:>8}  {:>11}", fit(name, 30), calls, failed, time),
			terminal_.width - 1));
		paint.end_line();
	};

	paint.end_line();
	paint.put(" ");
	line("IOCTL", "CALLS", "FAILED", "IN THEM");
	for (uint32_t id : order_) {
		const Kind &kind = all_[id];

		paint.put({&kind.sign, 1}, colour_of(kind.rank));
		line(kinds_.name(id), thousands(kind.calls), thousands(kind.failed),
		     duration_text(kind.ns));
	}
}

std::vector<std::string> TimelineThreads::key() const
{
	std::vector<std::string> signs;

	if (!order_.empty())
		signs.push_back("1: the ioctl that took longest in the column");
	if (has_others_)
		signs.push_back("*: in another one");
	if (drew_wait_)
		signs.push_back("W: waits for half of the column or more, w: for less");
	return signs;
}

} // namespace grtrace
