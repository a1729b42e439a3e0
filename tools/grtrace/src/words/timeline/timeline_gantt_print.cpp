// SPDX-License-Identifier: GPL-2.0
//
// How a TimelineGantt is drawn.
#include <algorithm>
#include <cmath>

#include "format/vocabulary.h"
#include "lib/text/duration.h"
#include "read/capture/losses.h"
#include "words/timeline/timeline_gantt.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? static_cast<double>(part) * 100 / static_cast<double>(whole) : 0;
}

std::vector<TimelineGantt::Track *> TimelineGantt::tracks_by_name()
{
	const Session &session = capture_.session();
	std::vector<Track *> tracks;

	tracks_.each([&](uint32_t, const std::unique_ptr<Track> &track) {
		if (track)
			tracks.push_back(track.get());
	});
	// Rings of a device follow each other, in the order of their ids.
	std::stable_sort(tracks.begin(), tracks.end(), [&](const Track *a, const Track *b) {
		return session.rings.find(a->ring).device < session.rings.find(b->ring).device;
	});
	return tracks;
}

TimelineGantt::Columns TimelineGantt::columns_of(Track &track)
{
	Columns columns;

	columns.depth = track.depth.columns(grid_);
	columns.errors = track.errors.columns(grid_);
	columns.parts.resize(grid_.columns());
	for (Lane &lane : track.lanes) {
		const Process &process = process_at(lane.process);
		std::vector<uint64_t> sums = lane.sums.columns(grid_);

		for (size_t i = 0; i < sums.size(); i++)
			if (sums[i])
				columns.parts[i].push_back({sums[i], &process});
	}
	for (std::vector<Part> &parts : columns.parts)
		std::sort(parts.begin(), parts.end(), [](const Part &a, const Part &b) {
			if (a.ns != b.ns)
				return a.ns > b.ns;
			return a.process->rank < b.process->rank;
		});
	return columns;
}

bool TimelineGantt::is_lost(size_t column) const
{
	uint64_t from = grid_.column_start(column);

	return losses_.touch(from, from + grid_.column_length(column) - 1);
}

double TimelineGantt::average_depth(const Columns &columns, size_t column) const
{
	uint64_t length = grid_.column_length(column);

	return length ? static_cast<double>(columns.depth[column]) / static_cast<double>(length) :
			0;
}

// Prints a summary of the ring, as far as there is room.
void TimelineGantt::print_title(Track &track, double most)
{
	const Ring &ring = capture_.session().rings.find(track.ring);
	std::string title = ring_title(capture_.session(), track.ring);
	std::string counts = fmt::format("  {} {}, depth to {:.1f}", thousands(track.jobs),
					 track.jobs == 1 ? "job" : "jobs", most);

	if (ring.known)
		title += fmt::format(" ({}{})", capture_.session().class_name(ring.engine_class),
				     ring.has(GRTRACE_RING_CPU) ? ", jobs of the CPU" : "");
	if (track.failed)
		counts += fmt::format(", {} failed", thousands(track.failed));
	if (track.inferred)
		counts += fmt::format(", {:.0f} % of starts inferred",
				      percent(track.inferred, track.started));
	title.resize(std::min<size_t>(title.size(), terminal_.width));
	paint_->put(title, Colour::bold);
	size_t taken = title.size();
	if (counts.size() > terminal_.width - taken) {
		paint_->end_line();
		taken = 0;
	}
	counts = fit_parts(counts, terminal_.width - taken);
	paint_->put(counts);
	print_shares(track, terminal_.width - taken - counts.size());
}

// Prints the shares of the ring's processes, the greatest first: after its title if three
// of them fit, else on a line of their own.
void TimelineGantt::print_shares(Track &track, size_t room)
{
	std::vector<std::string> shares;
	size_t length = 0;

	std::sort(track.lanes.begin(), track.lanes.end(), [this](const Lane &a, const Lane &b) {
		if (a.on_ring != b.on_ring)
			return a.on_ring > b.on_ring;
		return process_at(a.process).rank < process_at(b.process).rank;
	});
	for (const Lane &lane : track.lanes) {
		shares.push_back(fmt::format("  {} {:.1f} %", process_at(lane.process).letter,
					     percent(lane.on_ring, grid_.span())));
		if (shares.size() <= 3)
			length += shares.back().size();
	}
	if (length > room) {
		paint_->end_line();
		paint_->put("     ");
		room = terminal_.width - 5;
	}
	for (size_t i = 0; i < shares.size() && shares[i].size() <= room; i++) {
		size_t rank = process_at(track.lanes[i].process).rank;

		paint_->put(shares[i], colour_of(rank));
		room -= shares[i].size();
	}
	paint_->end_line();
}

// If jobs overlap, the sum may be longer than the column.
bool TimelineGantt::is_minor(uint64_t ns, size_t column) const
{
	uint64_t length = grid_.column_length(column);

	return ns < length && ns < length - ns;
}

void TimelineGantt::print_lane(const Columns &columns, size_t lane)
{
	paint_->put(lane ? "       " : "   run ");
	for (size_t i = 0; i < columns.parts.size(); i++) {
		const std::vector<Part> &parts = columns.parts[i];

		if (lane < parts.size()) {
			const Process &process = *parts[lane].process;
			char letter = process.letter;

			if (lane == lanes_max - 1 && parts.size() > lanes_max) {
				letter = '+';
				has_crowd_ = true;
			}
			if (letter >= 'A' && letter <= 'Z' && is_minor(parts[lane].ns, i))
				letter = static_cast<char>(letter - 'A' + 'a');
			paint_->put({&letter, 1}, colour_of(process.rank));
		} else if (lane) {
			paint_->put(" ");
		} else if (is_lost(i)) {
			paint_->put("/", Colour::red);
		} else {
			paint_->put(".", Colour::faint);
		}
	}
	paint_->end_line();
}

void TimelineGantt::print_depth(const Columns &columns, double most)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	paint_->put(" depth ");
	for (size_t i = 0; i < columns.depth.size(); i++) {
		double depth = average_depth(columns, i);

		if (!columns.depth[i])
			paint_->put(" ");
		else if (terminal_.utf8)
			paint_->put(
				blocks[std::min<size_t>(static_cast<size_t>(depth / most * 8), 7)],
				Colour::faint);
		else
			paint_->put(depth >= 9.5 ? "+" : fmt::to_string(std::lround(depth)));
	}
	paint_->end_line();
}

void TimelineGantt::print_errors(const std::vector<uint64_t> &errors)
{
	if (std::all_of(errors.begin(), errors.end(), [](uint64_t count) { return count == 0; }))
		return;
	drew_error_ = true;
	paint_->put(" error ");
	for (uint64_t count : errors)
		paint_->put(count ? "!" : " ", Colour::bright_red);
	paint_->end_line();
}

void TimelineGantt::print_track(Track &track)
{
	Columns columns = columns_of(track);
	size_t lanes = 1;
	double most = 0;

	for (size_t i = 0; i < columns.parts.size(); i++) {
		lanes = std::max(lanes, columns.parts[i].size());
		most = std::max(most, average_depth(columns, i));
	}
	paint_->end_line();
	print_title(track, most);
	if (track.stays.all_unknown()) {
		paint_->put("   run NA");
		paint_->end_line();
		lanes = 0;
	}
	for (size_t i = 0; i < std::min(lanes, lanes_max); i++)
		print_lane(columns, i);
	print_depth(columns, most);
	print_errors(columns.errors);
}

void TimelineGantt::print_losses()
{
	for (size_t i = 0; i < grid_.columns() && !drew_loss_; i++)
		drew_loss_ = is_lost(i);
	if (!drew_loss_)
		return;
	paint_->put("  lost ");
	for (size_t i = 0; i < grid_.columns(); i++)
		paint_->put(is_lost(i) ? "/" : " ", Colour::red);
	paint_->end_line();
}

// Prints how many there are in each column; returns false if there are none.
bool TimelineGantt::print_notes(const char *name, TimelineSums &notes)
{
	const std::vector<uint64_t> counts = notes.columns(grid_);

	if (std::all_of(counts.begin(), counts.end(), [](uint64_t count) { return count == 0; }))
		return false;
	paint_->put(fmt::format("{:>6} ", name));
	for (uint64_t count : counts)
		paint_->put(!count ? " " : count > 9 ? "+" : fmt::to_string(count));
	paint_->end_line();
	return true;
}

void TimelineGantt::print_head()
{
	uint64_t start = capture_.session().start_ts;
	uint64_t from = grid_.origin() - std::min(start, grid_.origin());
	TimelineAxis axis(from, grid_.columns() * grid_.column_ns(), grid_.columns());

	paint_->put(fit(fmt::format("{}: {} from {}.{:09} s on, a column is {}", capture_.name(),
				    trimmed_duration(grid_.span()), from / 1000000000,
				    from % 1000000000, trimmed_duration(grid_.column_ns())),
			terminal_.width));
	paint_->end_line();
	put_sampling(*paint_, capture_, terminal_.width);
	paint_->put(fmt::format("{:>6} {}", axis.unit(), axis.numbers()));
	paint_->end_line();
	paint_->put(fmt::format("{:>6} {}", "", axis.ruler()), Colour::faint);
	paint_->end_line();
	print_losses();
	drew_vblank_ = print_notes("vblank", vblanks_);
	drew_note_ = print_notes("note", notes_);
	if (nr_device_errors_)
		print_errors(device_errors_.columns(grid_));
}

void TimelineGantt::print(fmt::memory_buffer &out)
{
	Paint paint(out, terminal_.colour);

	paint_ = &paint;
	if (!begun_) {
		paint.put(fit(fmt::format("{}: nothing in this interval", capture_.name()),
			      terminal_.width));
		paint.end_line();
		return;
	}
	name_letters();
	print_head();
	for (Track *track : tracks_by_name())
		print_track(*track);
	if (jobs_left_out_) {
		paint.put(
			fit(fmt::format("No room for the rings of {} more jobs: choose with --ring",
					thousands(jobs_left_out_)),
			    terminal_.width));
		paint.end_line();
	}
	threads_.print(paint);
	print_legend();
}

} // namespace grtrace
