// SPDX-License-Identifier: GPL-2.0
//
// Uses the distance of Damerau and Levenshtein: swapped letters are the most frequent slip.
#include "lib/text/nearest.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

namespace grtrace {

// Names are short; a longer text is not a mistyped name.
constexpr size_t longest = 64;

// How many letters have to be inserted, removed, replaced, or swapped with a neighbour
// to turn one word into the other.
static size_t distance(std::string_view a, std::string_view b)
{
	std::vector<size_t> before(b.size() + 1);
	std::vector<size_t> last(b.size() + 1);
	std::vector<size_t> row(b.size() + 1);

	std::iota(last.begin(), last.end(), 0);
	for (size_t i = 0; i < a.size(); i++) {
		row[0] = i + 1;
		for (size_t j = 0; j < b.size(); j++) {
			row[j + 1] =
				std::min({last[j] + (a[i] != b[j]), last[j + 1] + 1, row[j] + 1});
			if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j])
				row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
		}
		std::swap(before, last);
		std::swap(last, row);
	}
	return last[b.size()];
}

static std::string_view letters(std::string_view name)
{
	return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> names)
{
	const std::string_view word = letters(typed);
	std::string_view best;
	// A third of the letters may be wrong.
	size_t least = std::max<size_t>(word.size() / 3, 1) + 1;

	if (word.size() < 2 || word.size() > longest)
		return {};
	for (std::string_view name : names) {
		if (name.size() > longest)
			continue;
		const size_t wrong = distance(word, letters(name));
		if (wrong < least) {
			best = name;
			least = wrong;
		}
	}
	return best.empty() ? "" : fmt::format(" (did you mean {}?)", best);
}

} // namespace grtrace
