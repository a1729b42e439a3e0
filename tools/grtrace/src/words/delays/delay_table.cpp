// SPDX-License-Identifier: GPL-2.0
#include "words/delays/delay_table.h"

#include <algorithm>
#include <string_view>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/data/id_map.h"
#include "words/tracker/job.h"
#include "words/tracker/session_facts.h"

namespace grtrace {

static std::string_view comm_of(const DelayProcess &process)
{
	return process.comm.empty() ? "?" : std::string_view(process.comm);
}

static std::string name_of(const DelayProcess &process)
{
	return fmt::format("{} ({})", comm_of(process), process.tgid);
}

// For a sentence, which does not need the columns of duration_text().
static std::string short_text(uint64_t ns)
{
	std::string text = duration_text(ns);

	text.erase(0, text.find_first_not_of(' '));
	text.erase(text.find_last_not_of(' ') + 1);
	return text;
}

// The cells of a row follow each other.
static size_t row_length(std::span<const DelayCell> cells)
{
	return static_cast<size_t>(std::find_if(cells.begin(), cells.end(),
						[&](const DelayCell &cell) {
							return cell.victim.tgid !=
							       cells[0].victim.tgid;
						}) -
				   cells.begin());
}

DelayTable::Cells DelayTable::cells_of(uint32_t ring) const
{
	auto first = std::partition_point(cells_.begin(), cells_.end(),
					  [&](const DelayCell &cell) { return cell.ring < ring; });
	auto last = std::partition_point(first, cells_.end(),
					 [&](const DelayCell &cell) { return cell.ring == ring; });

	return {first, last};
}

DelayTable::Columns DelayTable::columns_of(Cells cells)
{
	Columns columns;
	IdMap<Column> sums;
	auto &found = columns.processes;

	for (const DelayCell &cell : cells) {
		columns.unknown |= cell.kind == Culprit::unknown;
		columns.others |= cell.kind == Culprit::others;
		columns.victim = std::max(columns.victim, name_of(cell.victim).size());
		if (cell.kind != Culprit::process)
			continue;
		Column &column = sums.get(cell.culprit.tgid);
		column.process = cell.culprit;
		column.ns += cell.ns;
	}
	sums.for_each([&](uint64_t, Column &column) { found.push_back(std::move(column)); });
	std::sort(found.begin(), found.end(), [](const Column &a, const Column &b) {
		return a.ns == b.ns ? a.process.tgid < b.process.tgid : a.ns > b.ns;
	});
	if (found.size() > columns_max) {
		found.resize(columns_max);
		columns.others = true;
	}
	return columns;
}

void DelayTable::print_heading(fmt::memory_buffer &out, const Columns &columns)
{
	print_to(out, "{:<{}} {:>9} {:>11} {:>9} {:>11}", "VICTIM", columns.victim, "JOBS", "WAIT",
		 "BY OTHERS", "itself");
	for (const Column &column : columns.processes)
		print_to(out, " {:>11.11}", comm_of(column.process));
	print_to(out, "{:>{}}{:>{}} {:>11}\n", columns.others ? "others" : "",
		 columns.others ? 12 : 0, columns.unknown ? "?" : "", columns.unknown ? 12 : 0,
		 "no job");
	if (columns.processes.empty())
		return;
	print_to(out, "{:{}}", "", columns.victim + 44);
	for (const Column &column : columns.processes)
		print_to(out, " {:>11}", column.process.tgid);
	print_to(out, "\n");
}

// The cells of a row, added up by column.
struct DelayRow {
	uint64_t jobs = 0;
	uint64_t wait = 0;
	uint64_t itself = 0;
	uint64_t others = 0; // without a column
	uint64_t unknown = 0;
	uint64_t nobody = 0;
	bool touched = false;
};

static DelayRow sum_up(std::span<const DelayCell> cells)
{
	DelayRow row;

	for (const DelayCell &cell : cells) {
		row.wait += cell.ns;
		row.touched |= cell.touched;
		switch (cell.kind) {
		case Culprit::itself:
			row.itself += cell.ns;
			break;
		case Culprit::unknown:
			row.unknown += cell.ns;
			break;
		case Culprit::nobody:
			row.jobs += cell.jobs;
			row.nobody += cell.ns;
			break;
		case Culprit::process:
		case Culprit::others:
			row.others += cell.ns;
			break;
		}
	}
	return row;
}

static uint64_t time_for(std::span<const DelayCell> row, uint32_t tgid)
{
	for (const DelayCell &cell : row)
		if (cell.kind == Culprit::process && cell.culprit.tgid == tgid)
			return cell.ns;
	return 0;
}

static std::string time_text(uint64_t ns)
{
	return ns ? duration_text(ns) : fmt::format("{:>11}", "-");
}

void DelayTable::print_row(fmt::memory_buffer &out, const Columns &columns, Cells cells)
{
	DelayRow row = sum_up(cells);
	double share =
		row.wait ? 100 * static_cast<double>(row.others) / static_cast<double>(row.wait) :
			   0;

	print_to(out, "{:<{}} {:>9} {} {:>7.1f} % {}", name_of(cells[0].victim), columns.victim,
		 row.jobs, duration_text(row.wait), share, time_text(row.itself));
	for (const Column &column : columns.processes) {
		uint64_t ns = time_for(cells, column.process.tgid);

		print_to(out, " {}", time_text(ns));
		row.others -= ns;
	}
	if (columns.others)
		print_to(out, " {}", time_text(row.others));
	if (columns.unknown)
		print_to(out, " {}", time_text(row.unknown));
	print_to(out, " {}{}\n", time_text(row.nobody), row.touched ? " *" : "");
}

void DelayTable::print_rows(fmt::memory_buffer &out, const Columns &columns, Cells cells)
{
	uint64_t more = 0, wait = 0;

	for (size_t rows = 0; !cells.empty(); rows++) {
		Cells row = cells.first(row_length(cells));

		cells = cells.subspan(row.size());
		if (rows < rows_max) {
			print_row(out, columns, row);
			continue;
		}
		more++;
		wait += sum_up(row).wait;
	}
	if (more)
		print_to(out, "and {} more processes, which waited {}\n", thousands(more),
			 short_text(wait));
}

void DelayTable::print_proof(fmt::memory_buffer &out, const DelayCell &cell,
			     const DelayProof &proof) const
{
	uint64_t at = Job::between(session_.start_ts, proof.submit_ts);

	print_to(out,
		 "  {} {}:{} waited {} at {:.9f} s, {} of it for {}: "
		 "{}:{} {}{}\n",
		 name_of(cell.victim), proof.ctx, proof.seqno, short_text(proof.wait),
		 at == Job::none ? 0.0 : static_cast<double>(at) / 1e9, short_text(proof.part),
		 cell.kind == Culprit::process ? name_of(cell.culprit) : "?", proof.culprit_ctx,
		 proof.culprit_seqno, proof.blocked ? "blocked it" : "ran",
		 proof.touched ? " *" : "");
}

void DelayTable::print_proofs(fmt::memory_buffer &out, Cells cells) const
{
	std::vector<const DelayCell *> worst;

	for (const DelayCell &cell : cells)
		if (cell.kind == Culprit::process || cell.kind == Culprit::unknown)
			worst.push_back(&cell);
	std::stable_sort(worst.begin(), worst.end(),
			 [](const DelayCell *a, const DelayCell *b) { return a->ns > b->ns; });
	if (worst.size() > proved_max)
		worst.resize(proved_max);
	for (const DelayCell *cell : worst)
		for (size_t i = 0; i < proofs_ && i < cell->proofs.size(); i++)
			print_proof(out, *cell, cell->proofs[i]);
}

void DelayTable::print(fmt::memory_buffer &out, const DelayRing &ring) const
{
	Cells cells = cells_of(ring.id);

	if (cells.empty())
		return;
	print_to(out,
		 "\nWho delayed whom on {}: waiting from SUBMIT to START, "
		 "by the process whose jobs ran meanwhile\n",
		 ring_title(session_, ring.id));
	Columns columns = columns_of(cells);
	print_heading(out, columns);
	print_rows(out, columns, cells);
	print_proofs(out, cells);
	if (ring.unseen)
		print_to(out,
			 "{} jobs have no known execution time; "
			 "it is in the column \"no job\"\n",
			 thousands(ring.unseen));
	if (ring.forgotten)
		print_to(out,
			 "Up to {} of this is in waits so long that what executed or blocked "
			 "is no longer known\n",
			 short_text(ring.forgotten));
}

} // namespace grtrace
