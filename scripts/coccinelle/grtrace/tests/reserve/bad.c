// SPDX-License-Identifier: GPL-2.0
/* What reserve.cocci must say something about. */
static void no_question(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	rec->ts = ts;
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
}

static void late_question(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	fill(rec, ts);
	if (rec)
		grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
}

static int leave(struct grtrace_chan_cpu *c, u64 ts, int error)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (!rec)
		return -ENOSPC;
	if (error)
		return error;
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
	return 0;
}

static void never(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (!rec)
		return;
	rec->ts = ts;
}

static void goes_on(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (rec) {
		rec->ts = ts;
		if (ts > 5)
			grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
	}
}

static void other_size(struct grtrace_chan_cpu *c, u64 ts, size_t size)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, size, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (!rec)
		return;
	rec->ts = ts;
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts); /* fires */
}

static int inside(struct grtrace_chan_cpu *c, u64 ts, int error)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
	if (likely(rec)) {
		if (error)
			goto out;
		grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
	}
out:
	return 0;
}

static void *give_away(struct grtrace_chan_cpu *c, u64 ts)
{
	return grtrace_channel_reserve(c, 8, GRTRACE_KIND_NOTE, ts, 0, 0); /* fires */
}

static void taken(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec = give_away(c, ts);

	if (rec)
		grtrace_channel_publish(c, 8, GRTRACE_KIND_NOTE, ts); /* fires */
}
