// SPDX-License-Identifier: GPL-2.0
#include "words/verify/verify_credits.h"

#include <algorithm>

namespace grtrace {

VerifyCredits::Ring *VerifyCredits::ring_of(uint32_t id)
{
	const grtrace::Ring &known = capture_.session().rings.find(id);

	if (limits_.empty() || !known.known)
		return nullptr;
	if (id >= rings_.size())
		rings_.resize(id + 1);

	Ring &ring = rings_[id];
	if (ring.looked_up)
		return &ring;
	ring.looked_up = true;
	found_.resize(limits_.size());
	for (size_t i = 0; i < limits_.size(); i++) {
		if (limits_[i].ring != known.name &&
		    limits_[i].ring !=
			    fmt::format("{} {}", known.device_name, known.name))
			continue;
		ring.limit = limits_[i].credits;
		found_[i] = true;
	}
	return &ring;
}

// It is, or was until now, too much.
void VerifyCredits::judge(Ring &ring, uint64_t ts)
{
	if (ring.over && ring.since.ts + slack_ns < ts)
		findings_.suspect(FaultKind::credits, ring.since,
				  fmt::format("its ring has jobs of {} credits "
					      "and more, and has but {}",
					      ring.most, ring.limit),
				  counts_since_, ts);
	ring.over = false;
	ring.most = 0;
}

void VerifyCredits::enter(Share &share, const Event &pick)
{
	Ring *ring = ring_of(pick.ring);

	if (!ring || !ring->limit)
		return;
	share.losses = losses_;
	share.ring = pick.ring;
	// The scheduler takes one that costs more than there is, for all of it.
	share.credits = static_cast<uint32_t>(std::min<uint64_t>(
		std::max<uint16_t>(pick.arg, 1), ring->limit));
	ring->used += share.credits;
	if (ring->used <= ring->limit)
		return;
	if (!ring->over)
		ring->since = RecordPlace(pick);
	ring->over = true;
	ring->most = std::max(ring->most, ring->used);
}

void VerifyCredits::leave(Share &share, uint64_t ts)
{
	if (!share.credits)
		return;
	if (share.losses == losses_) {
		Ring &ring = rings_[share.ring];

		ring.used -= share.credits;
		if (ring.used <= ring.limit)
			judge(ring, ts);
	}
	share.credits = 0;
}

void VerifyCredits::notice_losses(uint64_t ts)
{
	now_ = std::max(now_, ts);
	if (losses_ == findings_.nr_lost())
		return;
	losses_ = findings_.nr_lost();
	counts_since_ = ts;
	for (Ring &ring : rings_) {
		ring.used = 0;
		ring.over = false;
	}
}

void VerifyCredits::finish()
{
	for (Ring &ring : rings_)
		judge(ring, now_);
}

std::vector<std::string> VerifyCredits::unused() const
{
	std::vector<std::string> names;

	for (size_t i = 0; i < limits_.size(); i++)
		if (i >= found_.size() || !found_[i])
			names.push_back(limits_[i].ring);
	return names;
}

} // namespace grtrace
