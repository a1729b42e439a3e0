// SPDX-License-Identifier: GPL-2.0
/* What reserve.cocci must be silent about. */
static void leave(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	if (unlikely(!grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0)))
		return;
	rec = grtrace_channel_at(c);
	if (ts)
		rec->ts = ts;
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE);
}

static void inside(struct grtrace_chan_cpu *c, u64 ts, size_t size)
{
	if (grtrace_channel_reserve(c, size, GRTRACE_KIND_INFO, ts, 0, 0)) {
		memset(grtrace_channel_at(c), 0, size);
		grtrace_channel_publish(c, size, GRTRACE_KIND_INFO);
	}
}

static bool answer(struct grtrace_chan_cpu *c, u64 ts, size_t size)
{
	bool room;

	room = grtrace_channel_reserve(c, size, GRTRACE_KIND_INFO, ts, 0, 0);
	if (room) {
		memset(grtrace_channel_at(c), 0, size);
		grtrace_channel_publish(c, size, GRTRACE_KIND_INFO);
	}
	return room;
}

static bool two_ways(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_job *rec;

	if (!grtrace_channel_reserve(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0))
		return false;
	rec = grtrace_channel_at(c);
	if (ts) {
		grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT);
		return true;
	}
	rec->ts = 2;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT);
	if (!grtrace_channel_reserve(c, 16, GRTRACE_KIND_EVENT, ts, 0, 0))
		return false;
	memset(grtrace_channel_at(c), 0, 16);
	grtrace_channel_publish(c, 16, GRTRACE_KIND_EVENT);
	return true;
}

static void only_room(struct grtrace_chan_cpu *c, u64 ts)
{
	if (!grtrace_channel_room(c, 64, GRTRACE_KIND_EVENT, ts, 0, 0))
		return;
	leave(c, ts);
}

static void good_fill(struct grtrace_chan_cpu *c, u64 ts)
{
	grtrace_channel_at(c)->ts = ts;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT);
}

static void filled(struct grtrace_chan_cpu *c, u64 ts)
{
	if (grtrace_channel_reserve(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0))
		good_fill(c, ts);
}

static void looked(struct grtrace_chan_cpu *c, u64 ts)
{
	if (ts > 5)
		goto rare;
	if (unlikely(!grtrace_channel_fits(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0)))
		goto rare;
	good_fill(c, ts);
	return;
rare:
	filled(c, ts);
}
