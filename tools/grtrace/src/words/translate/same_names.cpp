// SPDX-License-Identifier: GPL-2.0
#include "words/translate/same_names.h"

#include <algorithm>

namespace grtrace {

// Whether the number may be the next one of this ring, or one of the last ones.
bool SameNames::fits(const One &ring, uint64_t number)
{
	return number + queued_late >= ring.last &&
	       std::ranges::find(ring.recent, number) == ring.recent.end();
}

// For an entity whose ring is not known. Numbers that are not recorded are a gap, but numbers never
// go back.
size_t SameNames::choose(Name &name, uint64_t number)
{
	const size_t none = name.rings.size();
	size_t best = none, near = 0;

	for (size_t i = 0; i < name.rings.size(); i++) {
		const One &ring = name.rings[i];

		if (!fits(ring, number))
			continue;
		near += number <= ring.last + queued_late;
		if (best == none || ring.last > name.rings[best].last)
			best = i;
	}
	name.is_unclear |= near > 1;
	return best;
}

size_t SameNames::submit(std::string_view ring, uint64_t entity, uint64_t number, bool *mixed)
{
	Name &name = names_[std::string(ring)];
	const auto known = name.entities.find(entity);
	size_t place = name.rings.size();

	if (known != name.entities.end() && fits(name.rings[known->second], number)) {
		place = known->second;
	} else {
		place = choose(name, number);
		// Other numbers were taken for those of this ring.
		*mixed |= known != name.entities.end();
		if (place == name.rings.size() && place < gpus_max)
			name.rings.emplace_back();
		place = std::min(place, name.rings.size() - 1);
		if (name.entities.size() >= entities_max)
			name.entities.clear();
		name.entities[entity] = place;
	}
	*mixed |= name.is_unclear;
	One &one = name.rings[place];
	one.last = std::max(one.last, number);
	one.recent.push_back(number);
	if (one.recent.size() > queued_late)
		one.recent.pop_front();
	return place;
}

// The entities of each ring are known from its first job on.
void SameNames::foresee(const std::vector<Job> &jobs)
{
	bool mixed = false;

	for (const Job &job : jobs)
		submit(job.ring, job.entity, job.number, &mixed);
	for (auto &[ring, name] : names_) {
		for (One &one : name.rings)
			one = {};
		if (name.rings.size() == 1)
			name.entities.clear();
	}
	for (const Job &job : jobs) {
		Name &name = names_[job.ring];
		const auto known = name.entities.find(job.entity);

		if (known != name.entities.end() && !name.rings[known->second].last)
			name.rings[known->second].last = job.number;
	}
}

size_t SameNames::find(std::string_view ring, uint64_t entity) const
{
	const auto name = names_.find(std::string(ring));

	if (name == names_.end())
		return 0;
	const auto known = name->second.entities.find(entity);
	return known == name->second.entities.end() ? 0 : known->second;
}

size_t SameNames::count(std::string_view ring) const
{
	const auto name = names_.find(std::string(ring));

	return name == names_.end() ? 0 : name->second.rings.size();
}

} // namespace grtrace
