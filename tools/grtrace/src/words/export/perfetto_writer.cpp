// SPDX-License-Identifier: GPL-2.0
#include "words/export/perfetto_writer.h"

#include "lib/text/utf8_text.h"

namespace grtrace {

namespace {

// The first of those that mean something only within one sequence.
constexpr uint32_t own_clock = 64;

uint32_t builtin_clock(uint32_t clock)
{
	switch (clock) {
	case GRTRACE_CLOCK_MONOTONIC:
		return proto::BUILTIN_CLOCK_MONOTONIC;
	case GRTRACE_CLOCK_BOOTTIME:
		return proto::BUILTIN_CLOCK_BOOTTIME;
	}
	return own_clock;
}

} // namespace

void PerfettoWriter::clock(const Session &session, bool own)
{
	clock_id_ = own ? own_clock : builtin_clock(session.clock);

	proto::ClockSnapshot &snapshot = *packet().mutable_clock_snapshot();
	proto::ClockSnapshot::Clock &mine = *snapshot.add_clocks();
	mine.set_clock_id(clock_id_);
	mine.set_timestamp(session.start_ts);
	if (session.start_real || clock_id_ == own_clock) {
		proto::ClockSnapshot::Clock &wall = *snapshot.add_clocks();

		wall.set_clock_id(proto::BUILTIN_CLOCK_REALTIME);
		wall.set_timestamp(session.start_real ? session.start_real : session.start_ts);
	}
	snapshot.set_primary_trace_clock(clock_id_ == own_clock ?
						 proto::BUILTIN_CLOCK_REALTIME :
						 static_cast<proto::BuiltinClock>(clock_id_));
	packet_.set_first_packet_on_sequence(true);
	write();
}

void PerfettoWriter::forget()
{
	categories_.clear();
	event_names_.clear();
	annotations_.clear();
	stages_.clear();
	contexts_forgotten_ += contexts_.size();
	contexts_.clear();
	cleared_ = true;
}

proto::TracePacket &PerfettoWriter::packet()
{
	if (event_names_.size() + contexts_.size() > names_max)
		forget();
	packet_.Clear();
	packet_.set_trusted_packet_sequence_id(sequence_);
	if (cleared_) {
		packet_.set_sequence_flags(proto::TracePacket::SEQ_INCREMENTAL_STATE_CLEARED);
		packet_.mutable_trace_packet_defaults()->set_timestamp_clock_id(clock_id_);
	} else {
		packet_.set_sequence_flags(proto::TracePacket::SEQ_NEEDS_INCREMENTAL_STATE);
	}
	cleared_ = false;
	return packet_;
}

proto::TracePacket &PerfettoWriter::packet(uint64_t ts)
{
	packet().set_timestamp(ts);
	return packet_;
}

void PerfettoWriter::write()
{
	// A field 1 of Trace: its tag, its length, itself.
	uint64_t length = packet_.ByteSizeLong();

	bytes_.assign(1, '\x0a');
	for (; length >= 0x80; length >>= 7)
		bytes_.push_back(static_cast<char>(length | 0x80));
	bytes_.push_back(static_cast<char>(length));
	packet_.AppendToString(&bytes_);
	out_.text().append(bytes_.data(), bytes_.data() + bytes_.size());
	out_.drain();
}

proto::TrackEvent &PerfettoWriter::event(uint64_t ts, uint64_t track, proto::TrackEvent::Type type)
{
	proto::TrackEvent &event = *packet(ts).mutable_track_event();

	event.set_type(type);
	event.set_track_uuid(track);
	return event;
}

proto::TrackEvent &PerfettoWriter::event(uint64_t ts, uint64_t track, proto::TrackEvent::Type type,
					 const char *kind, std::string_view name)
{
	proto::TrackEvent &made = event(ts, track, type);

	made.add_category_iids(category(kind));
	made.set_name_iid(event_name(name));
	return made;
}

void PerfettoWriter::end_slice(uint64_t ts, uint64_t track)
{
	event(ts, track, proto::TrackEvent::TYPE_SLICE_END);
	write();
}

std::pair<uint64_t, bool> PerfettoWriter::number(Names &names, std::string_view name)
{
	const auto found = names.find(name);

	if (found != names.end())
		return {found->second, false};
	// 0 is not a number.
	const uint64_t made = names.size() + 1;
	names.emplace(name, made);
	return {made, true};
}

uint64_t PerfettoWriter::category(const char *name)
{
	const auto [iid, is_new] = number(categories_, name);

	if (is_new) {
		proto::EventCategory &told =
			*packet_.mutable_interned_data()->add_event_categories();
		told.set_iid(iid);
		told.set_name(name);
	}
	return iid;
}

uint64_t PerfettoWriter::event_name(std::string_view name)
{
	const auto [iid, is_new] = number(event_names_, name);

	if (is_new) {
		proto::EventName &told = *packet_.mutable_interned_data()->add_event_names();
		told.set_iid(iid);
		told.set_name(utf8_text(name));
	}
	return iid;
}

uint64_t PerfettoWriter::annotation(const char *name)
{
	const auto [iid, is_new] = number(annotations_, name);

	if (is_new) {
		proto::DebugAnnotationName &told =
			*packet_.mutable_interned_data()->add_debug_annotation_names();
		told.set_iid(iid);
		told.set_name(name);
	}
	return iid;
}

uint64_t
PerfettoWriter::stage(std::string_view name,
		      proto::InternedGpuRenderStageSpecification::RenderStageCategory category)
{
	const auto [iid, is_new] = number(stages_, fmt::format("{} {}", int(category), name));

	if (is_new) {
		proto::InternedGpuRenderStageSpecification &told =
			*packet_.mutable_interned_data()->add_gpu_specifications();
		told.set_iid(iid);
		told.set_name(utf8_text(name));
		told.set_category(category);
	}
	return iid;
}

uint64_t PerfettoWriter::context(uint64_t ctx, uint32_t tgid)
{
	const auto [number_here, is_new] = number(contexts_, fmt::format("{} {}", ctx, tgid));
	// Perfetto takes the numbers of all sequences for one list, and of all
	// times.
	const uint64_t iid = uint64_t(sequence_) << 40 | (contexts_forgotten_ + number_here);

	if (is_new) {
		proto::InternedGraphicsContext &told =
			*packet_.mutable_interned_data()->add_graphics_contexts();
		told.set_iid(iid);
		told.set_pid(static_cast<int32_t>(tgid));
	}
	return iid;
}

void PerfettoWriter::annotate(const char *name, uint64_t value)
{
	proto::DebugAnnotation &told = *packet_.mutable_track_event()->add_debug_annotations();

	told.set_name_iid(annotation(name));
	told.set_uint_value(value);
}

void PerfettoWriter::annotate(const Job &job)
{
	annotate("ctx", job.ctx);
	annotate("seqno", job.seqno);
}

void PerfettoWriter::annotate_signed(const char *name, int64_t value)
{
	proto::DebugAnnotation &told = *packet_.mutable_track_event()->add_debug_annotations();

	told.set_name_iid(annotation(name));
	told.set_int_value(value);
}

void PerfettoWriter::annotate(const char *name, std::string_view value)
{
	proto::DebugAnnotation &told = *packet_.mutable_track_event()->add_debug_annotations();

	told.set_name_iid(annotation(name));
	told.set_string_value(utf8_text(value));
}

} // namespace grtrace
