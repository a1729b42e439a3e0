// SPDX-License-Identifier: GPL-2.0
//
// The records of the BPF programs become a capture that reads back the same.
#include "words/annotate/annotation_stream.h"

#include "unit/from_text.h"
#include "words/annotate/annotate_options.h"
#include "words/annotate/handle_count.h"
#include "words/ioctl/ioctl_call.h"
#include "words/ioctl/ioctl_name.h"

#include <linux/ioctl.h>

namespace grtrace {

namespace {

StreamFacts some_facts()
{
	StreamFacts facts;

	facts.session = 0x5eed;
	facts.start_ts = 1000;
	facts.start_real = 1700000000000000000;
	facts.boot_id[15] = 7;
	facts.release = "6.12.1";
	facts.nr_cpus = 2;
	facts.probes = 2;
	facts.known_probes = 4;
	return facts;
}

annotate_head head(uint32_t kind, uint32_t cpu, uint32_t tid, uint64_t ts)
{
	annotate_head head = {};

	head.kind = kind;
	head.cpu = cpu;
	head.tid = tid;
	head.tgid = 70;
	head.cgroup = 77;
	head.ts = ts;
	strcpy(head.comm, "load");
	return head;
}

annotate_ioctl ioctl(uint32_t cpu, uint32_t tid, uint64_t ts, int64_t result = 0)
{
	annotate_ioctl call = {};

	call.head = head(ANNOTATE_IOCTL, cpu, tid, ts);
	call.duration = 500;
	call.result = result;
	call.cmd = 0xc0406442;
	call.minor = 128;
	strcpy(call.driver, "virtio_gpu");
	call.argument_size = 64;
	call.argument[24] = 3;
	return call;
}

annotate_wait wait(uint32_t kind, uint32_t tid, uint64_t ts, uint64_t ctx, int64_t result = 1)
{
	return {head(kind, 0, tid, ts), ctx, 9, result};
}

constexpr const char *format = "%c %p %a %t %x:%S %m";

Reading read(AnnotationStream &stream)
{
	return Reading({stream.take()}, false, format);
}

} // namespace

TEST(AnnotationStream, an_empty_one_tells_of_itself)
{
	AnnotationStream stream(some_facts());
	Reading r = read(stream);
	const Session &session = r.capture.session();

	EXPECT_EQ(r.sentences, std::vector<std::string>());
	EXPECT_EQ(session.id, 0x5eedu);
	EXPECT_EQ(session.start_ts, 1000u);
	EXPECT_EQ(session.start_real, 1700000000000000000u);
	EXPECT_EQ(session.boot_id[15], 7);
	EXPECT_EQ(session.release, "6.12.1");
	ASSERT_EQ(session.sources.size(), 1u);
	EXPECT_EQ(session.sources[0].name, "annotate");
	EXPECT_EQ(session.sources[0].found, 2u);
	EXPECT_EQ(session.sources[0].known, 4u);
}

TEST(AnnotationStream, ioctls_and_waits_of_several_cpus)
{
	AnnotationStream stream(some_facts());

	stream.add(ioctl(0, 71, 2000));
	stream.add(ioctl(1, 72, 2500, -12));
	stream.add(wait(ANNOTATE_WAIT_ENTER, 71, 3000, 0x500000005));
	stream.add(wait(ANNOTATE_WAIT_EXIT, 71, 4000, 0x500000005));
	std::vector<std::string> calls;
	Reading r({stream.take()}, false, format,
		  [&](const Event &event, const std::vector<Gap> &) {
			  if (event.type == GRTRACE_IOCTL)
				  calls.push_back(ioctl_text(event));
		  });

	EXPECT_EQ(r.sentences, std::vector<std::string>());
	EXPECT_EQ(calls, (std::vector<std::string>{
				 "virtio_gpu EXECBUFFER = 0, 0.500 us, 3 handles",
				 "virtio_gpu EXECBUFFER = -12, 0.500 us, 3 handles",
			 }));
	EXPECT_EQ(r.lines, (std::vector<std::string>{
				   "0 71 mT 000001000 0:0 task 71 is load of process 70, cgroup 77",
				   "0 71 IO 000001000 0:0 virtio_gpu ioctl 0xc0406442",
				   "1 72 mT 000001500 0:0 task 72 is load of process 70, cgroup 77",
				   "1 72 IO 000001500 0:0 virtio_gpu ioctl 0xc0406442",
				   "0 71 WE 000002000 21474836485:9 ",
				   "0 71 WX 000003000 21474836485:9 ",
			   }));
	EXPECT_EQ(stream.ioctls(), 2u);
	EXPECT_EQ(stream.waits(), 1u);
	EXPECT_EQ(stream.tasks(), 2u);
}

// A name is written once, and again when it has changed.
TEST(AnnotationStream, tells_of_a_task_when_it_changes)
{
	AnnotationStream stream(some_facts());
	annotate_ioctl renamed = ioctl(0, 71, 4000);

	strcpy(renamed.head.comm, "other");
	stream.add(ioctl(0, 71, 2000));
	stream.add(ioctl(0, 71, 3000));
	stream.add(renamed);
	Reading r = read(stream);

	ASSERT_EQ(r.lines.size(), 5u);
	EXPECT_NE(r.lines[3].find("is other of"), std::string::npos);
}

// Longer than 32 bits of ns: a packet of its own.
TEST(AnnotationStream, silence_is_widened)
{
	AnnotationStream stream(some_facts());

	stream.add(ioctl(0, 71, 2000));
	stream.add(ioctl(0, 71, 2000 + 10000000000));
	stream.add(ioctl(0, 71, 1500 + 10000000000));
	Reading r = read(stream);

	ASSERT_EQ(r.events.size(), 4u);
	EXPECT_EQ(r.events[2].ts, 10000002000u);
	EXPECT_EQ(r.events[3].ts, 10000001500u);
}

TEST(AnnotationStream, what_was_lost_has_its_cpu_and_place)
{
	AnnotationStream stream(some_facts());

	stream.add(ioctl(1, 71, 2000));
	stream.lose(1, {3, 2100, 2900});
	stream.add(ioctl(1, 71, 3000));
	stream.add(ioctl(0, 71, 3100));
	stream.lose(0, {4, 3200, 3300});
	Reading r = read(stream);

	EXPECT_EQ(r.sentences, std::vector<std::string>());
	EXPECT_EQ(r.capture.stats().lost(), 7u);
	EXPECT_EQ(r.capture.stats().missing, 0u);
	ASSERT_EQ(r.events.size(), 6u);
	EXPECT_EQ(r.events[2].type, GRTRACE_LOST);
	EXPECT_EQ(r.events[2].cpu, 1u);
	EXPECT_EQ(stream.lost(), 7u);
}

// Even if the kernel says so: no CPU is beyond all, no name without an end.
TEST(AnnotationStream, odd_records_are_cut_down)
{
	AnnotationStream stream(some_facts());
	annotate_ioctl odd = ioctl(UINT32_MAX, 71, 2000);

	memset(odd.driver, 'x', sizeof(odd.driver));
	memset(odd.head.comm, 'y', sizeof(odd.head.comm));
	odd.argument_size = UINT32_MAX;
	stream.add(odd);
	EXPECT_GT(stream.size(), 0u);
	EXPECT_LT(stream.size(), 1000u);
}

TEST(HandleCount, where_there_is_a_field)
{
	uint8_t argument[64] = {};

	argument[8] = 5;
	argument[24] = 3;
	EXPECT_EQ(count_handles("i915", 0x40406469, argument, 64), 5u);
	EXPECT_EQ(count_handles("virtio_gpu", 0xc0406442, argument, 64), 3u);
	EXPECT_EQ(count_handles("virtio_gpu", 0xc0406442, argument, 27), GRTRACE_HANDLES_UNKNOWN);
	EXPECT_EQ(count_handles("virtio_gpu", 0xc0406443, argument, 64), GRTRACE_HANDLES_UNKNOWN);
	EXPECT_EQ(count_handles("nobody", 0xc0406442, argument, 64), GRTRACE_HANDLES_UNKNOWN);
}

// As the headers of their uAPI have it; the names have a test of their own.
TEST(HandleCount, is_the_field_of_each_ioctl)
{
	static const struct {
		const char *driver;
		uint32_t number;
		size_t offset;
		const char *name;
	} fields[] = {
		{"amdgpu", 0x43, 8, "BO_LIST"},         {"etnaviv", 0x46, 12, "GEM_SUBMIT"},
		{"i915", 0x69, 8, "GEM_EXECBUFFER2"},   {"lima", 0x43, 8, "GEM_SUBMIT"},
		{"msm", 0x46, 8, "GEM_SUBMIT"},         {"nouveau", 0x81, 4, "GEM_PUSHBUF"},
		{"panfrost", 0x40, 32, "SUBMIT"},       {"v3d", 0x40, 48, "SUBMIT_CL"},
		{"v3d", 0x47, 56, "SUBMIT_CSD"},        {"vc4", 0x40, 48, "SUBMIT_CL"},
		{"virtio_gpu", 0x42, 24, "EXECBUFFER"},
	};

	for (const auto &field : fields) {
		const uint32_t cmd = _IO('d', field.number), count = 7;
		uint8_t argument[64] = {};

		memcpy(argument + field.offset, &count, sizeof(count));
		EXPECT_EQ(ioctl_name(cmd, field.driver), field.name);
		EXPECT_EQ(count_handles(field.driver, cmd, argument, 64), count) << field.driver;
	}
}

static Status parsed(AnnotateOptions &options, std::vector<const char *> words)
{
	words.insert(words.begin(), "annotate");
	return options.parse(static_cast<int>(words.size()), const_cast<char **>(words.data()));
}

TEST(AnnotateOptions, are_taken)
{
	AnnotateOptions options;

	ASSERT_TRUE(parsed(options, {"-p1,2", "-p", "3", "-w", "5", "-b", "64", "--no-waits", "-o",
				     "x", "--", "a", "-b"})
			    .ok());
	EXPECT_EQ(options.pids, (std::vector<uint32_t>{1, 2, 3}));
	EXPECT_EQ(options.seconds, 5u);
	EXPECT_EQ(options.buffer_kib, 64u);
	EXPECT_FALSE(options.waits);
	EXPECT_EQ(options.output, "x");
	EXPECT_EQ(options.command, (std::vector<std::string>{"a", "-b"}));
}

TEST(AnnotateOptions, are_refused)
{
	const struct {
		std::vector<const char *> words;
		const char *sentence;
	} all[] = {
		{{"-p0"}, "-p: '0' is not a process"},
		{{"-pabc"}, "-p: 'abc' is not a process"},
		{{"-p1,"}, "-p: a word is missing in \"1,\""},
		{{"-w0"}, "-w: '0' is not 1 to 2147483647 seconds"},
		{{"-wx"}, "-w: 'x' is not 1 to 2147483647 seconds"},
		{{"-b5"}, "-b: '5' is not a power of 2 from 4 to 262144"},
		{{"-b2"}, "-b: '2' is not a power of 2 from 4 to 262144"},
		{{"-b524288"}, "-b: '524288' is not a power of 2 from 4 to 262144"},
		{{"-o"}, "-o needs an argument: FILE; see --help"},
		{{"-o", ""}, "-o: its argument is empty"},
		{{"--what"}, "unknown option --what; see --help"},
		{{"command"}, "'command': a command comes after --; see --help"},
	};

	for (const auto &[words, sentence] : all) {
		AnnotateOptions options;

		EXPECT_EQ(parsed(options, words).sentence(), sentence);
	}
}

TEST(AnnotationStream, has_the_end_of_each_cpu)
{
	AnnotationStream stream(some_facts());

	stream.add(ioctl(0, 71, 2000));
	stream.add(ioctl(1, 71, 3000));
	stream.stop(9000);
	const Reading r = read(stream);

	EXPECT_EQ(r.sentences, Lines{});
	EXPECT_TRUE(r.capture.session().stopped);
	for (const CpuStats &cpu : r.capture.stats().cpus)
		EXPECT_EQ(cpu.stop_ts, 9000u);
}

} // namespace grtrace
