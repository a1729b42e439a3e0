// SPDX-License-Identifier: GPL-2.0
//
// PictureKeys: from the fence of a job to its row.
#pragma once

#include <cstdint>
#include <vector>

#include "words/page/picture_rows.h"

namespace grtrace {

// An index over rows, of 4 bytes each. The rows must outlive it and stay where
// they are.
class PictureKeys {
public:
	explicit PictureKeys(const std::vector<PictureRow> &rows);

	// Row of the job ctx:seqno, of whose seqno the low 32 bits count. Among
	// several jobs with one key it is the last that was submitted by then;
	// UINT32_MAX if there is none.
	uint32_t find(uint64_t ctx, uint64_t seqno, uint64_t at) const;

private:
	const std::vector<PictureRow> &rows_;
	std::vector<uint32_t> order_; // by ctx, seqno, begin
};

} // namespace grtrace
