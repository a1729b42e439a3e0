// SPDX-License-Identifier: GPL-2.0
#include "words/merge/machine.h"

#include <algorithm>
#include <cstring>

namespace grtrace {

std::string Machine::title(const std::string &name, size_t room) const
{
	if (!number_)
		return name;
	// A name that is cut could be another machine's; a number cannot.
	if (name_.size() + 1 + name.size() <= room)
		return fmt::format("{}/{}", name_, name);
	return fmt::format("m{}/{}", number_, name);
}

static void place_comm(uint8_t *comm, const Machine &machine)
{
	const std::string title = machine.title(std::string(text_field(comm, GRTRACE_COMM_LEN)),
						GRTRACE_COMM_LEN - 1);

	memset(comm, 0, GRTRACE_COMM_LEN);
	memcpy(comm, title.data(), std::min<size_t>(title.size(), GRTRACE_COMM_LEN - 1));
}

static void place_task(uint8_t *raw, uint32_t pids, const Machine &machine)
{
	using Task = grtrace_rec_task;

	store32(raw + offsetof(Task, tgid), load32(raw + offsetof(Task, tgid)) + pids);
	place_comm(raw + offsetof(Task, comm), machine);
}

// A task without a number or a name is not known.
static void place_guilty(uint8_t *raw, uint32_t pids, const Machine &machine)
{
	using Error = grtrace_rec_error;

	const uint32_t pid = load32(raw + offsetof(Error, pid));

	if (pid)
		store32(raw + offsetof(Error, pid), pid + pids);
	if (raw[offsetof(Error, comm)])
		place_comm(raw + offsetof(Error, comm), machine);
}

static void place_client(uint8_t *client, uint64_t first)
{
	const uint64_t number = load64(client);

	// 0: the client is not known. Drivers number their own jobs from the end: these numbers
	// are those of all machines.
	if (number && number < 1ull << 48)
		store64(client, number + first);
}

bool Machine::place(MergeRecord &record) const
{
	const uint32_t pids = number_ << 22;
	const uint64_t contexts = uint64_t(number_) << 48;
	Event &event = record.event;

	if (event.cpu >= cpus)
		return false;
	if (!number_)
		return true;
	event.cpu += number_ * cpus;
	// An interrupt or an ioctl has no context; a CTX_SWITCH to idle only has that of
	// the previous job.
	if (event.is_event() &&
	    (event.ctx || event.seqno || (event.type == GRTRACE_CTX_SWITCH && event.fence_ctx)))
		event.ctx += contexts;
	if (event.sequenced && event.pid)
		event.pid += pids;
	if (event.type == GRTRACE_TASK)
		place_task(record.bytes.data(), pids, *this);
	if (event.type == GRTRACE_ERROR)
		place_guilty(record.bytes.data(), pids, *this);
	if (event.type == GRTRACE_SUBMIT)
		place_client(record.bytes.data() + offsetof(grtrace_rec_submit, client), contexts);
	if (event.type == GRTRACE_QUEUE)
		place_client(record.bytes.data() + offsetof(grtrace_rec_queue, client), contexts);
	if (event.type == GRTRACE_FENCE_NAME) {
		using Name = grtrace_rec_fence_name;

		event.ctx += contexts;
		store64(record.bytes.data() + offsetof(Name, ctx), event.ctx);
	}
	return true;
}

uint32_t MergedRings::pick(uint32_t id)
{
	while (id == GRTRACE_RING_NONE || !used_.insert(id).second)
		id++;
	return id;
}

MergedRings::Key MergedRings::key_of(size_t input, const Machine &machine, const RingTable &rings,
				     uint32_t id)
{
	const Ring &ring = rings.find(id);
	Key key;

	key.machine = machine.name();
	if (!ring.known) {
		key.input = input + 1;
		key.id = id;
		return key;
	}
	key.device = ring.device_name;
	key.name = ring.name;
	rings.each([&](const Ring &other) {
		key.nth += other.id < id && other.device_name == ring.device_name &&
			   other.name == ring.name;
	});
	return key;
}

uint32_t MergedRings::id_of(size_t input, const Machine &machine, const RingTable &rings,
			    uint32_t id, bool &fresh)
{
	fresh = false;
	if (id == GRTRACE_RING_NONE)
		return id;
	if (input >= by_input_.size())
		by_input_.resize(input + 1);
	Known *&place = by_input_[input][id];

	const Ring &ring = rings.find(id);
	if (!place) {
		place = &rings_[key_of(input, machine, rings, id)];
		if (!place->id)
			place->id = pick(id);
	}
	Known &known = *place;
	fresh = ring.known && (!known.described || (known.engine_class != ring.engine_class &&
						    ring.engine_class != GRTRACE_CLASS_UNKNOWN));
	if (fresh)
		known.engine_class = ring.engine_class;
	known.described |= fresh;
	return known.id;
}

} // namespace grtrace
