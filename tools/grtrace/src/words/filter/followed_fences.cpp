// SPDX-License-Identifier: GPL-2.0
#include "words/filter/followed_fences.h"

namespace grtrace {

void FollowedFences::add(uint64_t ctx, uint32_t seqno)
{
	if (has(ctx, seqno))
		return;
	if (order_.size() < capacity) {
		order_.push_back({ctx, seqno});
	} else {
		Fence &oldest = order_[next_];

		index_.erase(oldest.ctx, oldest.seqno, 0);
		oldest = {ctx, seqno};
		next_ = (next_ + 1) % capacity;
	}
	index_.insert(ctx, seqno, 0);
}

} // namespace grtrace
