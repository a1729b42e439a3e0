// SPDX-License-Identifier: GPL-2.0
//
// The kernel knows none of them, so the recorder adds them to the METADATA.
#include "format/host_facts.h"

#include <unistd.h>

#include <algorithm>

#include <drm/grtrace_drm.h>
#include <fmt/format.h>

#include "format/byte_order.h"

namespace grtrace {

namespace {

// Also of what a capture contains: it may be damaged.
constexpr size_t max_tags = 64;
constexpr size_t max_key = 64;
constexpr size_t max_value = 1024;
constexpr size_t max_nodes = 256;

bool is_plain(char c)
{
	return c > ' ' && c < 0x7f && c != '%';
}

std::string escaped(std::string_view text)
{
	std::string word;

	for (const char c : text) {
		if (is_plain(c))
			word += c;
		else
			word += fmt::format("%{:02X}", static_cast<unsigned char>(c));
	}
	return word.empty() ? "%" : word;
}

int digit(char c)
{
	constexpr std::string_view digits = "0123456789ABCDEF";
	const size_t at = digits.find(c);

	return at == digits.npos ? -1 : static_cast<int>(at);
}

std::string unescaped(std::string_view word)
{
	std::string text;

	for (size_t at = 0; at < word.size(); at++) {
		const bool is_code = word[at] == '%' && word.size() - at > 2 &&
				     digit(word[at + 1]) >= 0 && digit(word[at + 2]) >= 0;

		if (is_code) {
			text += static_cast<char>(digit(word[at + 1]) << 4 | digit(word[at + 2]));
			at += 2;
		} else if (word[at] != '%') {
			text += word[at];
		}
	}
	return text;
}

} // namespace

Status HostFacts::add_tag(std::string_view text)
{
	const size_t equals = text.find('=');

	if (equals == text.npos || !equals)
		return Status::error("'{}' is not KEY=VALUE", text);
	if (equals > max_key || text.size() - equals - 1 > max_value)
		return Status::error("a tag has up to {} bytes of KEY and {} of VALUE", max_key,
				     max_value);
	const std::string_view key = text.substr(0, equals);
	std::erase_if(tags, [key](const Tag &tag) { return tag.first == key; });
	if (tags.size() == max_tags)
		return Status::error("there can be {} tags", max_tags);
	tags.emplace_back(key, text.substr(equals + 1));
	return {};
}

void HostFacts::learn_host(std::string_view word)
{
	host = unescaped(word.substr(0, 3 * max_value));
}

// The same tables come several times.
void HostFacts::learn_tag(std::string_view key, std::string_view value)
{
	const std::string known = unescaped(key.substr(0, 3 * max_key));
	const bool is_new =
		!known.empty() && std::ranges::find(tags, known, &Tag::first) == tags.end();

	if (is_new && tags.size() < max_tags)
		tags.emplace_back(known, unescaped(value.substr(0, 3 * max_value)));
}

void HostFacts::learn_node(std::string_view names)
{
	const bool is_new = std::ranges::find(nodes, names) == nodes.end();

	if (is_new && nodes.size() < max_nodes && names.size() <= max_value)
		nodes.emplace_back(names);
}

std::string HostFacts::lines() const
{
	std::string text;

	if (!host.empty())
		text += fmt::format("host {}\n", escaped(host));
	for (const auto &[key, value] : tags)
		text += fmt::format("tag {} {}\n", escaped(key), escaped(value));
	for (const std::string &names : nodes)
		text += fmt::format("node {}\n", names);
	return text;
}

std::string machine_name()
{
	char name[256] = {};

	return gethostname(name, sizeof(name) - 1) ? std::string() : std::string(name);
}

std::string metadata_records(std::string_view lines)
{
	std::string bytes;

	for (size_t at = 0, end; at < lines.size(); at = end) {
		end = lines.find('\n', at) + 1;
		const size_t begin = bytes.size(), head = sizeof(grtrace_rec_metadata);
		const size_t size = (head + end - at + 7) & ~size_t(7);

		bytes.append(head, '\0').append(lines, at, end - at);
		bytes.resize(begin + size);
		store16(&bytes[begin], GRTRACE_METADATA);
		store16(&bytes[begin + 2], static_cast<uint16_t>(size));
	}
	return bytes;
}

std::string host_metadata(const HostFacts &facts)
{
	return metadata_records(facts.lines());
}

HostRecords host_records(const char *stream, size_t size, std::string_view lines)
{
	constexpr uint16_t expected[] = {GRTRACE_PACKET, GRTRACE_STREAM_INFO};
	HostRecords made;

	for (const uint16_t type : expected) {
		if (size - made.at < sizeof(grtrace_rec_hdr) || load16(stream + made.at) != type)
			return {};
		const size_t record = load16(stream + made.at + 2);
		if (record < sizeof(grtrace_rec_hdr) || record > size - made.at)
			return {};
		made.at += record;
	}
	made.bytes = metadata_records(lines);
	return made;
}

} // namespace grtrace
