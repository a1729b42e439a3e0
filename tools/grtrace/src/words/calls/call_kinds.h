// SPDX-License-Identifier: GPL-2.0
//
// CallKinds: gives each kind of ioctl a small number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "words/ioctl/ioctl_call.h"

namespace grtrace {

// The kinds are found by driver and name, "virtio_gpu EXECBUFFER". A forged capture may
// have any number of them, so the last of `limit` kinds includes all others.
class CallKinds {
public:
	static constexpr uint32_t limit = 1024;

	uint32_t id_of(const IoctlCall &call);
	const std::string &name(uint32_t id) const { return names_[id]; }
	uint32_t size() const { return static_cast<uint32_t>(names_.size()); }

private:
	uint32_t id_of_name(std::string name);

	std::vector<std::string> names_;
	std::map<std::string, uint32_t, std::less<>> ids_;
	// The last request is kept, because most requests repeat it.
	std::pair<uint32_t, std::string> last_;
	uint32_t last_id_ = UINT32_MAX;
};

} // namespace grtrace
