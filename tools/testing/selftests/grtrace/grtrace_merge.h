/* SPDX-License-Identifier: GPL-2.0 */
/* Trace files, merged: their records in the one order that the numbers give. */
#ifndef GRTRACE_MERGE_H
#define GRTRACE_MERGE_H

#include "grtrace_stream.h"

struct merge {
	struct stream_record *records;
	size_t nr;
	size_t room;
};

static inline bool merge_add(struct merge *m, const struct stream_record *r)
{
	struct stream_record *more;

	if (m->nr == m->room) {
		m->room = m->room ? 2 * m->room : 4096;
		more = realloc(m->records, m->room * sizeof(*more));
		if (!more)
			return false;
		m->records = more;
	}
	m->records[m->nr++] = *r;
	return true;
}

/* Are there packets of several CPUs, as in "snapshot" and in what "cat trace*" prints? */
static inline bool stream_is_of_several(const struct stream *s)
{
	const struct grtrace_rec_packet *p, *first = NULL;
	size_t at, size;

	for (at = 0; at + sizeof(*p) <= s->size; at += size) {
		p = (const void *)(s->bytes + at);
		size = le16toh(p->hdr.size);
		if (size < sizeof(p->hdr))
			return false;
		if (le16toh(p->hdr.type) != GRTRACE_PACKET)
			continue;
		if (!first)
			first = p;
		if (p->cpu != first->cpu)
			return true;
	}
	return false;
}

/* Reads a file to its end; what is wrong with it, or NULL. The bytes stay. */
static inline const char *merge_file(struct merge *m, const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stream s = {};
	struct stream_record r;
	ssize_t n;

	if (fd < 0)
		return strerror(errno);
	n = stream_fill(&s, fd, 1 << 20);
	close(fd);
	if (n < 0)
		return strerror(-n);
	s.mixed = stream_is_of_several(&s);
	/* a ring may be described in another of the files */
	memset(s.rings, 0xff, sizeof(s.rings));
	while (stream_next(&s, &r) && !s.fault)
		if (!merge_add(m, &r))
			return strerror(ENOMEM);
	return s.fault;
}

static inline int merge_compare(const void *a, const void *b)
{
	const struct stream_record *x = a, *y = b;

	return (x->gseq > y->gseq) - (x->gseq < y->gseq);
}

/* Reads all files, and says on stderr which of them cannot be read to its end. */
static inline bool merge_files(struct merge *m, char **names)
{
	bool good = true;
	const char *fault;

	for (; *names; names++) {
		fault = merge_file(m, *names);
		if (fault)
			fprintf(stderr, "# %s: %s\n", *names, fault);
		good = good && !fault;
	}
	qsort(m->records, m->nr, sizeof(*m->records), merge_compare);
	return good;
}

/* The fence that a DEP names. */
static inline uint64_t record_fence_ctx(const struct stream_record *r)
{
	const struct grtrace_rec_job_fence *rec = (const void *)r->rec;

	return (r->ctx & ~0xffffffffull) | le32toh(rec->fence_ctx);
}

static inline uint32_t record_fence_seqno(const struct stream_record *r)
{
	const struct grtrace_rec_job_fence *rec = (const void *)r->rec;

	return le32toh(rec->fence_seqno);
}

/* The error of a COMPLETE: 0 or -errno. */
static inline int record_error(const struct stream_record *r)
{
	const struct grtrace_rec_job *rec = (const void *)r->rec;

	return (int16_t)le16toh(rec->arg);
}

#endif /* GRTRACE_MERGE_H */
