// SPDX-License-Identifier: GPL-2.0
#include "words/tracker/client_table.h"

namespace grtrace {

void ClientTable::learn(const Event &note)
{
	if (note.cpu >= cpus_.size())
		cpus_.resize(note.cpu + size_t(1));
	std::vector<Place> &places = cpus_[note.cpu];
	places.resize(GRTRACE_CLIENT_SLOTS);
	places[note.ctx % GRTRACE_CLIENT_SLOTS] = {note.ctx, client_of(note)};
}

uint64_t ClientTable::known(const Event &submit) const
{
	const std::vector<Place> &places = cpus_[submit.cpu];

	if (places.empty())
		return 0;
	const Place &place = places[submit.ctx % GRTRACE_CLIENT_SLOTS];
	return place.ctx == submit.ctx ? place.client : 0;
}

} // namespace grtrace
