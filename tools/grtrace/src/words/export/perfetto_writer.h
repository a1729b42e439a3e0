// SPDX-License-Identifier: GPL-2.0
//
// PerfettoWriter: writes the packets of one sequence of a Perfetto trace.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "lib/files/output_file.h"
#include "read/stream/session.h"
#include "words/export/perfetto.pb.h"
#include "words/tracker/job.h"

namespace grtrace {

namespace proto = perfetto::protos;

// A capture is one sequence, with its own clock and names. A name is written once and then
// referred to by its number. When there are too many names, all are forgotten, and readers
// are informed. It needs memory for names_max names.
class PerfettoWriter {
public:
	static constexpr size_t names_max = 65536;

	// sequence: not 0. clock: the one used in the packets. primary: the clock in which
	// times are shown.
	PerfettoWriter(OutputFile &out, uint32_t sequence) : out_(out), sequence_(sequence) {}

	// To be called first: relates the clock of the session to others. own: Perfetto
	// does not know the clock, or other captures use another one.
	void clock(const Session &session, bool own);

	// Returns a new packet, which may be filled until write().
	proto::TracePacket &packet();
	proto::TracePacket &packet(uint64_t ts);
	void write();

	// Returns a new packet with an event; an event with a name also has a category.
	proto::TrackEvent &event(uint64_t ts, uint64_t track, proto::TrackEvent::Type type);
	proto::TrackEvent &event(uint64_t ts, uint64_t track, proto::TrackEvent::Type type,
				 const char *category, std::string_view name);
	// Writes the end of the slice that began last.
	void end_slice(uint64_t ts, uint64_t track);

	// Return the numbers of names; the current packet defines new ones.
	uint64_t category(const char *name);
	uint64_t event_name(std::string_view name);
	uint64_t annotation(const char *name);
	uint64_t stage(std::string_view name,
		       proto::InternedGpuRenderStageSpecification::RenderStageCategory category);
	uint64_t context(uint64_t ctx, uint32_t tgid);

	// Adds an annotation to the event of the current packet.
	void annotate(const char *name, uint64_t value);
	void annotate_signed(const char *name, int64_t value);
	void annotate(const char *name, std::string_view value);
	void annotate(const Job &job); // adds its key

private:
	using Names = std::map<std::string, uint64_t, std::less<>>;

	// Returns the number, and whether it is new.
	std::pair<uint64_t, bool> number(Names &names, std::string_view name);
	void forget();

	OutputFile &out_;
	uint32_t sequence_;
	uint32_t clock_id_ = 0;
	bool cleared_ = true; // the next packet has to announce that
	proto::TracePacket packet_;
	std::string bytes_;
	Names categories_;
	Names event_names_;
	Names annotations_;
	Names stages_;
	Names contexts_;
	uint64_t contexts_forgotten_ = 0; // how many had a number before
};

} // namespace grtrace
