// SPDX-License-Identifier: GPL-2.0
//
// RingLabels: names rings in a narrow column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace grtrace {

struct RingLabel {
	std::string device; // empty: no other ring has this name
	std::string name;
};

// The names of rings for a column that usually has `usual` columns. Names of several devices are
// never cut, because both of their ends say which ring it is: first the column grows, to at most
// `most`, then of the device only the part is left in which the devices differ; if that is still
// too long, so is the name.
std::vector<std::string> fit_labels(const std::vector<RingLabel> &rings,
				    const std::vector<std::string> &devices, size_t usual,
				    size_t most);

} // namespace grtrace
