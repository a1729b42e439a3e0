// SPDX-License-Identifier: GPL-2.0
#include "words/calls/call_kinds.h"

#include <fmt/format.h>

#include "lib/text/utf8_text.h"
#include "read/stream/ring_table.h"

namespace grtrace {

uint32_t CallKinds::id_of_name(std::string name)
{
	auto known = ids_.find(name);

	if (known != ids_.end())
		return known->second;
	if (names_.size() == limit)
		return limit - 1;
	if (names_.size() == limit - 1)
		name = "others";
	auto id = static_cast<uint32_t>(names_.size());
	names_.push_back(name);
	ids_.emplace(std::move(name), id);
	return id;
}

uint32_t CallKinds::id_of(const IoctlCall &call)
{
	if (last_id_ == UINT32_MAX || last_.first != call.cmd || last_.second != call.driver) {
		last_ = {call.cmd, std::string(call.driver)};
		last_id_ = id_of_name(fmt::format("{} {}", printable(call.driver), call.name()));
	}
	return last_id_;
}

} // namespace grtrace
