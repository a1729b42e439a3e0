// SPDX-License-Identifier: GPL-2.0
/*
 * The channel as a reader sees it: whole packets, exact order, and every record
 * there or counted lost, at the place where it was lost.
 */
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../kselftest_harness.h"

#include "grtrace_session.h"

GRTRACE_FIXTURE(channel, "")

struct emitter {
	unsigned int cpu;
	unsigned int ring;
	unsigned int events;
};

static void *emitter_run(void *arg)
{
	const struct emitter *e = arg;
	char line[64];
	int fd = grtrace_open("emit", O_WRONLY);
	unsigned int i;

	run_on(e->cpu);
	for (i = 1; i <= e->events; i++) {
		int n = snprintf(line, sizeof(line), "submit %u 1 %u %u",
				 100 + e->ring, e->ring, i);

		if (write(fd, line, n) != n)
			break;
	}
	close(fd);
	return NULL;
}

TEST_F(channel, two_rings_from_two_cpus)
{
	struct emitter emitters[2] = { { 0, 1, 2000 }, { 1, 2, 3000 } };
	const struct grtrace_rec_ring *ring;
	uint64_t next_gseq = 0, last_ts[2] = {}, per_ring[3] = {}, told = 0;
	struct stream streams[2] = {};
	struct stream_record heads[2];
	bool there[2];
	pthread_t threads[2];
	int i;

	if (self->cpus < 2)
		SKIP(return, "needs two CPUs");
	CONTROL("start");
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, emitter_run, &emitters[i]));
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	CONTROL("stop");

	for (i = 0; i < 2; i++) {
		ASSERT_LT(0, stream_take(&streams[i], i));
		there[i] = stream_next(&streams[i], &heads[i]);
	}
	while (there[0] || there[1]) {
		i = there[0] && (!there[1] || heads[0].gseq < heads[1].gseq) ?
		    0 : 1;
		ASSERT_EQ(next_gseq, heads[i].gseq);
		next_gseq++;
		ring = (const void *)heads[i].rec;
		if (heads[i].type == GRTRACE_RING)
			told |= 1ull << le32toh(ring->ring) % 64;
		if (heads[i].type == GRTRACE_SUBMIT) {
			ASSERT_GE(2, heads[i].ring);
			/* the RING record comes before the first job, on whichever CPU */
			ASSERT_TRUE(told & 1 << heads[i].ring);
			/* each ring's jobs are in their order, none twice */
			ASSERT_EQ(++per_ring[heads[i].ring], heads[i].seqno);
			ASSERT_EQ(100 + heads[i].ring, heads[i].ctx);
			/* only gseq has the order between CPUs */
			ASSERT_LE(last_ts[i], heads[i].ts);
			last_ts[i] = heads[i].ts;
		}
		there[i] = stream_next(&streams[i], &heads[i]);
	}
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(NULL, streams[i].fault) TH_LOG("cpu %d: %s", i, streams[i].fault ?: "");
		EXPECT_EQ(0, streams[i].gaps);
		stream_free(&streams[i]);
	}
	EXPECT_EQ(2000, per_ring[1]);
	EXPECT_EQ(3000, per_ring[2]);
	EXPECT_EQ(5000, grtrace_stat("written"));
}

TEST_F(channel, too_small)
{
	struct emitter emitter = { 0, 1, 1000 };
	struct stream_record r;
	struct stream s = {};
	unsigned int completes = 0;
	uint64_t last = 0;
	int fd;

	CONFIG("subbuf_size=4096 n_subbufs=2");
	CONTROL("start");
	emitter_run(&emitter);
	EXPECT_EQ(1000, grtrace_stat("offered"));
	EXPECT_LT(0, grtrace_stat("lost"));

	/* make room; the next record must be preceded by a LOST */
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	ASSERT_LT(0, stream_fill(&s, fd, 1 << 16));
	EMIT("complete 101 1 1 1000");
	CONTROL("stop");
	ASSERT_LT(0, stream_fill(&s, fd, 1 << 16));
	close(fd);

	while (stream_next(&s, &r)) {
		if (r.type == GRTRACE_SUBMIT) {
			EXPECT_EQ(0, s.lost_events);
			EXPECT_EQ(last + 1, r.seqno);
			last = r.seqno;
		} else if (r.type == GRTRACE_COMPLETE) {
			/* the LOST comes before later records */
			EXPECT_EQ(1000 - last, s.lost_events);
			completes++;
		}
	}
	EXPECT_EQ(1, completes);
	EXPECT_NO_FAULT(&s);
	EXPECT_EQ(0, s.gaps);
	EXPECT_EQ(s.events, grtrace_stat("written"));
	EXPECT_EQ(s.lost_events, grtrace_stat("lost"));
	EXPECT_EQ(s.lost_events + s.lost_notes, s.lost);
	EXPECT_EQ(1001, s.events + s.lost_events);
	EXPECT_EQ(0, grtrace_unaccounted());
}

/* Loss before the counters were set to 0 is included. */
TEST_F(channel, loss_is_told_at_the_end)
{
	struct emitter emitter = { 0, 1, 1000 };
	struct stream_record r;
	struct stream s = {};
	uint64_t lost;

	CONFIG("subbuf_size=4096 n_subbufs=2");
	CONTROL("start");
	emitter_run(&emitter);
	lost = grtrace_stat("lost");
	EXPECT_LT(0, lost);
	CONFIG("reset_stats=1");
	emitter_run(&emitter);
	EXPECT_EQ(1000, grtrace_stat("lost"));
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&s, 0));
	while (stream_next(&s, &r))
		;
	EXPECT_NO_FAULT(&s);
	EXPECT_EQ(2000, s.events + s.lost_events);
	EXPECT_EQ(lost + 1000, s.lost_events);
	/* and after it the end, though no room was made */
	ASSERT_EQ(1, s.stopped & 1);
	EXPECT_EQ(s.cseq, le64toh(s.stop->cseq));
	EXPECT_LE(s.events + s.notes, le64toh(s.stop->gseq));
	EXPECT_EQ(s.lost_events + s.lost_notes, le64toh(s.stop->lost));
}

TEST_F(channel, flight_recorder_keeps_the_newest)
{
	struct emitter emitter = { 0, 1, 5000 };
	struct stream s = {};
	struct submits submits;

	CONFIG("mode=overwrite subbuf_size=4096 n_subbufs=4");
	CONTROL("start");
	emitter_run(&emitter);
	CONTROL("stop");
	ASSERT_LT(0, stream_take(&s, 0));
	submits = submits_read(&s);
	EXPECT_NO_FAULT(&s);
	EXPECT_FALSE(submits.holes);
	EXPECT_EQ(5000, submits.last);
	EXPECT_LT(4000, submits.first);
	ASSERT_EQ(1, s.stopped & 1);
	EXPECT_EQ(s.cseq, le64toh(s.stop->cseq));
	EXPECT_EQ(0, grtrace_stat("lost"));
	EXPECT_EQ(5000, grtrace_stat("written"));
	EXPECT_EQ(5000 - s.events, grtrace_stat("overwritten"));
}

/* Overwriting loses no names, because each sub-buffer has its own. */
TEST_F(channel, flight_recorder_tells_who_in_each_sub_buffer)
{
	struct emitter emitter = { 0, 1, 5000 };
	struct stream s = {};
	struct stream_record r;
	unsigned int subbufs = 0, events = 0;
	int fd;

	CONFIG("mode=overwrite subbuf_size=4096 n_subbufs=8");
	CONTROL("start");
	emitter_run(&emitter);
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	/* no room for a single record */
	EXPECT_EQ(-EINVAL, stream_fill_once(&s, fd, 24));
	while (stream_fill_once(&s, fd, 4096) > 0) {
		uint32_t told = 0;

		while (stream_next(&s, &r)) {
			const struct grtrace_rec_seq *seq = (const void *)r.rec;

			if (r.type == GRTRACE_TASK)
				told = le32toh(seq->pid);
			if (r.type != GRTRACE_SUBMIT)
				continue;
			ASSERT_EQ(told, le32toh(seq->pid)) TH_LOG("sub-buffer %u", subbufs);
			events++;
		}
		ASSERT_EQ(NULL, s.fault) TH_LOG("%s", s.fault ?: "");
		stream_forget(&s);
		subbufs++;
	}
	close(fd);
	EXPECT_LE(7, subbufs);
	EXPECT_LT(500, events);
}

/* Read in bits while it is overwritten: what comes is whole or not there. */
TEST_F_TIMEOUT(channel, flight_recorder_read_while_it_turns, 600)
{
	struct emitter emitter = { 0, 1, 20000 };
	struct stream s = {};
	struct stream_record r;
	uint64_t submits = 0;
	pthread_t thread;
	uint32_t last = 0;
	int fd;

	CONFIG("mode=overwrite subbuf_size=4096 n_subbufs=3");
	CONTROL("start");
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, pthread_create(&thread, NULL, emitter_run, &emitter));
	if (self->cpus > 1)
		run_on(1);
	while (last < emitter.events) {
		/* as large as a sub-buffer, so packets come whole */
		ASSERT_LE(0, stream_fill(&s, fd, 4096));
		while (stream_next_of(&s, GRTRACE_SUBMIT, &r)) {
			ASSERT_LT(last, r.seqno);
			ASSERT_EQ(101, r.ctx);
			last = r.seqno;
			submits++;
		}
		ASSERT_EQ(NULL, s.fault) TH_LOG("%s", s.fault ?: "");
		s.size = 0;
		s.at = 0;
	}
	pthread_join(thread, NULL);
	close(fd);
	EXPECT_EQ(20000, grtrace_stat("written"));
	EXPECT_EQ(20000 - submits, grtrace_stat("overwritten"));
}

TEST_F(channel, small_reads_and_a_mapping_give_the_same_bytes)
{
	struct emitter emitter = { 0, 1, 300 };
	const size_t size = 16 * 4096;
	struct stream s = {};
	struct submits submits;
	void *map;
	int fd;

	CONFIG("subbuf_size=4096 n_subbufs=16");
	CONTROL("start");
	emitter_run(&emitter);
	/* write access to the file gives no write access to the channel */
	fd = grtrace_open("trace0", O_RDWR);
	ASSERT_LE(0, fd);
	EXPECT_EQ(MAP_FAILED, mmap(NULL, size, PROT_WRITE, MAP_SHARED, fd, 0));
	EXPECT_EQ(EPERM, errno);
	map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, map);
	ASSERT_LT(0, stream_fill(&s, fd, 7));
	/* the first finished sub-buffer is at the beginning */
	EXPECT_EQ(0, memcmp(map, s.bytes, 2048));
	EXPECT_EQ(-1, mprotect(map, size, PROT_READ | PROT_WRITE));
	munmap(map, size);
	close(fd);
	submits = submits_read(&s);
	EXPECT_NO_FAULT(&s);
	EXPECT_FALSE(submits.holes);
	EXPECT_EQ(1, submits.first);
	EXPECT_EQ(300, submits.last);
	EXPECT_EQ(300, s.events);
}

TEST_F(channel, live_reader_sees_one_record)
{
	struct stream s = {};
	struct stream_record r;
	int fd;

	CONTROL("start");
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	EMIT("submit 5 1 1 77");
	/* the sub-buffer is far from full, but the packet comes */
	ASSERT_LT(0, stream_fill(&s, fd, 1 << 20));
	while (stream_next(&s, &r) && r.type != GRTRACE_SUBMIT)
		;
	EXPECT_EQ(77, r.seqno);
	EXPECT_EQ(0, read(fd, s.bytes, 4096));
	close(fd);
}

TEST_F(channel, poll_tells_a_full_sub_buffer)
{
	struct emitter emitter = { 0, 1, 200 };
	struct pollfd pfd = { .events = POLLIN };

	CONFIG("subbuf_size=4096 n_subbufs=8");
	CONTROL("start");
	pfd.fd = stream_open(0);
	ASSERT_LE(0, pfd.fd);
	EXPECT_EQ(0, poll(&pfd, 1, 0));
	emitter_run(&emitter);
	EXPECT_EQ(1, poll(&pfd, 1, 5000));
	EXPECT_EQ(POLLIN, pfd.revents & POLLIN);
	close(pfd.fd);
}

TEST_F(channel, open_file_outlives_the_session)
{
	struct stream s = {};
	struct stream_record r;
	int fd;

	CONTROL("start");
	EMIT("submit 5 1 1 1");
	fd = stream_open(0);
	ASSERT_LE(0, fd);
	CONTROL("stop");
	CONTROL("start");
	EMIT("submit 5 1 1 2");
	ASSERT_LT(0, stream_fill(&s, fd, 1 << 16));
	while (stream_next(&s, &r) && r.type != GRTRACE_SUBMIT)
		;
	/* the old session's record, not the new one's */
	EXPECT_EQ(1, r.seqno);
	EXPECT_FALSE(stream_next(&s, &r));
	close(fd);
}

static void *read_into(void *page)
{
	int fd = stream_open(0);

	while (fd >= 0 && read(fd, page, 4096) < 0 && errno == EINTR)
		;
	close(fd);
	return NULL;
}

/* A reader whose memory does not arrive: it holds the file's lock meanwhile. */
struct slow_reader {
	struct uffdio_register area;
	pthread_t thread;
	void *page;
	int uffd;
};

/* False where no page can be kept back. */
static bool slow_reader_begins(struct __test_metadata *_metadata, struct slow_reader *slow)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffd_msg event;

	slow->uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (slow->uffd < 0 || ioctl(slow->uffd, UFFDIO_API, &api))
		return false;
	slow->page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, slow->page);
	slow->area = (struct uffdio_register) {
		.range = { (uintptr_t)slow->page, 4096 }, .mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	ASSERT_EQ(0, ioctl(slow->uffd, UFFDIO_REGISTER, &slow->area));
	CONTROL("start");
	EMIT("submit 5 1 1 1");
	ASSERT_EQ(0, pthread_create(&slow->thread, NULL, read_into, slow->page));
	ASSERT_EQ((ssize_t)sizeof(event), read(slow->uffd, &event, sizeof(event)));
	ASSERT_EQ(UFFD_EVENT_PAGEFAULT, event.event);
	return true;
}

static void slow_reader_ends(struct __test_metadata *_metadata, struct slow_reader *slow)
{
	struct uffdio_zeropage zero = { .range = slow->area.range };

	EXPECT_EQ(0, ioctl(slow->uffd, UFFDIO_ZEROPAGE, &zero));
	pthread_join(slow->thread, NULL);
	close(slow->uffd);
	munmap(slow->page, 4096);
}

/* It delays others, but they can be killed. */
TEST_F(channel, a_reader_in_line_can_be_killed)
{
	struct slow_reader slow;
	pid_t child;

	if (!slow_reader_begins(_metadata, &slow))
		SKIP(return, "no userfaultfd");
	child = fork();
	ASSERT_LE(0, child);
	if (!child) {
		static char own[4096];

		read_into(own);
		_exit(0);
	}
	ASSERT_TRUE(WAIT_UNTIL(sleeps_in(child, SYS_read), 60));
	ASSERT_EQ(0, waitpid(child, NULL, WNOHANG));
	ASSERT_EQ(0, kill(child, SIGKILL));
	EXPECT_TRUE(WAIT_UNTIL(waitpid(child, NULL, WNOHANG) == child, 5));
	slow_reader_ends(_metadata, &slow);
}

static void on_signal(int signal)
{
}

/*
 * A signal ends their wait with EINTR or, where the handler asks for that, the read
 * continues afterwards.
 */
TEST_F(channel, a_reader_in_line_is_interrupted)
{
	struct slow_reader slow;
	pid_t children[2];
	int i, status;

	if (!slow_reader_begins(_metadata, &slow))
		SKIP(return, "no userfaultfd");
	for (i = 0; i < 2; i++) {
		children[i] = fork();
		ASSERT_LE(0, children[i]);
		if (!children[i]) {
			struct sigaction action = {
				.sa_handler = on_signal, .sa_flags = i ? SA_RESTART : 0,
			};
			static char own[4096];
			int fd = stream_open(0);

			sigaction(SIGUSR1, &action, NULL);
			_exit(read(fd, own, sizeof(own)) < 0 ? errno : 0);
		}
		ASSERT_TRUE(WAIT_UNTIL(sleeps_in(children[i], SYS_read), 60));
		ASSERT_EQ(0, kill(children[i], SIGUSR1));
	}
	ASSERT_TRUE(WAIT_UNTIL(waitpid(children[0], &status, WNOHANG) == children[0], 60));
	EXPECT_EQ(EINTR, WEXITSTATUS(status));
	ASSERT_TRUE(WAIT_UNTIL(sleeps_in(children[1], SYS_read), 60));
	EXPECT_EQ(0, waitpid(children[1], NULL, WNOHANG));
	slow_reader_ends(_metadata, &slow);
	ASSERT_EQ(children[1], waitpid(children[1], &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(channel, ids_wider_than_a_record)
{
	static const uint64_t ctxs[] = { 1, 0x100000001ull, 0x1ffffffffull, 2 };
	struct stream_record r;
	struct stream s = {};
	size_t i;

	CONTROL("start");
	for (i = 0; i < ARRAY_SIZE(ctxs); i++)
		EMITF("submit %llu 1 1 1", (unsigned long long)ctxs[i]);
	ASSERT_LT(0, stream_take(&s, 0));
	for (i = 0; stream_next(&s, &r);)
		if (r.type == GRTRACE_SUBMIT)
			EXPECT_EQ(ctxs[i++], r.ctx);
	EXPECT_EQ(ARRAY_SIZE(ctxs), i);
}

TEST_F(channel, metadata_reads_alone)
{
	struct stream_record r;
	struct stream s = {};
	bool ring = false;

	CONTROL("start");
	EMIT("submit 5 compute 12 1");
	ASSERT_LT(0, stream_take_file(&s, "metadata"));
	while (stream_next(&s, &r)) {
		const struct grtrace_rec_ring *rec = (const void *)r.rec;

		EXPECT_EQ(GRTRACE_RING, r.type);
		if (le32toh(rec->ring) == 12) {
			ring = true;
			EXPECT_STREQ("emit12", rec->name);
			EXPECT_EQ(GRTRACE_CLASS_COMPUTE, le32toh(rec->engine_class));
		}
	}
	EXPECT_NO_FAULT(&s);
	EXPECT_EQ(GRTRACE_CPU_NONE, s.cpu);
	EXPECT_TRUE(ring);
	ASSERT_LT(0, s.nr_metadata);
	EXPECT_EQ(0, strncmp("module ", s.metadata[0]->text, strlen("module ")));
}

/* STREAM_INFO as it is now in the file "metadata". */
static bool stream_info_read(struct grtrace_rec_stream_info *info)
{
	struct stream s = {};
	struct stream_record r;

	if (stream_take_file(&s, "metadata") > 0)
		while (stream_next(&s, &r))
			;
	if (!s.info)
		return false;
	*info = *s.info;
	stream_free(&s);
	return true;
}

TEST_F(channel, clocks)
{
	static const struct {
		const char *config;
		uint32_t number;
		clockid_t clock;
	} clocks[] = {
		{ "clock=mono", GRTRACE_CLOCK_MONOTONIC, CLOCK_MONOTONIC },
		{ "clock=boot", GRTRACE_CLOCK_BOOTTIME, CLOCK_BOOTTIME },
	};
	struct grtrace_rec_stream_info info;
	uint64_t begin, end, real;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		unsigned int submits = 0;
		struct stream s = {};
		struct stream_record r;

		CONFIG(clocks[i].config);
		begin = clock_now(clocks[i].clock);
		real = clock_now(CLOCK_REALTIME);
		CONTROL("start");
		EMIT("submit 1 1 1 1");
		end = clock_now(clocks[i].clock);
		CONTROL("stop");

		ASSERT_TRUE(stream_info_read(&info));
		EXPECT_EQ(clocks[i].number, le32toh(info.clock));
		EXPECT_EQ(sysconf(_SC_NPROCESSORS_CONF), le32toh(info.nr_cpus));
		EXPECT_LE(begin, le64toh(info.start_ts));
		EXPECT_GE(end, le64toh(info.start_ts));
		EXPECT_LE(real, le64toh(info.start_real));
		EXPECT_GE(clock_now(CLOCK_REALTIME), le64toh(info.start_real));
		ASSERT_LT(0, stream_take(&s, 0));
		while (stream_next(&s, &r)) {
			EXPECT_LE(begin, r.ts) TH_LOG("type %u", r.type);
			EXPECT_GE(end, r.ts) TH_LOG("type %u", r.type);
			submits += r.type == GRTRACE_SUBMIT;
		}
		EXPECT_EQ(1, submits);
		EXPECT_NO_FAULT(&s);
		stream_free(&s);
	}
}

TEST_F(channel, features)
{
	static const struct {
		const char *config;
		uint64_t features;
	} features[] = {
		{ "mode=overwrite", GRTRACE_FEATURE_OVERWRITE },
		{ "max_events_per_sec=5 rate_limiter_mode=1",
		  GRTRACE_FEATURE_TOKEN_BUCKET },
		{ "max_events_per_sec=5 rate_limiter_mode=0", 0 },
		{ "watch_ctx_add=5", GRTRACE_FEATURE_WATCHLIST },
		{ "watch_ring_add=5", GRTRACE_FEATURE_WATCHLIST },
		{ "watch_pid_add=5", GRTRACE_FEATURE_WATCHLIST },
		{ "filter_ring_id=5", 0 },
	};
	const uint64_t always = GRTRACE_FEATURE_NAMES;
	struct grtrace_rec_stream_info info;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(features); i++) {
		ASSERT_EQ(0, grtrace_reset());
		CONFIG(features[i].config);
		CONTROL("start");
		ASSERT_TRUE(stream_info_read(&info));
		EXPECT_EQ(always | features[i].features, le64toh(info.features))
			TH_LOG("%s", features[i].config);
	}
	/* set while the session runs */
	CONFIG("watch_ctx_add=5");
	ASSERT_TRUE(stream_info_read(&info));
	EXPECT_EQ(always | GRTRACE_FEATURE_WATCHLIST, le64toh(info.features));
}

TEST_HARNESS_MAIN
