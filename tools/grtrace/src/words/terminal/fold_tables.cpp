// SPDX-License-Identifier: GPL-2.0
#include "words/terminal/fold_tables.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "lib/text/utf8_text.h"

namespace grtrace {

namespace {

constexpr size_t indent = 4;
// A table of more lines is cut in pieces, because a character needs 16 bytes of memory.
constexpr size_t lines_most = 4096;

// The characters of a line, of one column each.
using Line = std::vector<std::string_view>;

Line characters_of(std::string_view text)
{
	Line line;

	while (!text.empty()) {
		const size_t length = std::max<size_t>(utf8_length(text), 1);

		line.push_back(text.substr(0, length));
		text.remove_prefix(length);
	}
	return line;
}

bool is_space(std::string_view character)
{
	return character == " ";
}

// Returns how many spaces there are around a place, which may be between two of them.
size_t gap_at(const Line &line, size_t at)
{
	size_t from = at, to = at;

	while (from && is_space(line[from - 1]))
		from--;
	while (to < line.size() && is_space(line[to]))
		to++;
	return to - from;
}

bool parts_unit(const Line &line, size_t at)
{
	static const char *const units[] = {"s", "ms", "us", "ns", "%"};
	size_t from = at, to = at;
	std::string word;

	while (from && is_space(line[from - 1]))
		from--;
	while (to < line.size() && is_space(line[to]))
		to++;
	for (; to < line.size() && !is_space(line[to]); to++)
		word += line[to];
	return from && line[from - 1] >= "0" && line[from - 1] <= "9" &&
	       std::ranges::find(units, word) != std::end(units);
}

// Returns whether a place is within a drawing, which only ends a line: " |.: #|", " |.: #| *". A
// bar may also be part of a name.
bool is_in_drawing(const Line &line, size_t at)
{
	auto end = line.rbegin();

	if (line.size() > 2 && *end == "*" && end[1] == " ")
		end += 2;
	if (end == line.rend() || *end != "|")
		return false;

	const auto first = std::find_if_not(end + 1, line.rend(), [](std::string_view mark) {
		return std::string_view(" .:-=+*#%@").find(mark) != std::string_view::npos;
	});
	const size_t begin = static_cast<size_t>(line.rend() - first);

	return first != line.rend() && *first == "|" && begin > 1 && is_space(line[begin - 2]) &&
	       at >= begin && at < static_cast<size_t>(line.rend() - end);
}

// gap: that many spaces are between two columns.
bool can_cut(const Line &line, size_t at, size_t gap)
{
	return at >= line.size() ||
	       (gap_at(line, at) >= gap && !parts_unit(line, at) && !is_in_drawing(line, at));
}

// A title or a sentence has no gaps.
bool is_row(const Line &line)
{
	const auto text = std::ranges::find_if_not(line, is_space);

	return std::adjacent_find(text, line.end(), [](std::string_view a, std::string_view b) {
		       return is_space(a) && is_space(b);
	       }) != line.end();
}

// Returns where to cut the lines from a place on; the end of the text if they fit. A word that is
// too long stays whole.
size_t find_cut(const std::vector<Line> &lines, size_t from, size_t columns)
{
	size_t longest = 0;

	for (const Line &line : lines)
		longest = std::max(longest, line.size());
	if (longest <= from + columns)
		return longest;

	auto can_cut_all = [&](size_t at, size_t gap) {
		return std::ranges::all_of(
			lines, [&](const Line &line) { return can_cut(line, at, gap); });
	};

	for (size_t at = from + columns; at > from + columns / 3; at--)
		if (can_cut_all(at, 2))
			return at;
	for (size_t at = from + columns; at > from; at--)
		if (can_cut_all(at, 1))
			return at;

	size_t at = from + columns + 1;

	while (at < longest && !can_cut_all(at, 1))
		at++;
	return at;
}

// Lines that are cut at the same places.
class Block {
public:
	// before: spaces before each line, in addition to the columns.
	Block(std::vector<Line> lines, size_t columns, size_t before = 0)
		: lines_(std::move(lines)), before_(before)
	{
		size_t at = 0;

		measure();
		if (longest_ > columns)
			squeeze(2);
		if (longest_ > columns)
			squeeze_to(columns);
		while (at < longest_) {
			begins_.push_back(at);
			at = find_cut(lines_, at, begins_.size() == 1 ? columns : columns - indent);
			at += spaces_at(at);
		}
	}

	void put(std::string &out, size_t number) const
	{
		const Line &line = lines_[number];
		bool any = false;

		for (size_t part = 0; part < begins_.size(); part++) {
			std::string text;
			const size_t end =
				part + 1 < begins_.size() ? begins_[part + 1] : line.size();

			for (size_t at = begins_[part]; at < std::min(end, line.size()); at++)
				text += line[at];
			text.erase(text.find_last_not_of(' ') + 1);
			if (text.empty() && (any || part + 1 < begins_.size()))
				continue;
			any = true;
			out += std::string(before_ + (part ? indent : 0), ' ') + text + "\n";
		}
	}

private:
	void measure()
	{
		longest_ = 0;
		for (const Line &line : lines_)
			longest_ = std::max(longest_, line.size());
	}

	// Leaves single spaces between columns, if that is enough.
	void squeeze_to(size_t columns)
	{
		const std::vector<Line> before = lines_;

		squeeze(1);
		if (longest_ <= columns)
			return;
		lines_ = before;
		measure();
	}

	// Leaves that many of the spaces that all lines have between two columns.
	void squeeze(size_t gap)
	{
		for (size_t at = 0; at < longest_; at++) {
			const size_t least = at ? gap : 0, spaces = spaces_at(at);

			if (spaces <= least || std::ranges::any_of(lines_, [&](const Line &line) {
				    return is_in_drawing(line, at);
			    }))
				continue;
			for (Line &line : lines_)
				line.erase(line.begin() + std::min(at, line.size()),
					   line.begin() +
						   std::min(at + spaces - least, line.size()));
			measure();
		}
	}

	// Returns how many columns are spaces in all lines.
	size_t spaces_at(size_t at) const
	{
		size_t spaces = 0;

		while (at + spaces < longest_ && std::ranges::all_of(
							 lines_,
							 [&](const Line &line) {
								 return at + spaces >=
										line.size() ||
									is_space(line[at + spaces]);
							 }))
			spaces++;
		return spaces;
	}

	std::vector<Line> lines_;
	size_t before_;
	size_t longest_ = 0;
	std::vector<size_t> begins_; // of the parts
};

// All its lines have the indent of the first one.
void put_sentence(std::string &out, const Line &line, size_t columns)
{
	const auto text = std::ranges::find_if_not(line, is_space);
	const bool fits = line.size() <= columns || text == line.end();
	const size_t before = std::min<size_t>(text - line.begin(), columns / 2);

	if (fits)
		return Block({line}, columns).put(out, 0);
	Block({Line(text, line.end())}, columns - before, before).put(out, 0);
}

void put_block(std::string &out, const std::vector<Line> &lines, size_t columns)
{
	std::vector<Line> rows;
	size_t row = 0;

	std::ranges::copy_if(lines, std::back_inserter(rows), is_row);
	const Block table(std::move(rows), columns);
	for (const Line &line : lines) {
		if (is_row(line))
			table.put(out, row++);
		else
			put_sentence(out, line, columns);
	}
}

} // namespace

std::string fold_tables(std::string_view text, size_t columns)
{
	std::vector<Line> block;
	std::string out;

	if (text.empty())
		return out;
	if (text.ends_with('\n'))
		text.remove_suffix(1);
	for (bool more = true; more;) {
		const size_t end = text.find('\n');
		const std::string_view line = text.substr(0, end);

		more = end != text.npos;
		text.remove_prefix(more ? end + 1 : text.size());
		if (!line.empty()) {
			block.push_back(characters_of(line));
			if (block.size() < lines_most)
				continue;
		}
		put_block(out, block, columns);
		block.clear();
		if (line.empty())
			out += '\n';
	}
	put_block(out, block, columns);
	return out;
}

} // namespace grtrace
