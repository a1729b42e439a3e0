// SPDX-License-Identifier: GPL-2.0
/* The forms of the records: what each kind of event says, beside its job and its time. */
#include "../kselftest_harness.h"

#include "grtrace_session.h"

/* More than an ERROR has room for. */
#define LONG_TEXT	"a text that is longer than the sixty-three bytes that an ERROR record keeps"

GRTRACE_FIXTURE(forms, "")

TEST_F(forms, a_switch_says_how_it_left)
{
	const struct grtrace_rec_job_fence *rec;
	struct stream_record r;
	struct stream s = {};

	CONTROL("start");
	EMITF("ctx_switch 6 1 1 1 fence=5:1 arg=%u", GRTRACE_SWITCH_PREEMPTED);
	ASSERT_LT(0, stream_take(&s, 0));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_CTX_SWITCH, &r));
	rec = (const void *)r.rec;
	EXPECT_EQ(5, le32toh(rec->fence_ctx));
	EXPECT_EQ(GRTRACE_SWITCH_PREEMPTED, le16toh(rec->job.arg));
}

TEST_F(forms, a_submit_has_its_client)
{
	const struct grtrace_rec_response *response;
	const struct grtrace_rec_command *command;
	const struct grtrace_rec_submit *submit;
	struct stream_record r;
	struct stream s = {};

	CONTROL("start");
	EMIT("submit 6 1 1 1 client=18446744073709551615 arg=3\n"
	     "submit 6 1 1 2 client=7 fence=5:4 command=0x207\n"
	     "end 6 1 1 2 response=0x80001100");
	ASSERT_LT(0, stream_take(&s, 0));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_SUBMIT, &r));
	submit = (const void *)r.rec;
	EXPECT_EQ(40, le16toh(submit->job.seq.hdr.size));
	EXPECT_EQ(UINT64_MAX, le64toh(submit->client));
	EXPECT_EQ(3, le16toh(submit->job.arg));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_SUBMIT, &r));
	command = (const void *)r.rec;
	EXPECT_EQ(56, le16toh(command->submit.job.seq.hdr.size));
	EXPECT_EQ(7, le64toh(command->submit.client));
	EXPECT_EQ(5, le32toh(command->fence_ctx));
	EXPECT_EQ(4, le32toh(command->fence_seqno));
	EXPECT_EQ(0x207, le32toh(command->command));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_END, &r));
	response = (const void *)r.rec;
	EXPECT_EQ(40, le16toh(response->job.seq.hdr.size));
	EXPECT_EQ(0x80001100, le32toh(response->response));
}

TEST_F(forms, a_queue_says_why_it_is_off)
{
	const struct grtrace_rec_queue *rec;
	struct stream_record r;
	struct stream s = {};

	CONTROL("start");
	EMITF("queue_state 6 1 1 0 state=%u reason=%u client=18446744073709551615",
	      GRTRACE_QUEUE_ON, GRTRACE_QUEUE_ISOLATED);
	ASSERT_LT(0, stream_take(&s, 0));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_QUEUE, &r));
	rec = (const void *)r.rec;
	EXPECT_EQ(48, le16toh(rec->job.seq.hdr.size));
	EXPECT_EQ(6, r.ctx);
	EXPECT_EQ(GRTRACE_QUEUE_ON, le32toh(rec->state));
	EXPECT_EQ(GRTRACE_QUEUE_ISOLATED, le32toh(rec->reason));
	EXPECT_EQ(UINT64_MAX, le64toh(rec->client));
	EXPECT_EQ(0, grtrace_unaccounted());
}

TEST_F(forms, an_error_says_who_is_to_blame)
{
	const struct grtrace_rec_error *rec;
	struct stream_record r;
	struct stream s = {};

	CONTROL("start");
	EMIT("error 6 1 1 2 kind=2 code=-5 pid=4194304 comm=game.exe text=ring  gfx, pid=1\n"
	     "error 6 1 1 3 comm=a_name_that_is_too_long text=" LONG_TEXT "\n"
	     "error 6 1 1 4");
	ASSERT_LT(0, stream_take(&s, 0));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_ERROR, &r));
	rec = (const void *)r.rec;
	EXPECT_EQ(128, le16toh(rec->job.seq.hdr.size));
	EXPECT_EQ(GRTRACE_ERROR_HANG, le32toh(rec->kind));
	EXPECT_EQ(-5, (int32_t)le32toh(rec->code));
	EXPECT_EQ(4194304, le32toh(rec->pid));
	EXPECT_EQ(0, le32toh(rec->reserved));
	EXPECT_STREQ("game.exe", rec->comm);
	EXPECT_STREQ("ring  gfx, pid=1", rec->text);
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_ERROR, &r));
	rec = (const void *)r.rec;
	EXPECT_STREQ("a_name_that_is_", rec->comm);
	EXPECT_EQ(sizeof(rec->text) - 1, strlen(rec->text));
	EXPECT_EQ(0, strncmp(LONG_TEXT, rec->text, strlen(rec->text)));
	ASSERT_TRUE(stream_next_of(&s, GRTRACE_ERROR, &r));
	rec = (const void *)r.rec;
	EXPECT_EQ(0, le32toh(rec->pid));
	EXPECT_STREQ("", rec->comm);
	EXPECT_STREQ("", rec->text);
	EXPECT_EQ(0, grtrace_unaccounted());
}

TEST_HARNESS_MAIN
