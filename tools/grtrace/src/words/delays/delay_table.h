// SPDX-License-Identifier: GPL-2.0
//
// DelayTable: delays between processes, as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "read/stream/session.h"
#include "words/delays/delay_cell.h"

namespace grtrace {

// Prints a matrix for each ring, with victims in rows and culprits in columns, and jobs
// that prove it. Cells that do not fit are summed up, so that the matrix stays readable
// with any number of processes.
class DelayTable {
public:
	static constexpr size_t columns_max = 8;
	static constexpr size_t rows_max = 32;
	// The jobs that prove a delay are shown for at most this many cells of other
	// processes.
	static constexpr size_t proved_max = 8;

	// cells: in the order of Delays. Both must outlive the table.
	DelayTable(const Session &session, const std::vector<DelayCell> &cells, size_t proofs)
		: session_(session), cells_(cells), proofs_(proofs)
	{
	}

	void print(fmt::memory_buffer &out, const DelayRing &ring) const;

private:
	using Cells = std::span<const DelayCell>;

	struct Column {
		DelayProcess process;
		uint64_t ns = 0;
	};
	struct Columns {
		std::vector<Column> processes; // the longest time first
		bool others = false;
		bool unknown = false;
		size_t victim = 24; // width; longer names are cut so that figures stay aligned
	};

	Cells cells_of(uint32_t ring) const;
	static Columns columns_of(Cells cells);
	static void print_heading(fmt::memory_buffer &out, const Columns &columns);
	static void print_row(fmt::memory_buffer &out, const Columns &columns, Cells row);
	static void print_rows(fmt::memory_buffer &out, const Columns &columns, Cells cells);
	void print_proofs(fmt::memory_buffer &out, Cells cells) const;
	void print_proof(fmt::memory_buffer &out, const DelayCell &cell,
			 const DelayProof &proof) const;

	const Session &session_;
	const std::vector<DelayCell> &cells_;
	size_t proofs_;
};

} // namespace grtrace
