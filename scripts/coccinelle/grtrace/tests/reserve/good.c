// SPDX-License-Identifier: GPL-2.0
/* What reserve.cocci must be silent about. */
static void early(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_ring *rec;

	rec = grtrace_channel_reserve(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts, 0, 0);
	if (unlikely(!rec))
		return;
	if (ts)
		rec->ts = ts;
	else
		rec->ts = 0;
	grtrace_channel_publish(c, sizeof(*rec), GRTRACE_KIND_NOTE, ts);
}

static bool inside(struct grtrace_chan_cpu *c, u64 ts, size_t size)
{
	unsigned long flags;
	void *rec;

	local_irq_save(flags);
	rec = grtrace_channel_reserve(c, size, GRTRACE_KIND_INFO, ts, 0, 0);
	size++;
	size--;
	if (rec) {
		memset(rec, 0, size);
		grtrace_channel_publish(c, size, GRTRACE_KIND_INFO, ts);
	}
	local_irq_restore(flags);
	return rec;
}

static bool two_ways(struct grtrace_chan_cpu *c, u64 ts)
{
	struct grtrace_rec_job *rec;

	rec = grtrace_channel_reserve(c, 8, GRTRACE_KIND_EVENT, ts, 0, 0);
	if (!rec)
		return false;
	if (ts) {
		grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT, ts);
		return true;
	}
	switch (rec->type) {
	case 1:
		rec->ts = 1;
		break;
	default:
		rec->ts = 2;
	}
	grtrace_channel_publish(c, 8, GRTRACE_KIND_EVENT, ts);
	return true;
}

static void only_room(struct grtrace_chan_cpu *c, u64 ts)
{
	if (c->overwrite)
		grtrace_channel_reserve(c, 64, GRTRACE_KIND_EVENT, ts, 0, 0);
	early(c, ts);
}
