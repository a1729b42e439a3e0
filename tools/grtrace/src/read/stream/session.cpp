// SPDX-License-Identifier: GPL-2.0
//
// METADATA is text, so that a kernel can add a line that older readers ignore.
#include "read/stream/session.h"

#include "lib/text/utf8_text.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>

#include "format/vocabulary.h"
namespace grtrace {

// Sources are modules; a capture with more than this many is damaged.
constexpr size_t max_sources = 256;
constexpr size_t max_models = 256;
// Bits of filter_engine_mask.
constexpr uint32_t max_classes = 64;
// The longest word that is kept for things that only the METADATA names.
constexpr size_t max_name = 32;
constexpr size_t max_letter = 4;

std::string_view Session::model_of(std::string_view device) const
{
	const auto found = std::ranges::find(models, device, &Model::device);

	return found == models.end() ? std::string_view() : found->id;
}

void Session::learn(const uint8_t *record, uint16_t type, size_t size)
{
	if (type == GRTRACE_STREAM_INFO)
		learn_info(record);
	else if (type == GRTRACE_METADATA)
		learn_metadata(record, size);
	else if (type == GRTRACE_RING)
		rings.learn(record);
	else if (type == GRTRACE_TASK)
		tasks.learn(record);
	else if (type == GRTRACE_FENCE_NAME)
		fences.learn(record);
	else if (type == GRTRACE_ERROR)
		tasks.learn_guilty(record);
}

void Session::learn_info(const uint8_t *record)
{
	using Info = grtrace_rec_stream_info;

	have_info = true;
	clock = load32(record + offsetof(Info, clock));
	features = load64(record + offsetof(Info, features));
	start_ts = load64(record + offsetof(Info, start_ts));
	start_real = load64(record + offsetof(Info, start_real));
	// The kernel's own record lacks the boot id, which its recorder filled in.
	const uint8_t *const boot = record + offsetof(Info, boot_id);
	if (std::any_of(boot, boot + sizeof(boot_id), [](uint8_t byte) { return byte; }))
		memcpy(boot_id, boot, sizeof(boot_id));
	release = printable(text_field(record + offsetof(Info, release), GRTRACE_RELEASE_LEN));
	subbuf_size = load32(record + offsetof(Info, subbuf_size));
	n_subbufs = load32(record + offsetof(Info, n_subbufs));
	nr_cpus = load32(record + offsetof(Info, nr_cpus));
}

// Removes the next word from the line and returns it.
static std::string_view next_word(std::string_view &line)
{
	size_t end = line.find(' ');
	std::string_view word = line.substr(0, end);

	line = end == line.npos ? std::string_view() : line.substr(end + 1);
	return word;
}

template <typename Number> static Number number(std::string_view word)
{
	Number value = 0;

	std::from_chars(word.data(), word.data() + word.size(), value);
	return value;
}

void Session::learn_line(std::string_view line)
{
	std::string_view what = next_word(line);

	if (what == "source") {
		learn_source(line);
	} else if (what == "device") {
		learn_device(line);
	} else if (what == "event") {
		learn_event(line);
	} else if (what == "class") {
		learn_class(line);
	} else if (what == "snapshot") {
		snapshot_reason = printable(next_word(line));
		snapshot_ts = number<uint64_t>(next_word(line));
	} else if (what == "state") {
		stopped |= next_word(line) == "stopped";
	} else if (what == "segment") {
		is_segment = true;
	} else if (what == "recorder") {
		recorder = printable(next_word(line));
	} else if (what == "rings_full") {
		rings_full = std::max(rings_full, number<uint64_t>(next_word(line)));
	} else if (what == "untold") {
		learn_untold(line);
	} else if (what == "host") {
		host.learn_host(next_word(line));
	} else if (what == "tag") {
		const std::string_view key = next_word(line);
		host.learn_tag(key, next_word(line));
	} else if (what == "node") {
		host.learn_node(printable(line));
	}
}

// Known types have this program's names, whatever the line says.
void Session::learn_event(std::string_view line)
{
	const auto type = number<uint16_t>(next_word(line));
	std::string name = printable(next_word(line).substr(0, max_name));
	std::string letter = printable(next_word(line).substr(0, max_letter));

	if (type && type < GRTRACE_TYPE_LIMIT && !is_known_event(type) && !name.empty())
		event_names[type] = {std::move(name), std::move(letter)};
}

void Session::learn_class(std::string_view line)
{
	const auto engine_class = number<uint32_t>(next_word(line));
	std::string name = printable(next_word(line).substr(0, max_name));

	if (engine_class >= GRTRACE_CLASS_COUNT && engine_class < max_classes && !name.empty())
		class_names[engine_class] = std::move(name);
}

const char *Session::event_name(uint16_t type) const
{
	const RecordKind *kind = record_kind(type);

	if (kind)
		return kind->name;
	const auto found = event_names.find(type);
	return found == event_names.end() ? "?" : found->second.name.c_str();
}

const char *Session::event_letter(uint16_t type) const
{
	const RecordKind *kind = record_kind(type);

	if (kind)
		return kind->letter;
	const auto found = event_names.find(type);
	return found == event_names.end() || found->second.letter.empty() ?
		       "?" :
		       found->second.letter.c_str();
}

const char *Session::class_name(uint32_t engine_class) const
{
	const auto found = class_names.find(engine_class);

	return found == class_names.end() ? engine_name(engine_class) : found->second.c_str();
}

std::string feature_text(uint64_t features)
{
	std::string text;

	for (unsigned int bit = 0; bit < 64; bit++)
		if (features >> bit & 1)
			text += fmt::format("{}bit {}", text.empty() ? "" : ", ", bit);
	return text;
}

void Session::learn_source(std::string_view line)
{
	std::string name = printable(next_word(line));
	Source *source = nullptr;

	for (Source &known : sources)
		if (known.name == name)
			source = &known;
	if (!source) {
		if (name.empty() || sources.size() >= max_sources)
			return;
		source = &sources.emplace_back();
		source->name = name;
	}
	source->found = number<uint32_t>(next_word(line));
	source->known = number<uint32_t>(next_word(line));
}

void Session::learn_device(std::string_view line)
{
	Model model;

	model.device = printable(next_word(line));
	model.bus = printable(next_word(line).substr(0, max_name));
	model.id = printable(next_word(line));
	if (model.id.empty() || models.size() >= max_models || !model_of(model.device).empty())
		return;
	models.push_back(std::move(model));
}

bool Session::is_imported() const
{
	return !recorder.empty() && recorder != "tracefs" && !is_merged();
}

void Session::learn_untold(std::string_view line)
{
	while (!line.empty()) {
		std::string fact = printable(next_word(line));

		if (!fact.empty() && untold.size() < max_sources &&
		    std::find(untold.begin(), untold.end(), fact) == untold.end())
			untold.push_back(fact);
	}
}

void Session::learn_metadata(const uint8_t *record, size_t size)
{
	std::string_view text = text_field(record + sizeof(grtrace_rec_metadata),
					   size - sizeof(grtrace_rec_metadata));

	while (!text.empty()) {
		size_t end = text.find('\n');

		learn_line(text.substr(0, end));
		text = end == text.npos ? std::string_view() : text.substr(end + 1);
	}
}

} // namespace grtrace
