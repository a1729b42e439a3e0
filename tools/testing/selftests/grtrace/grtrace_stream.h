/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader of one CPU's stream, for the selftests: small, and written from the
 * uAPI header alone, so that it checks the tools' reader as well.
 */
#ifndef GRTRACE_STREAM_H
#define GRTRACE_STREAM_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <drm/grtrace_drm.h>

#include "grtrace_files.h"

#define STREAM_MAX	(64u << 20)

#define STREAM_RINGS	65536	/* more than most sessions have */
#define STREAM_METADATA_MAX	64

struct stream {
	uint8_t *bytes;
	size_t size;
	size_t at;
	/* of the packet */
	bool in_packet;
	uint32_t cpu;
	uint64_t ts;
	uint64_t gseq;
	uint64_t cseq;
	uint64_t lost;		/* PACKET.lost of the last packet */
	uint32_t ctx_hi;
	uint32_t sample;	/* one job of this many, never 0 */
	/* over all */
	const struct grtrace_rec_stream_info *info;	/* the last one */
	/* the first records of the text, as far as there is room */
	const struct grtrace_rec_metadata *metadata[STREAM_METADATA_MAX];
	unsigned int nr_metadata;
	uint64_t cpus;		/* bit n: there were packets of CPU n */
	uint32_t first_cpu;	/* of the first packet */
	/* bit n: a ring has a note whose id is n, modulo STREAM_RINGS */
	uint8_t rings[STREAM_RINGS / 8];
	uint64_t packets;
	uint64_t first_cseq;
	uint64_t events;
	uint64_t notes;
	uint64_t lost_events;	/* sum of the LOST records */
	uint64_t lost_notes;
	uint64_t lost_limited;	/* of lost_events: by the rate limiter */
	uint64_t lost_pressure;	/* of lost_events: under backpressure */
	uint64_t gaps;		/* cseq missing between packets */
	uint64_t stopped;	/* bit n: CPU n has its STOP */
	const struct grtrace_rec_stop *stop;	/* the last one */
	bool live;		/* more will come: a record may be cut at the end */
	bool mixed;		/* packets of several CPUs, each's in order */
	const char *fault;	/* what is wrong, or NULL */
};

struct stream_record {
	uint16_t type;
	const uint8_t *rec;
	uint64_t ts;
	uint64_t gseq;
	uint64_t cseq;
	uint32_t cpu;
	uint64_t ctx;
	uint32_t seqno;
	uint32_t ring;
	uint16_t flags;
	uint32_t sample;	/* events this one stands for */
};

/* One read(2), appended; bytes read or -errno. */
static inline ssize_t stream_fill_once(struct stream *s, int fd, size_t chunk)
{
	ssize_t n;

	if (!s->bytes)
		s->bytes = malloc(STREAM_MAX);
	if (!s->bytes)
		return -ENOMEM;
	if (chunk > STREAM_MAX - s->size)
		return -EFBIG;
	n = read(fd, s->bytes + s->size, chunk);
	if (n < 0)
		return -errno;
	s->size += n;
	return n;
}

/* Append what the CPU's trace file holds now; bytes read or -errno. */
static inline ssize_t stream_fill(struct stream *s, int fd, size_t chunk)
{
	size_t before = s->size;
	ssize_t n;

	do {
		n = stream_fill_once(s, fd, chunk);
		if (n < 0)
			return n;
	} while (n > 0);
	return s->size - before;
}

static inline void stream_packet(struct stream *s, const uint8_t *rec)
{
	const struct grtrace_rec_packet *p = (const void *)rec;
	uint64_t cseq = le64toh(p->cseq);

	if (le32toh(p->magic) != GRTRACE_MAGIC)
		s->fault = "bad magic";
	if (le16toh(p->major) != GRTRACE_VERSION_MAJOR ||
	    le16toh(p->minor) != GRTRACE_VERSION_MINOR)
		s->fault = "bad version";
	if (!p->session)
		s->fault = "session 0";
	if (s->mixed && s->in_packet && le32toh(p->cpu) != s->cpu)
		s->in_packet = false;
	if (!s->packets)
		s->first_cpu = le32toh(p->cpu);
	if (le32toh(p->cpu) < 64) {
		s->cpus |= 1ull << le32toh(p->cpu);
		if (s->stopped & 1ull << le32toh(p->cpu))
			s->fault = "a packet after STOP";
	}
	if (!s->in_packet) {
		s->first_cseq = cseq;
	} else {
		if (le32toh(p->cpu) != s->cpu)
			s->fault = "packet of another cpu";
		if (cseq < s->cseq)
			s->fault = "cseq goes back";
		s->gaps += cseq - s->cseq;
	}
	s->in_packet = true;
	s->cpu = le32toh(p->cpu);
	s->ts = le64toh(p->ts);
	s->gseq = le64toh(p->gseq);
	s->cseq = cseq;
	s->lost = le64toh(p->lost);
	s->ctx_hi = le32toh(p->ctx_hi);
	s->sample = le32toh(p->sample) ?: 1;
	s->packets++;
}

static inline void stream_lost(struct stream *s, const uint8_t *rec)
{
	const struct grtrace_rec_lost *lost = (const void *)rec;

	if (le16toh(lost->hdr.size) < sizeof(*lost)) {
		s->fault = "LOST is too short";
		return;
	}
	s->lost_events += le64toh(lost->events);
	s->lost_notes += le32toh(lost->notes);
	s->cseq += le64toh(lost->events) + le32toh(lost->notes);
	if (le64toh(lost->first_ts) > le64toh(lost->last_ts))
		s->fault = "LOST ends before it begins";
	s->lost_limited += le64toh(lost->limited);
	s->lost_pressure += le64toh(lost->pressure);
	if (le64toh(lost->limited) + le64toh(lost->pressure) > le64toh(lost->events))
		s->fault = "LOST has more reasons than events";
}

/* The last record of a CPU; its numbers are those that a packet here would have. */
static inline void stream_stop(struct stream *s, const uint8_t *rec)
{
	const struct grtrace_rec_stop *stop = (const void *)rec;

	if (le16toh(stop->hdr.size) < sizeof(*stop)) {
		s->fault = "STOP is too short";
		return;
	}
	if (le64toh(stop->cseq) < s->cseq || le64toh(stop->gseq) < s->gseq)
		s->fault = "STOP goes back";
	if (!s->mixed && !s->gaps && le64toh(stop->cseq) != s->cseq)
		s->fault = "STOP has another cseq";
	if (!s->mixed && !s->first_cseq && !s->gaps &&
	    le64toh(stop->lost) != s->lost_events + s->lost_notes)
		s->fault = "STOP counts other losses than were told";
	if (s->cpu < 64)
		s->stopped |= 1ull << s->cpu;
	s->in_packet = false;
	s->stop = stop;
}

/* Whether a record takes a number; a later version's notes do by their type. */
static inline bool stream_is_sequenced(uint16_t type)
{
	return type < GRTRACE_TYPE_LIMIT ||
	       (type >= GRTRACE_RING && type <= GRTRACE_SAMPLE) ||
	       type == GRTRACE_FENCE_NAME ||
	       (type >= GRTRACE_LATER_SEQ_FIRST && type <= GRTRACE_LATER_SEQ_LAST);
}

static inline bool stream_is_sampled(uint16_t type)
{
	return type < GRTRACE_TYPE_LIMIT && type != GRTRACE_ERROR &&
	       type != GRTRACE_IRQ && type != GRTRACE_CTX_SWITCH &&
	       type != GRTRACE_QUEUE;
}

/* In what reads alone, a ring stands before the first record that has its id. */
static inline void stream_ring(struct stream *s, const struct grtrace_rec_job *job, uint16_t type)
{
	const struct grtrace_rec_ring *rec = (const void *)job;
	uint32_t ring = le32toh(type == GRTRACE_RING ? rec->ring : job->ring);
	uint32_t bit = ring % STREAM_RINGS;

	if (type == GRTRACE_RING)
		s->rings[bit / 8] |= 1 << bit % 8;
	else if (s->mixed && ring && !(s->rings[bit / 8] & 1 << bit % 8))
		s->fault = "a ring that was not told";
}

/* The next sequenced record; false at the end or at a fault. */
static inline bool stream_next(struct stream *s, struct stream_record *r)
{
	const struct grtrace_rec_hdr *hdr;
	const struct grtrace_rec_job *job;
	uint16_t type, size;
	int32_t apart;

	while (!s->fault && s->at < s->size) {
		hdr = (const void *)(s->bytes + s->at);
		if (s->size - s->at < sizeof(*hdr)) {
			if (!s->live)
				s->fault = "cut header";
			return false;
		}
		type = le16toh(hdr->type);
		size = le16toh(hdr->size);
		if (size < 8 || size % 8 || (size > s->size - s->at && !s->live)) {
			s->fault = "bad size";
			return false;
		}
		if (size > s->size - s->at)
			return false;
		s->at += size;
		if (!s->in_packet && type != GRTRACE_PACKET) {
			s->fault = "record outside a packet";
			return false;
		}
		switch (type) {
		case GRTRACE_PACKET:
			stream_packet(s, (const void *)hdr);
			continue;
		case GRTRACE_LOST:
			stream_lost(s, (const void *)hdr);
			continue;
		case GRTRACE_STOP:
			stream_stop(s, (const void *)hdr);
			continue;
		case GRTRACE_STREAM_INFO:
			s->info = (const void *)hdr;
			continue;
		case GRTRACE_METADATA:
			if (s->nr_metadata < STREAM_METADATA_MAX)
				s->metadata[s->nr_metadata++] = (const void *)hdr;
			continue;
		}
		if (!stream_is_sequenced(type))
			continue;
		job = (const void *)hdr;
		apart = le32toh(job->seq.ts) - (uint32_t)s->ts;
		if (apart >= 1 << 30 || apart <= -(1 << 30))
			s->fault = "too long after the last record for 32 bits";
		/* only for a complete stream from its beginning */
		if (!s->mixed && !s->first_cseq && !s->gaps &&
		    s->lost_events + s->lost_notes != s->lost)
			s->fault = "the packet counts other losses than were told";
		s->ts += apart;
		s->gseq += (int32_t)(le32toh(job->seq.seq) - (uint32_t)s->gseq);
		*r = (struct stream_record) {
			.type = type, .rec = (const void *)hdr,
			.ts = s->ts, .gseq = s->gseq, .cseq = s->cseq++, .cpu = s->cpu,
			.sample = stream_is_sampled(type) ? s->sample : 1,
		};
		if (type < GRTRACE_TYPE_LIMIT || type == GRTRACE_RING)
			stream_ring(s, job, type);
		if (type < GRTRACE_TYPE_LIMIT) {
			s->events++;
			r->ctx = (uint64_t)s->ctx_hi << 32 | le32toh(job->ctx);
			r->seqno = le32toh(job->seqno);
			r->ring = le32toh(job->ring);
			r->flags = le16toh(job->flags);
		} else {
			s->notes++;
		}
		return true;
	}
	return false;
}

/* The next event of a type, or false. */
static inline bool stream_next_of(struct stream *s, uint16_t type, struct stream_record *r)
{
	while (stream_next(s, r))
		if (r->type == type)
			return true;
	return false;
}

/* Forgets what was parsed, so that there is room for an endless stream. */
static inline void stream_forget(struct stream *s)
{
	memmove(s->bytes, s->bytes + s->at, s->size - s->at);
	s->size -= s->at;
	s->at = 0;
}

/* Parses from the beginning again. */
static inline void stream_rewind(struct stream *s)
{
	s->at = 0;
	s->in_packet = false;
	s->packets = 0;
	s->events = 0;
	s->notes = 0;
	s->lost_events = 0;
	s->lost_notes = 0;
	s->lost_limited = 0;
	s->lost_pressure = 0;
	s->gaps = 0;
	s->stopped = 0;
}

static inline void stream_free(struct stream *s)
{
	free(s->bytes);
	memset(s, 0, sizeof(*s));
}

static inline int stream_open(unsigned int cpu)
{
	char name[32];

	snprintf(name, sizeof(name), "trace%u", cpu);
	return grtrace_open(name, O_RDONLY);
}

#endif /* GRTRACE_STREAM_H */
