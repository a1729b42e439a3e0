// SPDX-License-Identifier: GPL-2.0
//
// The tables behind vocabulary.h. They also fix the sizes of the uAPI structs: if one
// changes, the format has another version.
#include "format/vocabulary.h"

#include <array>
#include <cstddef>
#include <iterator>

#include <strings.h>

#include "format/byte_order.h"

namespace grtrace {

static_assert(sizeof(grtrace_rec_hdr) == 4);
static_assert(sizeof(grtrace_rec_packet) == 64);
static_assert(sizeof(grtrace_rec_stream_info) == 152);
static_assert(sizeof(grtrace_rec_metadata) == 8);
static_assert(sizeof(grtrace_rec_lost) == 48);
static_assert(offsetof(grtrace_rec_lost, limited) == 32);
static_assert(sizeof(grtrace_rec_stop) == 40);
static_assert(sizeof(grtrace_rec_seq) == 16);
static_assert(sizeof(grtrace_rec_job) == 32);
static_assert(sizeof(grtrace_rec_job_fence) == 40);
static_assert(sizeof(grtrace_rec_submit) == 40);
static_assert(sizeof(grtrace_rec_command) == 56);
static_assert(offsetof(grtrace_rec_command, fence_ctx) == 40);
static_assert(sizeof(grtrace_rec_response) == 40);
static_assert(sizeof(grtrace_rec_error) == 128);
static_assert(sizeof(grtrace_rec_ioctl) == 96);
static_assert(sizeof(grtrace_rec_ring) == 120);
static_assert(sizeof(grtrace_rec_task) == 48);
static_assert(sizeof(grtrace_rec_message) == 16);
static_assert(sizeof(grtrace_rec_sample) == 32);
static_assert(sizeof(grtrace_rec_queue) == 48);
static_assert(sizeof(grtrace_rec_fence_name) == 80);

constexpr uint16_t job = sizeof(grtrace_rec_job);
constexpr uint16_t fence = sizeof(grtrace_rec_job_fence);
constexpr uint16_t any = UINT16_MAX;

// The letters of most notes begin with blkparse's m, because no GPU does them.
constexpr RecordKind record_kinds[] = {
	{GRTRACE_SUBMIT, sizeof(grtrace_rec_submit), sizeof(grtrace_rec_command), "Q", "submit"},
	{GRTRACE_DEP, fence, fence, "DP", "dep"},
	{GRTRACE_BLOCKED, fence, fence, "UN", "blocked"},
	{GRTRACE_PICK, job, job, "I", "pick"},
	{GRTRACE_COMMIT, fence, fence, "D", "commit"},
	{GRTRACE_START, job, job, "B", "start"},
	{GRTRACE_END, job, sizeof(grtrace_rec_response), "E", "end"},
	{GRTRACE_COMPLETE, job, job, "C", "complete"},
	{GRTRACE_IRQ, job, job, "IR", "irq"},
	{GRTRACE_CTX_SWITCH, fence, fence, "CS", "ctx_switch"},
	{GRTRACE_SYNC_WAIT_ENTER, job, job, "WE", "wait_enter"},
	{GRTRACE_SYNC_WAIT_EXIT, job, job, "WX", "wait_exit"},
	{GRTRACE_ERROR, sizeof(grtrace_rec_error), sizeof(grtrace_rec_error), "ER", "error"},
	{GRTRACE_FENCE, job, job, "FS", "fence"},
	{GRTRACE_QUEUE, sizeof(grtrace_rec_queue), sizeof(grtrace_rec_queue), "QS", "queue_state"},
	{GRTRACE_IOCTL, sizeof(grtrace_rec_ioctl), sizeof(grtrace_rec_ioctl), "IO", "ioctl"},
	{GRTRACE_PACKET, sizeof(grtrace_rec_packet), sizeof(grtrace_rec_packet), "mP", "packet"},
	{GRTRACE_STREAM_INFO, sizeof(grtrace_rec_stream_info), sizeof(grtrace_rec_stream_info),
	 "mS", "stream_info"},
	{GRTRACE_METADATA, sizeof(grtrace_rec_metadata), any, "mM", "metadata"},
	{GRTRACE_LOST, sizeof(grtrace_rec_lost), sizeof(grtrace_rec_lost), "mL", "lost"},
	{GRTRACE_RING, sizeof(grtrace_rec_ring), sizeof(grtrace_rec_ring), "mR", "ring"},
	{GRTRACE_TASK, sizeof(grtrace_rec_task), sizeof(grtrace_rec_task), "mT", "task"},
	{GRTRACE_MESSAGE, sizeof(grtrace_rec_message), any, "m", "message"},
	{GRTRACE_SAMPLE, sizeof(grtrace_rec_sample), sizeof(grtrace_rec_sample), "mN", "sample"},
	{GRTRACE_STOP, sizeof(grtrace_rec_stop), sizeof(grtrace_rec_stop), "mE", "stop"},
	{GRTRACE_FENCE_NAME, sizeof(grtrace_rec_fence_name), sizeof(grtrace_rec_fence_name), "FN",
	 "fence_name"},
};
static_assert(std::size(record_kinds) == nr_record_kinds);
static_assert(record_kinds[nr_event_kinds - 1].type == GRTRACE_IOCTL);

// The types have holes. Bytes 0 to 63 are the events, the others the notes.
constexpr size_t most_notes = 32;
using KindNumbers = std::array<uint8_t, GRTRACE_TYPE_LIMIT + most_notes>;

constexpr KindNumbers kind_numbers = [] {
	KindNumbers numbers = {};

	for (unsigned int i = 0; i < nr_record_kinds; i++) {
		const uint16_t type = record_kinds[i].type;

		numbers[type < GRTRACE_TYPE_LIMIT ?
				type :
				type - GRTRACE_NOTE_FIRST + GRTRACE_TYPE_LIMIT] =
			static_cast<uint8_t>(i + 1);
	}
	return numbers;
}();

bool is_our_version(const uint8_t *packet)
{
	return load16(packet + offsetof(grtrace_rec_packet, major)) == GRTRACE_VERSION_MAJOR &&
	       load16(packet + offsetof(grtrace_rec_packet, minor)) == GRTRACE_VERSION_MINOR;
}

unsigned int record_kind_number(uint16_t type)
{
	if (type < GRTRACE_TYPE_LIMIT)
		return kind_numbers[type];
	if (type >= GRTRACE_NOTE_FIRST && type < GRTRACE_NOTE_FIRST + most_notes)
		return kind_numbers[type - GRTRACE_NOTE_FIRST + GRTRACE_TYPE_LIMIT];
	return 0;
}

const RecordKind *record_kind(uint16_t type)
{
	const unsigned int number = record_kind_number(type);

	return number ? &record_kinds[number - 1] : nullptr;
}

static bool same_word(std::string_view a, std::string_view b)
{
	return a.size() == b.size() && !strncasecmp(a.data(), b.data(), a.size());
}

const RecordKind *record_kind_by_word(std::string_view word)
{
	// The words of blktrace -a; complete is the same word. A reset puts jobs back, as a
	// requeue does with requests.
	static constexpr struct {
		std::string_view word, name;
	} aliases[] = {{"issue", "commit"}, {"queue", "submit"}, {"requeue", "error"}};

	for (const auto &alias : aliases)
		if (same_word(word, alias.word))
			word = alias.name;
	for (const RecordKind &kind : record_kinds)
		if (same_word(word, kind.letter) || same_word(word, kind.name))
			return &kind;
	return nullptr;
}

char engine_letter(uint32_t engine_class)
{
	static const char letters[] = "NGCXVEO";

	return engine_class < GRTRACE_CLASS_COUNT ? letters[engine_class] : '-';
}

const char *engine_name(uint32_t engine_class)
{
	static const char *const names[GRTRACE_CLASS_COUNT] = {
		"unknown", "render", "compute", "copy", "video_decode", "video_encode", "other",
	};

	return engine_class < GRTRACE_CLASS_COUNT ? names[engine_class] : "-";
}

uint32_t engine_class_by_word(std::string_view word)
{
	for (uint32_t n = 0; n < GRTRACE_CLASS_COUNT; n++) {
		const char letter = engine_letter(n);

		if (same_word(word, engine_name(n)) ||
		    same_word(word, std::string_view(&letter, 1)))
			return n;
	}
	return GRTRACE_CLASS_COUNT;
}

const char *error_kind_name(uint32_t kind)
{
	static const char *const names[] = {
		"other", "timeout", "hang", "reset", "kill", "host", "wedged",
	};

	return kind < std::size(names) ? names[kind] : "?";
}

const char *queue_state_name(uint32_t state)
{
	if (state > GRTRACE_QUEUE_ON)
		return "?";
	return state == GRTRACE_QUEUE_ON ? "on" : "off";
}

const char *queue_reason_name(uint32_t reason)
{
	static const char *const names[] = {
		"unknown",  "created", "destroyed", "evicted",  "restored",  "suspended", "resumed",
		"disabled", "enabled", "hung",      "isolated", "preempted", "faulted",
	};

	return reason < std::size(names) ? names[reason] : "?";
}

const char *sample_reason_name(uint32_t reason)
{
	static const char *const names[] = {
		"the configuration was changed",
		"the channel fills up",
		"the channel empties again",
	};

	return reason < std::size(names) ? names[reason] : "?";
}

const char *clock_name(uint32_t clock)
{
	switch (clock) {
	case GRTRACE_CLOCK_UNKNOWN:
		return "unknown";
	case GRTRACE_CLOCK_MONOTONIC:
		return "mono";
	case GRTRACE_CLOCK_BOOTTIME:
		return "boot";
	}
	return "?";
}

} // namespace grtrace
