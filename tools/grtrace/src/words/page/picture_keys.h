// SPDX-License-Identifier: GPL-2.0
//
// PictureKeys: finds the row of a job by its fence.
#pragma once

#include <cstdint>
#include <vector>

#include "words/page/picture_rows.h"

namespace grtrace {

// An index of 4 bytes per row. The rows must outlive it and must not move.
class PictureKeys {
public:
	explicit PictureKeys(const std::vector<PictureRow> &rows);

	// Returns the row of the job ctx:seqno; only the low 32 bits of seqno are compared.
	// If several jobs have the key, returns the last one that was submitted by then;
	// UINT32_MAX if there is no such job.
	uint32_t find(uint64_t ctx, uint64_t seqno, uint64_t at) const;

private:
	const std::vector<PictureRow> &rows_;
	std::vector<uint32_t> order_; // sorted by ctx, seqno, begin
};

} // namespace grtrace
