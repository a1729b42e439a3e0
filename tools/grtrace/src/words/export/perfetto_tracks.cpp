// SPDX-License-Identifier: GPL-2.0
#include "words/export/perfetto_tracks.h"

#include "lib/text/utf8_text.h"

namespace grtrace {

// Capture, kind, id of 32 bits, lane: no two tracks have the same.
uint64_t PerfettoTracks::uuid(Kind kind, uint64_t id, uint32_t lane) const
{
	return static_cast<uint64_t>(index_ + 1) << 56 | static_cast<uint64_t>(kind) << 48 |
	       (id & UINT32_MAX) << 16 | lane;
}

proto::TrackDescriptor *PerfettoTracks::tell(uint64_t uuid, uint64_t parent, std::string_view name)
{
	proto::TrackDescriptor *track = out_.packet().mutable_track_descriptor();

	track->set_uuid(uuid);
	if (parent)
		track->set_parent_uuid(parent);
	track->set_name(utf8_text(name));
	return track;
}

uint64_t PerfettoTracks::child(uint64_t uuid, uint64_t parent, const char *name, int32_t rank)
{
	if (told_.insert(uuid).second) {
		tell(uuid, parent, name)->set_sibling_order_rank(rank);
		out_.write();
	}
	return uuid;
}

uint64_t PerfettoTracks::device(const Ring &ring)
{
	const uint64_t track = uuid(Kind::device, ring.device);

	if (told_.insert(track).second) {
		tell(track, 0, ring.device_name)
			->set_child_ordering(proto::TrackDescriptor::LEXICOGRAPHIC);
		out_.write();
	}
	return track;
}

// A ring may be described after it was used.
uint64_t PerfettoTracks::ring(uint32_t id)
{
	const uint64_t track = uuid(Kind::ring, id);
	const Ring &ring = session_.rings.find(id);
	RingTracks &tracks = rings_.get(id);

	if (tracks.told && tracks.named == ring.known)
		return track;
	tracks.told = true;
	tracks.named = ring.known;
	const uint64_t parent = ring.known ? device(ring) : 0;
	tell(track, parent, ring.known ? ring.name : fmt::format("ring {}", id))
		->set_child_ordering(proto::TrackDescriptor::EXPLICIT);
	out_.write();
	return track;
}

uint64_t PerfettoTracks::lane(uint32_t id, Level level, uint64_t begin, uint64_t end)
{
	static constexpr const char *names[] = {"queue", "hardware queue", "running"};
	const uint64_t parent = ring(id);
	const int rank = static_cast<int>(level);
	const uint32_t number = rings_.get(id).lanes[rank].place(begin, end);

	return child(uuid(static_cast<Kind>(static_cast<int>(Kind::lane) + rank), id, number),
		     parent, names[rank], rank + 1);
}

uint64_t PerfettoTracks::depth(uint32_t id, bool hardware)
{
	const uint64_t parent = ring(id);
	const uint64_t track = uuid(hardware ? Kind::hardware_depth : Kind::depth, id);

	if (told_.insert(track).second) {
		proto::TrackDescriptor *told =
			tell(track, parent, hardware ? "jobs on the hardware" : "jobs");

		told->set_sibling_order_rank(hardware ? 5 : 4);
		told->mutable_counter()->set_unit(proto::CounterDescriptor::UNIT_COUNT);
		out_.write();
	}
	return track;
}

void PerfettoTracks::tell_process(uint32_t tgid, const Task &task)
{
	const uint64_t track = uuid(Kind::process, tgid);
	const Task *leader = session_.tasks.leader(tgid);

	if (!told_.insert(track).second)
		return;

	proto::TrackDescriptor *told = out_.packet().mutable_track_descriptor();
	told->set_uuid(track);
	told->mutable_process()->set_pid(static_cast<int32_t>(tgid));
	told->mutable_process()->set_process_name(utf8_text((leader ? leader : &task)->name()));
	out_.write();
}

// A thread may change its name; the newest counts.
uint64_t PerfettoTracks::thread(uint32_t pid)
{
	const uint64_t track = uuid(Kind::thread, pid);
	const Task *task = session_.tasks.find(pid);
	Thread &thread = threads_.get(pid);

	if (thread.told &&
	    (!task || (thread.task.tgid == task->tgid && thread.task.name() == task->name())))
		return track;
	thread.told = true;
	if (task)
		thread.task = *task;
	else
		thread.task.tgid = pid;
	tell_process(thread.task.tgid, thread.task);

	proto::TrackDescriptor *told = out_.packet().mutable_track_descriptor();
	told->set_uuid(track);
	told->set_parent_uuid(uuid(Kind::process, thread.task.tgid));
	told->mutable_thread()->set_pid(static_cast<int32_t>(thread.task.tgid));
	told->mutable_thread()->set_tid(pid);
	told->mutable_thread()->set_thread_name(utf8_text(thread.task.name()));
	out_.write();
	return track;
}

uint64_t PerfettoTracks::wait(uint32_t pid, uint64_t begin, uint64_t end)
{
	const uint64_t parent = thread(pid);
	const uint32_t number = threads_.get(pid).waits.place(begin, end);

	// Few tasks wait for two fences at a time.
	if (!number)
		return parent;
	return child(uuid(Kind::wait, pid, number), parent, "waits", 1);
}

uint64_t PerfettoTracks::call(uint32_t pid, uint64_t begin, uint64_t end)
{
	const uint64_t parent = thread(pid);
	const uint32_t number = threads_.get(pid).ioctls.place(begin, end);

	return child(uuid(Kind::ioctl, pid, number), parent, "ioctls", 2);
}

uint64_t PerfettoTracks::lost(uint64_t begin, uint64_t end)
{
	return child(uuid(Kind::lost, 0, lost_.place(begin, end)), 0, "lost records", 0);
}

uint64_t PerfettoTracks::messages()
{
	return child(uuid(Kind::messages), 0, "messages", 0);
}

} // namespace grtrace
