// SPDX-License-Identifier: GPL-2.0
/* What reserve.cocci must say something about. */
static void no_question(struct grtrace_chan_cpu *c, u64 ts)
{
	grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	grtrace_channel_publish(c, 16, GRTRACE_KIND_NOTE); /* fires */
}

static void late_question(struct grtrace_chan_cpu *c, u64 ts)
{
	bool room;

	room = grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	fill(grtrace_channel_at(c));
	if (room)
		grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
}

static int leaves(struct grtrace_chan_cpu *c, u64 ts, int error)
{
	if (unlikely(!grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0))) /* fires */
		return -ENOSPC;
	if (error)
		return error;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
	return 0;
}

static int leaves_later(struct grtrace_chan_cpu *c, u64 ts, int error)
{
	bool room;

	room = grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (!room)
		return -ENOSPC;
	if (error)
		return error;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
	return 0;
}

static void sometimes(struct grtrace_chan_cpu *c, u64 ts)
{
	if (grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0)) { /* fires */
		if (ts > 5)
			grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
	}
}

static int jumps(struct grtrace_chan_cpu *c, u64 ts, int error)
{
	bool room;

	room = grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (likely(room)) {
		if (error)
			goto out;
		grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
	}
out:
	return 0;
}

static void other_size(struct grtrace_chan_cpu *c, u64 ts, size_t size)
{
	if (!grtrace_channel_reserve(c, size, GRTRACE_KIND_NOTE, ts, 0, 0)) /* fires */
		return;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE); /* fires */
}

static void before(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec = grtrace_channel_at(c); /* fires */

	if (!grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0))
		return;
	rec->ts = ts;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE);
	rec = grtrace_channel_at(c); /* fires */
	rec->ts = 0;
}

static void bad_fill(struct grtrace_chan_cpu *c, u64 ts, bool fence) /* fires */
{
	if (fence)
		return;
	grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT);
}

static void filled(struct grtrace_chan_cpu *c, u64 ts)
{
	bad_fill(c, ts, true); /* fires */
	if (grtrace_channel_fits(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0)) /* fires */
		tell(ts);
	if (!grtrace_channel_fits(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0)) /* fires */
		return;
	if (ts < 5)
		return;
	bad_fill(c, ts, true);
}
