// SPDX-License-Identifier: GPL-2.0
#include "ring_filter.h"

#include <algorithm>

#include "comma_list.h"
#include "vocabulary.h"

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
	return choice.word.size() ==
		       ring.device_name.size() + 1 + ring.name.size() &&
	       choice.word.starts_with(ring.device_name) &&
	       choice.word[ring.device_name.size()] == '/' &&
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

// "card0/gfx (1), card0/sdma0 (2)"
static std::string list_rings(const CaptureSet &captures)
{
	static constexpr unsigned int most = 12;
	std::string text;
	unsigned int count = 0;

	for (size_t i = 0; i < captures.size(); i++)
		for (const Ring &ring :
		     captures.capture(i).session().rings.all())
			if (ring.known && ++count <= most)
				text += fmt::format("{}{}/{} ({})",
						    text.empty() ? "" : ", ",
						    ring.device_name, ring.name,
						    ring.id);
	if (count > most)
		text += fmt::format(" and {} more", count - most);
	return text.empty() ? "none that is described" : text;
}

std::vector<std::string> RingFilter::missing(const CaptureSet &captures) const
{
	std::vector<std::string> sentences;
	auto look = [&](const char *option, const Choice &choice, auto named) {
		for (size_t i = 0; i < captures.size(); i++)
			for (const Ring &ring :
			     captures.capture(i).session().rings.all())
				if (ring.known && named(choice, ring))
					return;
		if (!choice.met)
			sentences.push_back(fmt::format(
				"{} {}: not in the capture; its rings, as "
				"device/name (id): {}",
				option, printable(choice.word),
				list_rings(captures)));
	};

	for (const Choice &choice : rings_)
		look("--ring", choice, names_ring);
	for (const Choice &choice : devices_)
		look("--dev", choice, names_device);
	return sentences;
}

} // namespace grtrace
