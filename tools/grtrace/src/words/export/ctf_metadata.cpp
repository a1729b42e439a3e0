// SPDX-License-Identifier: GPL-2.0
#include "words/export/ctf_metadata.h"

#include <cstring>

#include <fmt/format.h>

#include "format/vocabulary.h"
#include "lib/options/version.h"
#include "lib/text/utf8_text.h"
#include "words/export/ctf_layout.h"

namespace grtrace {

namespace {

constexpr uint64_t second = 1000000000;

// A string of TSDL.
std::string quoted(std::string_view text)
{
	std::string made = "\"";

	for (const char c : printable(text)) {
		if (c == '"' || c == '\\')
			made += '\\';
		made += c;
	}
	return made + "\"";
}

std::string uuid_text(const CtfUuid &uuid)
{
	std::string text;

	for (size_t i = 0; i < uuid.size(); i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			text += '-';
		text += fmt::format("{:02x}", uuid[i]);
	}
	return text;
}

const char *const types = R"(
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 16; align = 8; signed = false; } := uint16_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;
typealias integer { size = 32; align = 8; signed = true; } := int32_t;
typealias integer { size = 64; align = 8; signed = true; } := int64_t;
typealias integer { size = 16; align = 8; signed = false; base = 16; } := hex16_t;
)";

// From the epoch to the clock's zero; 0 where the wall clock is not known.
uint64_t clock_offset(const Session &session)
{
	if (session.start_real <= session.start_ts || session.start_real > INT64_MAX)
		return 0;
	return session.start_real - session.start_ts;
}

std::string clock_text(const Session &session)
{
	const uint64_t offset = clock_offset(session);

	return fmt::format("clock {{\n"
			   "\tname = \"{0}\";\n"
			   "\tuuid = \"{1}\";\n"
			   "\tdescription = \"the session's clock\";\n"
			   "\tfreq = {2};\n"
			   "\toffset_s = {3};\n"
			   "\toffset = {4};\n"
			   "\tabsolute = {5};\n"
			   "}};\n"
			   "typealias integer {{ size = 64; align = 8; signed = false; map = "
			   "clock.{0}.value; }} := clock_t;\n",
			   clock_name(session.clock)[0] == '?' ? "unknown" :
								 clock_name(session.clock),
			   uuid_text(ctf_uuid(session)), second, offset / second, offset % second,
			   offset ? "TRUE" : "FALSE");
}

std::string enum_text(const char *name, const std::string &values)
{
	return fmt::format("enum {} : uint32_t {{ {} }};\n", name, values);
}

std::string enums_text(const Session &session)
{
	std::string rings = "\"-\" = 0";
	std::string kinds, states, reasons, engines;

	session.rings.each([&](const Ring &ring) {
		rings += fmt::format(", {} = {}", quoted(ring.device_name + "/" + ring.name),
				     ring.id);
	});
	for (uint32_t i = 0; i <= GRTRACE_ERROR_WEDGED; i++)
		kinds += fmt::format("{}\"{}\" = {}", i ? ", " : "", error_kind_name(i), i);
	for (uint32_t i = 0; i <= GRTRACE_QUEUE_ON; i++)
		states += fmt::format("{}\"{}\" = {}", i ? ", " : "", queue_state_name(i), i);
	for (uint32_t i = 0; i <= GRTRACE_QUEUE_FAULTED; i++)
		reasons += fmt::format("{}\"{}\" = {}", i ? ", " : "", queue_reason_name(i), i);
	for (uint32_t i = 0; i < GRTRACE_CLASS_COUNT; i++)
		engines += fmt::format("{}\"{}\" = {}", i ? ", " : "", engine_name(i), i);
	return enum_text("ring", rings) + enum_text("error_kind", kinds) +
	       enum_text("queue_state", states) + enum_text("queue_reason", reasons) +
	       enum_text("engine", engines);
}

std::string fields_text(std::span<const CtfField> fields)
{
	std::string text;

	for (const CtfField &field : fields)
		text += fmt::format("\t\t{} {};\n", ctf_type_name(field.type), field.name);
	return text;
}

const char *const stream_head = R"(stream {
	id = 0;
	packet.context := struct {
		clock_t timestamp_begin;
		clock_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t packet_seq_num;
		uint64_t events_discarded;
		uint32_t cpu_id;
	};
	event.header := struct {
		uint16_t id;
		clock_t timestamp;
	};
	event.context := struct {
)";

std::string env_text(const Session &session)
{
	return fmt::format("env {{\n"
			   "\tdomain = \"kernel\";\n"
			   "\ttracer_name = \"grtrace\";\n"
			   "\ttracer_version = \"{}\";\n"
			   "\tkernel_release = {};\n"
			   "\tsession = \"{:016x}\";\n"
			   "}};\n",
			   tools_version, quoted(session.release), session.id);
}

} // namespace

CtfUuid ctf_uuid(const Session &session)
{
	CtfUuid uuid;

	static_assert(sizeof(uuid) == sizeof(session.id) + sizeof(session.start_ts));
	memcpy(uuid.data(), &session.id, sizeof(session.id));
	memcpy(uuid.data() + sizeof(session.id), &session.start_ts, sizeof(session.start_ts));
	return uuid;
}

uint64_t ctf_last_time(const Session &session)
{
	return INT64_MAX - clock_offset(session);
}

std::string ctf_metadata(const Session &session)
{
	std::string text = "/* CTF 1.8 */\n";

	text += types;
	text += fmt::format("trace {{\n"
			    "\tmajor = 1;\n"
			    "\tminor = 8;\n"
			    "\tuuid = \"{}\";\n"
			    "\tbyte_order = le;\n"
			    "\tpacket.header := struct {{\n"
			    "\t\tuint32_t magic;\n"
			    "\t\tuint8_t uuid[16];\n"
			    "\t\tuint32_t stream_id;\n"
			    "\t}};\n}};\n",
			    uuid_text(ctf_uuid(session)));
	text += env_text(session) + clock_text(session) + enums_text(session);
	text += stream_head + fields_text(ctf_context()) + "\t};\n};\n";
	for_each_ctf_kind([&](const CtfKind &kind) {
		text += fmt::format("event {{\n\tname = \"{}\";\n\tid = {};\n"
				    "\tstream_id = 0;\n"
				    "\tfields := struct {{\n{}\t}};\n}};\n",
				    kind.name, kind.id, fields_text(kind.fields));
	});
	return text;
}

} // namespace grtrace
