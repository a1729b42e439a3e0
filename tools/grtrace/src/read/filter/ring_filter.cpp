// SPDX-License-Identifier: GPL-2.0
#include "read/filter/ring_filter.h"

#include <algorithm>
#include <vector>

#include "lib/text/words_of.h"
#include "lib/text/utf8_text.h"
#include "format/vocabulary.h"

namespace grtrace {

Status RingFilter::add_engines(std::string_view words)
{
	return for_each_word("--engine", words, [&](std::string_view word) {
		const uint32_t engine = engine_class_by_word(word);

		if (engine == GRTRACE_CLASS_COUNT)
			return Status::error("--engine: there is no engine "
					     "class \"{}\"; see --help",
					     word);
		engines_ |= 1ull << engine;
		return Status();
	});
}

Status RingFilter::add_rings(std::string_view words)
{
	return for_each_word("--ring", words, [&](std::string_view word) {
		Choice choice = {std::string(word)};

		choice.is_number = parse_id(word, UINT32_MAX, choice.number);
		if (choice.is_number && choice.number == GRTRACE_RING_NONE)
			return Status::error("--ring: there is no ring {}: 0 "
					     "stands for no ring",
					     word);
		rings_.push_back(choice);
		return Status();
	});
}

Status RingFilter::add_devices(std::string_view words)
{
	static constexpr std::string_view folder = "/dev/dri/";

	return for_each_word("--dev", words, [&](std::string_view word) {
		if (word.starts_with(folder))
			word.remove_prefix(folder.size());
		Choice choice = {std::string(word)};

		choice.is_number = parse_id(word, UINT32_MAX, choice.number);
		devices_.push_back(choice);
		return Status();
	});
}

bool RingFilter::names_ring(const Choice &choice, const Ring &ring)
{
	if (choice.is_number)
		return choice.number == ring.id;
	if (choice.word == ring.name)
		return true;
	// A slash, or a blank as in the tables of a report.
	return choice.word.size() ==
		       ring.device_name.size() + 1 + ring.name.size() &&
	       choice.word.starts_with(ring.device_name) &&
	       (choice.word[ring.device_name.size()] == '/' ||
		choice.word[ring.device_name.size()] == ' ') &&
	       choice.word.ends_with(ring.name);
}

bool RingFilter::names_device(const Choice &choice, const Ring &ring)
{
	return choice.is_number ? choice.number == ring.device :
				  choice.word == ring.device_name;
}

bool RingFilter::judge(const Ring &ring) const
{
	auto names = [&](const std::vector<Choice> &choices, auto named) {
		return choices.empty() ||
		       std::any_of(choices.begin(), choices.end(),
				   [&](const Choice &choice) {
					   return named(choice, ring);
				   });
	};

	// A class beyond those known is of none of them.
	if (engines_ && (ring.engine_class >= GRTRACE_CLASS_COUNT ||
			 !(engines_ >> ring.engine_class & 1)))
		return false;
	return names(rings_, names_ring) && names(devices_, names_device);
}

// A ring without a RING record has an id and nothing else.
bool RingFilter::judge_unknown(uint32_t id)
{
	bool found = false;

	for (Choice &choice : rings_)
		if (choice.is_number && choice.number == id)
			found = choice.met = true;
	return found && !engines_ && devices_.empty();
}

RingFilter::Verdict &RingFilter::verdict(uint32_t capture, uint32_t ring)
{
	if (capture >= verdicts_.size())
		verdicts_.resize(capture + 1);
	std::vector<Verdict> &verdicts = verdicts_[capture];
	if (ring >= verdicts.size())
		verdicts.resize(ring + 1);
	return verdicts[ring];
}

bool RingFilter::wants(uint32_t id, uint32_t capture, const Session &session)
{
	const Ring &ring = session.rings.find(id);

	if (id == GRTRACE_RING_NONE)
		return false;
	if (!ring.known)
		return judge_unknown(id);

	Verdict &known = verdict(capture, id);
	if (known == Verdict::unknown)
		known = judge(ring) ? Verdict::pass : Verdict::refuse;
	return known == Verdict::pass;
}

namespace {

// Those that are described, in the order of the captures.
std::vector<const Ring *> rings_of(const CaptureSet &captures)
{
	std::vector<const Ring *> rings;

	for (size_t i = 0; i < captures.size(); i++)
		for (const Ring &ring :
		     captures.capture(i).session().rings.all())
			if (ring.known)
				rings.push_back(&ring);
	return rings;
}

// "card0/gfx (1, render), card0/sdma0 (2, copy)", each once.
std::string list_of(const std::vector<const Ring *> &rings)
{
	static constexpr size_t most = 64;
	std::vector<std::string> names;

	for (const Ring *ring : rings) {
		std::string name = fmt::format(
			"{}/{} ({}, {})", ring->device_name, ring->name,
			ring->id, engine_name(ring->engine_class));

		if (std::ranges::find(names, name) == names.end())
			names.push_back(std::move(name));
	}
	if (names.empty())
		return "none that is described";
	const size_t more = names.size() - std::min(names.size(), most);
	names.resize(names.size() - more);
	return fmt::format("{}{}", fmt::join(names, ", "),
			   more ? fmt::format(" and {} more", more) : "");
}

} // namespace

Status RingFilter::check(const CaptureSet &captures) const
{
	const std::vector<const Ring *> rings = rings_of(captures);
	std::vector<std::string> missing;
	auto look = [&](const char *option, std::string_view word, auto named) {
		if (!std::ranges::any_of(rings, named))
			missing.push_back(
				fmt::format("{} {}", option, printable(word)));
	};

	for (const Choice &choice : rings_)
		if (!choice.met)
			look("--ring", choice.word, [&](const Ring *ring) {
				return names_ring(choice, *ring);
			});
	for (const Choice &choice : devices_)
		look("--dev", choice.word, [&](const Ring *ring) {
			return names_device(choice, *ring);
		});
	for (uint32_t id = 0; id < GRTRACE_CLASS_COUNT; id++)
		if (engines_ >> id & 1)
			look("--engine", engine_name(id),
			     [&](const Ring *ring) {
				     return ring->engine_class == id;
			     });
	if (missing.empty())
		return {};
	return Status::error(
		"{}: not in the capture; its rings, as device/name "
		"(id, engine class): {}",
		fmt::join(missing, ", "), list_of(rings));
}

} // namespace grtrace
