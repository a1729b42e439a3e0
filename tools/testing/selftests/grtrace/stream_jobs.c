// SPDX-License-Identifier: GPL-2.0
/*
 * Do trace files have each job of the load, with its times, error and dependency, and
 * every record once?
 *
 * TIMES is what "mockload --times" wrote: when the mock GPU itself read its clock. It reads
 * it just before a trace can record the same step, so a time of the trace is between two
 * of its, no matter how slow the machine is.
 *
 * apart: the jobs of a ring ran one after the other.
 * killed: some jobs never began, and were neither committed nor ended.
 * chained: each job depends on the one that was submitted before it.
 *
 * Usage: stream_jobs TIMES DURATION_US apart|killed|chained FILE...
 *
 * Exit status: 0 if they have; 1 and lines of what is wrong if not.
 */
#include <stdarg.h>

#include "../kselftest.h"

#include "grtrace_merge.h"

#define JOBS_MAX	65536
#define FAULTS_SHOWN	10

struct job {
	/* as the load says */
	char ring[GRTRACE_NAME_LEN];
	unsigned long long ctx;
	unsigned long long seqno;
	unsigned long long begun;	/* 0: never, and never ended */
	unsigned long long ended;
	unsigned long long done;
	int error;
	/* as the trace says */
	unsigned int number[GRTRACE_FENCE + 1];		/* of each type of event */
	unsigned long long ts[GRTRACE_FENCE + 1];	/* of the last of them */
	const char *ring_found;
	int error_found;
	const struct job *depends_on;
};

static struct job jobs[JOBS_MAX], *submitted[JOBS_MAX];
static size_t jobs_nr, submitted_nr, deps_nr;
static const char *ring_names[STREAM_RINGS];	/* by id, modulo their number */
static unsigned int faults;

/* The times of a job, or of all. */
static __printf(2, 3) void wrong(const struct job *job, const char *format, ...)
{
	va_list args;

	if (++faults > FAULTS_SHOWN)
		return;
	printf("# ");
	if (job)
		printf("job %llu:%llu: ", job->ctx, job->seqno);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

/* ring,ctx,seqno,begun,ended,done,seen,error */
static bool read_times(const char *name)
{
	FILE *file = fopen(name, "r");
	char line[256];

	if (!file || !fgets(line, sizeof(line), file))
		return false;
	while (fgets(line, sizeof(line), file)) {
		struct job *job = &jobs[jobs_nr];

		if (jobs_nr == JOBS_MAX ||
		    sscanf(line, "%31[^,],%llu,%llu,%llu,%llu,%llu,%*u,%d", job->ring, &job->ctx,
			   &job->seqno, &job->begun, &job->ended, &job->done, &job->error) != 7)
			return false;
		jobs_nr++;
	}
	fclose(file);
	return jobs_nr;
}

static struct job *job_of(uint64_t ctx, uint32_t seqno)
{
	for (size_t i = 0; i < jobs_nr; i++)
		if (jobs[i].ctx == ctx && (uint32_t)jobs[i].seqno == seqno)
			return &jobs[i];
	return NULL;
}

static void take_event(const struct stream_record *r)
{
	struct job *job = job_of(r->ctx, r->seqno);

	if (r->type == GRTRACE_DEP)
		deps_nr++;
	if (!job) {
		if (r->type == GRTRACE_SUBMIT)
			wrong(NULL, "the load had no job %llu:%u", (unsigned long long)r->ctx,
			      r->seqno);
		return;
	}
	job->number[r->type]++;
	job->ts[r->type] = r->ts;
	if (r->type == GRTRACE_SUBMIT && job->number[GRTRACE_SUBMIT] == 1) {
		submitted[submitted_nr++] = job;
		job->ring_found = ring_names[r->ring % STREAM_RINGS];
	}
	if (r->type == GRTRACE_COMPLETE)
		job->error_found = record_error(r);
	if (r->type == GRTRACE_DEP)
		job->depends_on = job_of(record_fence_ctx(r), record_fence_seqno(r));
}

/* All records, in their order: nothing is missing between two of them, or there twice. */
static void take(const struct merge *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		const struct stream_record *r = &m->records[i];
		const struct grtrace_rec_ring *ring = (const void *)r->rec;

		if (i && r->gseq != r[-1].gseq + 1)
			wrong(NULL, "gseq %llu is followed by %llu",
			      (unsigned long long)r[-1].gseq, (unsigned long long)r->gseq);
		if (r->type == GRTRACE_RING)
			ring_names[le32toh(ring->ring) % STREAM_RINGS] = ring->name;
		else if (r->type <= GRTRACE_FENCE)
			take_event(r);
	}
}

/* Returns whether there are this many. */
static bool are(const struct job *job, unsigned int type, const char *name, unsigned int number)
{
	if (job->number[type] != number)
		wrong(job, "%u times %s, not %u", job->number[type], name, number);
	return job->number[type] == number;
}

static void in_order(const struct job *job, const char *name, unsigned long long ts,
		     const char *next_name, unsigned long long next_ts)
{
	if (ts > next_ts)
		wrong(job, "%s at %llu, %s at %llu", name, ts, next_name, next_ts);
}

static void look_at(const struct job *job, unsigned long long duration)
{
	const unsigned long long *ts = job->ts;
	bool ran = job->ended;

	if (are(job, GRTRACE_SUBMIT, "SUBMIT", 1) &&
	    (!job->ring_found || strcmp(job->ring_found, job->ring)))
		wrong(job, "on %s, not %s", job->ring_found ?: "no ring", job->ring);
	if (are(job, GRTRACE_COMPLETE, "COMPLETE", 1)) {
		if (job->error_found != job->error)
			wrong(job, "its error is %d, not %d", job->error_found, job->error);
		in_order(job, "done", job->done, "COMPLETE", ts[GRTRACE_COMPLETE]);
	}
	if (!(are(job, GRTRACE_COMMIT, "COMMIT", ran) & are(job, GRTRACE_START, "START", ran) &
	      are(job, GRTRACE_END, "END", ran)) || !ran || !are(job, GRTRACE_PICK, "PICK", 1))
		return;
	in_order(job, "begun", job->begun, "START", ts[GRTRACE_START]);
	in_order(job, "START", ts[GRTRACE_START], "ended", job->ended);
	in_order(job, "ended", job->ended, "END", ts[GRTRACE_END]);
	in_order(job, "END", ts[GRTRACE_END], "done", job->done);
	in_order(job, "begun and its duration", job->begun + duration, "END", ts[GRTRACE_END]);
}

static int by_start(const void *a, const void *b)
{
	const struct job *x = *(struct job * const *)a, *y = *(struct job * const *)b;

	return (x->ts[GRTRACE_START] > y->ts[GRTRACE_START]) -
	       (x->ts[GRTRACE_START] < y->ts[GRTRACE_START]);
}

/* In their order no job starts before the last one on its ring (or on any) ended. */
static void one_by_one(bool any_ring)
{
	for (size_t i = 1; i < submitted_nr; i++) {
		const struct job *job = submitted[i];
		size_t before = i;

		while (before-- && !any_ring && strcmp(submitted[before]->ring, job->ring))
			;
		if (before != SIZE_MAX)
			in_order(job, "END of the one before it",
				 submitted[before]->ts[GRTRACE_END], "START",
				 job->ts[GRTRACE_START]);
	}
}

static void each_on_the_one_before(void)
{
	if (deps_nr != submitted_nr - 1)
		wrong(NULL, "%zu dependencies of %zu jobs", deps_nr, submitted_nr);
	for (size_t i = 1; i < submitted_nr; i++)
		if (submitted[i]->depends_on != submitted[i - 1])
			wrong(submitted[i], "it does not depend on the one before it");
}

int main(int argc, char **argv)
{
	bool killed, chained;
	struct merge m = {};
	size_t never = 0;

	if (argc < 5 || !read_times(argv[1])) {
		fputs("# TIMES, DURATION_US, apart|killed|chained, FILE..., with jobs in TIMES\n",
		      stderr);
		return 1;
	}
	killed = !strcmp(argv[3], "killed");
	chained = !strcmp(argv[3], "chained");
	if (!merge_files(&m, argv + 4))
		faults++;
	take(&m);
	for (size_t i = 0; i < jobs_nr; i++) {
		look_at(&jobs[i], strtoull(argv[2], NULL, 10) * 1000);
		never += !jobs[i].ended;
	}
	if (!never == killed)
		wrong(NULL, "%zu jobs never began", never);
	if (chained)
		each_on_the_one_before();
	else
		qsort(submitted, submitted_nr, sizeof(*submitted), by_start);
	if (!killed)
		one_by_one(chained);
	printf("# %zu jobs, %zu never began, %zu dependencies\n", jobs_nr, never, deps_nr);
	return faults > 0;
}
