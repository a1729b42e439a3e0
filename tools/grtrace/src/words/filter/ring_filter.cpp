// SPDX-License-Identifier: GPL-2.0
//
// A ring's name is known only after its RING record, which may come late; the answer is kept
// for each ring, because it is needed for each event.
#include "words/filter/ring_filter.h"

#include <algorithm>
#include <vector>

#include "format/vocabulary.h"
#include "lib/text/utf8_text.h"
#include "lib/text/words_of.h"

namespace grtrace {

// The same as the option of that name for a session: bit n is class n.
Status RingFilter::add_engine_mask(std::string_view word, std::string_view digits)
{
	uint64_t mask;

	if (!whole_number(digits, mask, 16) || !mask)
		return Status::error("--engine: {} is not a mask of classes", word);
	Choice choice = {std::string(word)};
	choice.mask = mask;
	engines_.push_back(choice);
	return {};
}

Status RingFilter::add_engines(std::string_view words)
{
	return for_each_word("--engine", words, [&](std::string_view word) {
		Choice choice = {std::string(word)};

		if (std::string_view digits = word; take_hex(digits))
			return add_engine_mask(word, digits);
		choice.number = engine_class_by_word(word);
		choice.is_number = choice.number != GRTRACE_CLASS_COUNT ||
				   parse_id(word, UINT32_MAX, choice.number);
		engines_.push_back(choice);
		return Status();
	});
}

Status RingFilter::add_rings(std::string_view words)
{
	return for_each_word("--ring", words, [&](std::string_view word) {
		Choice choice = {std::string(word)};

		choice.is_number = parse_id(word, UINT32_MAX, choice.number);
		if (choice.is_number && choice.number == GRTRACE_RING_NONE)
			return Status::error("--ring: there is no ring {}: 0 stands for no ring",
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

bool RingFilter::names_engine(const Choice &choice, const Ring &ring, const Session &session)
{
	if (choice.mask)
		return ring.engine_class < 64 && choice.mask >> ring.engine_class & 1;
	if (choice.is_number)
		return choice.number == ring.engine_class;
	const auto found = session.class_names.find(ring.engine_class);

	return found != session.class_names.end() && choice.word == found->second;
}

bool RingFilter::names_ring(const Choice &choice, const Ring &ring)
{
	if (choice.is_number)
		return choice.number == ring.id;
	if (choice.word == ring.name)
		return true;
	// The separator is a slash, or a space as in the tables of a report.
	return choice.word.size() == ring.device_name.size() + 1 + ring.name.size() &&
	       choice.word.starts_with(ring.device_name) &&
	       (choice.word[ring.device_name.size()] == '/' ||
		choice.word[ring.device_name.size()] == ' ') &&
	       choice.word.ends_with(ring.name);
}

// Returns whether the word is a name of the device: card0, renderD128, an address. lspci omits
// the domain if there is only one.
static bool is_name_of(const HostFacts &host, std::string_view word, std::string_view device)
{
	const auto has = [](const std::string &names, std::string_view name) {
		return fmt::format(" {} ", names).find(fmt::format(" {} ", name)) != names.npos;
	};

	return word == device || std::ranges::any_of(host.nodes, [&](const std::string &names) {
		       return has(names, device) &&
			      (has(names, word) || has(names, fmt::format("0000:{}", word)));
	       });
}

bool RingFilter::names_device(const Choice &choice, const Ring &ring, const Session &session)
{
	return choice.is_number ? choice.number == ring.device :
				  is_name_of(session.host, choice.word, ring.device_name);
}

bool RingFilter::judge(const Ring &ring, const Session &session) const
{
	auto any_of = [](const std::vector<Choice> &choices, auto named) {
		return choices.empty() || std::ranges::any_of(choices, named);
	};

	return any_of(engines_,
		      [&](const Choice &choice) { return names_engine(choice, ring, session); }) &&
	       any_of(rings_, [&](const Choice &choice) { return names_ring(choice, ring); }) &&
	       any_of(devices_,
		      [&](const Choice &choice) { return names_device(choice, ring, session); });
}

// A ring without a RING record has only an id.
bool RingFilter::judge_unknown(uint32_t id)
{
	bool found = false;

	for (Choice &choice : rings_)
		if (choice.is_number && choice.number == id)
			found = choice.met = true;
	found = found && engines_.empty() && devices_.empty();
	passed_ |= found;
	return found;
}

RingFilter::Verdict &RingFilter::verdict(uint32_t capture, uint32_t ring)
{
	if (capture >= verdicts_.size())
		verdicts_.resize(capture + 1);
	return verdicts_[capture][ring];
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
		known = judge(ring, session) ? Verdict::pass : Verdict::refuse;
	return known == Verdict::pass;
}

void RingFilter::meet(const Ring &ring, const Session &session)
{
	for (Choice &choice : engines_)
		choice.met |= names_engine(choice, ring, session);
	for (Choice &choice : rings_)
		choice.met |= names_ring(choice, ring);
	for (Choice &choice : devices_)
		choice.met |= names_device(choice, ring, session);
	passed_ |= judge(ring, session);
}

// Returns "--ring gfx9, --engine warp".
std::string RingFilter::choices(bool met) const
{
	std::vector<std::string> names;
	auto add = [&](const char *option, const std::vector<Choice> &choices) {
		for (const Choice &choice : choices)
			if (choice.met == met)
				names.push_back(
					fmt::format("{} {}", option, printable(choice.word)));
	};

	add("--ring", rings_);
	add("--dev", devices_);
	add("--engine", engines_);
	return fmt::format("{}", fmt::join(names, ", "));
}

bool RingFilter::all_met() const
{
	return !any() || (passed_ && choices(false).empty());
}

namespace {

// Returns "card0/gfx (1, render), card0/sdma0 (2, copy)", each ring once, in the order
// of the captures.
std::string list_of(const CaptureSet &captures)
{
	static constexpr size_t most = 64;
	std::vector<std::string> names;
	auto add = [&](const Ring &ring, const Session &session) {
		std::string name = fmt::format("{}/{} ({}, {})", ring.device_name, ring.name,
					       ring.id, session.class_name(ring.engine_class));

		if (std::ranges::find(names, name) == names.end())
			names.push_back(std::move(name));
	};

	for (size_t i = 0; i < captures.size(); i++) {
		const Session &session = captures.capture(i).session();

		session.rings.each([&](const Ring &ring) { add(ring, session); });
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
	RingFilter seen = *this;

	for (size_t i = 0; i < captures.size(); i++) {
		const Session &session = captures.capture(i).session();

		session.rings.each([&](const Ring &ring) { seen.meet(ring, session); });
	}
	if (seen.all_met())
		return {};
	const std::string missing = seen.choices(false);
	return Status::error("{}; its rings, as device/name (id, engine class): {}",
			     missing.empty() ? seen.choices(true) +
						       ": no ring of the capture has all of these" :
					       missing + ": not in the capture",
			     list_of(captures));
}

} // namespace grtrace
