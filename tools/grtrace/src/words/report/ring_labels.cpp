// SPDX-License-Identifier: GPL-2.0
#include "words/report/ring_labels.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

namespace grtrace {

static size_t longest(const std::vector<std::string> &labels)
{
	size_t columns = 0;

	for (const std::string &label : labels)
		columns = std::max(columns, label.size());
	return columns;
}

static bool are_different(const std::vector<std::string> &labels)
{
	return std::set(labels.begin(), labels.end()).size() == labels.size();
}

// Returns at most that many bytes, and whole characters.
static std::string end_of(const std::string &label, size_t most)
{
	size_t from = label.size() - std::min(most, label.size());

	while (from < label.size() && (static_cast<uint8_t>(label[from]) & 0xc0) == 0x80)
		from++;
	return label.substr(from);
}

// prefix and suffix: how much of each device is left out.
static std::vector<std::string> labels_of(const std::vector<RingLabel> &rings, size_t prefix,
					  size_t suffix)
{
	std::vector<std::string> labels;

	for (const RingLabel &ring : rings) {
		const std::string &device = ring.device;

		if (device.empty())
			labels.push_back(ring.name);
		else if (device.size() <= prefix + suffix)
			labels.push_back(device + " " + ring.name);
		else
			labels.push_back(device.substr(prefix, device.size() - prefix - suffix) +
					 " " + ring.name);
	}
	return labels;
}

static bool ends_part(char c)
{
	return c == ':' || c == '.';
}

// How many characters all devices begin with, up to the end of a part of their names.
static size_t common_begin(const std::vector<std::string> &devices)
{
	size_t same = devices[0].size();

	for (const std::string &device : devices)
		while (same && devices[0].compare(0, same, device, 0, same) != 0)
			same--;
	while (same && !ends_part(devices[0][same - 1]))
		same--;
	return same;
}

// How many characters they end with, from the beginning of a part on.
static size_t common_end(const std::vector<std::string> &devices)
{
	const std::string &first = devices[0];
	size_t same = first.size();

	for (const std::string &device : devices)
		while (same && !device.ends_with(first.substr(first.size() - same)))
			same--;
	while (same && !ends_part(first[first.size() - same]))
		same--;
	return same;
}

static bool have_domain(const std::vector<std::string> &devices, std::string_view domain)
{
	return std::ranges::all_of(devices, [&](const std::string &device) {
		return device.starts_with(domain) && device.size() > domain.size();
	});
}

std::vector<std::string> fit_labels(const std::vector<RingLabel> &rings,
				    const std::vector<std::string> &devices, size_t usual,
				    size_t most)
{
	static constexpr std::string_view usual_domain = "0000:"; // of PCI
	std::vector<std::string> labels = labels_of(rings, 0, 0);
	std::vector<std::string> cut = labels;

	if (longest(labels) <= usual)
		return labels;
	if (std::ranges::all_of(rings, [](const RingLabel &ring) { return ring.device.empty(); })) {
		for (std::string &label : cut)
			label = end_of(label, usual);
		return are_different(cut) ? cut : labels;
	}
	if (have_domain(devices, usual_domain))
		labels = labels_of(rings, usual_domain.size(), 0);
	if (longest(labels) > most && devices.size() > 1)
		labels = labels_of(rings, common_begin(devices), common_end(devices));
	return labels;
}

} // namespace grtrace
