// SPDX-License-Identifier: GPL-2.0
//
// Lines as each kernel's TP_printk prints them, and as trace-cmd report -R does.
#include "words/foreign/event_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace grtrace {

struct Vector {
	const char *name;
	const char *text;
	const char *read; // the fields, in the order of the enum; empty: it cannot be read
	TraceKind kind = TraceKind::sched_queue;
};

std::string show(const FieldValues &fields)
{
	static const char *const names[] = {
		"ring",   "device",   "ctx",       "seqno",  "fence_ctx", "fence_seqno", "address",
		"entity", "id",       "client",    "driver", "timeline",  "type",        "flags",
		"class",  "instance", "completed", "crtc",   "pid",       "next_pid",    "state",
		"result", "method",   "comm",      "ticks",  "end_ticks", "duration"};
	std::string text;

	static_assert(std::size(names) == size_t(Field::count));
	for (size_t i = 0; i < std::size(names); i++) {
		const Field field = static_cast<Field>(i);

		if (!fields.has(field))
			continue;
		text += text.empty() ? "" : " ";
		if (!fields.text(field).empty())
			text += fmt::format("{}={}", names[i], fields.text(field));
		else
			text += fmt::format("{}={:#x}", names[i], fields.number(field));
	}
	return text;
}

class Text : public testing::TestWithParam<Vector> {};

TEST_P(Text, HasItsFields)
{
	FieldValues fields;
	std::string read;
	TraceKind kind = GetParam().kind;

	for (const ForeignEvent &event : foreign_events()) {
		if (std::string_view(event.name) != GetParam().name || !read.empty())
			continue;
		const EventText text(event);
		if (text.read(GetParam().text, &fields)) {
			read = show(fields);
			kind = event.kind;
		}
	}
	EXPECT_EQ(read, GetParam().read);
	if (GetParam().kind != TraceKind::sched_queue) {
		EXPECT_EQ(kind, GetParam().kind);
	}
}

INSTANTIATE_TEST_SUITE_P(
	NewScheduler, Text,
	testing::Values(
		Vector{"drm_sched_job_queue",
		       "dev=0000:01:00.0, fence=42:1, ring=gfx_0.0.0, job count:0, hw job "
		       "count:-1, "
		       "client_id:5",
		       "ring=gfx_0.0.0 device=0000:01:00.0 ctx=0x2a seqno=0x1 client=0x5"},
		Vector{"drm_sched_job_queue",
		       "name=gfx_0.0.0 job_count=0 hw_job_count=0 dev=grtrace_mock.0 "
		       "fence_context=42 fence_seqno=1 client_id=5",
		       "ring=gfx_0.0.0 device=grtrace_mock.0 ctx=0x2a seqno=0x1 client=0x5"},
		Vector{"drm_sched_job_run",
		       "dev=a, added=7, fence=18446744073709551615:4294967295, ring=comp 1, "
		       "other:3",
		       "ring=comp 1 device=a ctx=0xffffffffffffffff seqno=0xffffffff"},
		Vector{"drm_sched_job_run", "dev=a, fence=42:1, rin", ""},
		Vector{"drm_sched_job_run", "dev=a, fence=42", ""},
		Vector{"drm_sched_job_run", "", ""},
		Vector{"drm_sched_job_done", "fence=42:1 signaled", "ctx=0x2a seqno=0x1"},
		Vector{"drm_sched_job_done", "fence_context=42 fence_seqno=1",
		       "ctx=0x2a seqno=0x1"},
		Vector{"drm_sched_job_hw_fence",
		       "dev=a, fence=42:1, ring=gfx, hw fence=40:7, error=0, client_id:3",
		       "ring=gfx device=a ctx=0x2a seqno=0x1 fence_ctx=0x28 fence_seqno=0x7"},
		Vector{"drm_sched_job_hw_fence", "dev=a, fence=42:1, ring=gfx, hw fence=40", ""},
		Vector{"drm_sched_job_add_dep", "fence=44:1 depends on fence=42:7",
		       "ctx=0x2c seqno=0x1 fence_ctx=0x2a fence_seqno=0x7"},
		Vector{"drm_sched_job_unschedulable",
		       "fence=44:1 depends on unsignalled fence=42:7",
		       "ctx=0x2c seqno=0x1 fence_ctx=0x2a fence_seqno=0x7"},
		Vector{"drm_sched_job_unschedulable",
		       "fence_context=44 fence_seqno=1 ctx=42 seqno=7",
		       "ctx=0x2c seqno=0x1 fence_ctx=0x2a fence_seqno=0x7"}));

INSTANTIATE_TEST_SUITE_P(
	OldScheduler, Text,
	testing::Values(
		Vector{"drm_sched_job",
		       "entity=00000000557e7342, id=39, fence=0000000089440dd5, ring=gfx, job "
		       "count:3, hw job count:1",
		       "ring=gfx address=0x89440dd5 entity=0x557e7342 id=0x27"},
		Vector{"drm_run_job",
		       "entity=0xff3ad8cbc292c000 fence=0xff3ad8cbc13404c0 name=render0 id=39 "
		       "job_count=0 hw_job_count=0",
		       "ring=render0 address=0xff3ad8cbc13404c0 entity=0xff3ad8cbc292c000 id=0x27"},
		Vector{"drm_sched_job_wait_dep",
		       "job ring=sdma0, id=39, depends fence=0000000089440dd5, context=42, seq=7",
		       "ring=sdma0 fence_ctx=0x2a fence_seqno=0x7 id=0x27"},
		Vector{"drm_sched_job_wait_dep",
		       "name=sdma0 id=39 fence=0xff3ad8cbc13404c0 ctx=42 seqno=7",
		       "ring=sdma0 fence_ctx=0x2a fence_seqno=0x7 id=0x27"},
		Vector{"drm_sched_process_job", "fence=0000000089440dd5 signaled",
		       "address=0x89440dd5"},
		Vector{"amd_sched_job",
		       "entity=ffff8800db0a7c00, sched job=ffff8800d9b0a000, "
		       "fence=ffff8800d9b0a048, ring=gfx, job count:1, hw job count:0",
		       "ring=gfx address=0xffff8800d9b0a048 entity=0xffff8800db0a7c00"},
		Vector{"amd_sched_process_job", "fence=ffff8800d9b0a048 signaled",
		       "address=0xffff8800d9b0a048"},
		Vector{"drm_sched_process_job", "fence=? signaled", ""}));

INSTANTIATE_TEST_SUITE_P(
	Fences, Text,
	testing::Values(
		Vector{"dma_fence_init", "driver=drm_sched timeline=gfx_0.0.0 context=41 seqno=1",
		       "ctx=0x29 seqno=0x1 driver=drm_sched timeline=gfx_0.0.0"},
		Vector{"fence_signaled", "driver=radeon timeline=my, own line context=41 seqno=1",
		       "ctx=0x29 seqno=0x1 driver=radeon timeline=my, own line",
		       TraceKind::fence_signaled},
		Vector{"dma_fence_wait_end",
		       "driver=detached-driver timeline=signaled-timeline context=41 seqno=1",
		       "ctx=0x29 seqno=0x1 driver=detached-driver timeline=signaled-timeline"}));

INSTANTIATE_TEST_SUITE_P(
	Drivers, Text,
	testing::Values(
		Vector{"virtio_gpu_cmd_queue",
		       "vdev=1 vq=0 name=control type=0x207 flags=0x1 fence_id=9 ctx_id=1 "
		       "num_free=64 seqno=77",
		       "ring=control device=0x1 seqno=0x4d fence_seqno=0x9 type=0x207 flags=0x1"},
		Vector{"virtio_gpu_cmd_response",
		       "vdev=1 vq=0 name=control type=0x1100 flags=0x1 fence_id=9 ctx_id=1",
		       "ring=control device=0x1 fence_seqno=0x9 type=0x1100 flags=0x1"},
		Vector{"i915_request_add", "dev=0, engine=1:0, ctx=30, seqno=5, tail=200",
		       "device=0x0 ctx=0x1e seqno=0x5 class=0x1 instance=0x0"},
		Vector{"i915_request_add", "dev=0, engine=1:0, guc_id=3, ctx=30, seqno=5, tail=200",
		       "device=0x0 ctx=0x1e seqno=0x5 class=0x1 instance=0x0"},
		Vector{"i915_request_out",
		       "dev=0, engine=0:0, hw_id=4, ctx=30, seqno=5, completed?=1",
		       "device=0x0 ctx=0x1e seqno=0x5 class=0x0 instance=0x0 completed=0x1"},
		Vector{"amdgpu_cs_ioctl",
		       "sched_job=12, timeline=gfx_0.0.0, context=41, seqno=3, "
		       "ring_name=gfx_0.0.0, num_ibs=1",
		       "ring=gfx_0.0.0 ctx=0x29 seqno=0x3 id=0xc timeline=gfx_0.0.0"},
		Vector{"amdgpu_sched_run_job",
		       "timeline=gfx_0.0.0, context=41, seqno=3, ring_name=gfx_0.0.0, num_ibs=1",
		       "ring=gfx_0.0.0 ctx=0x29 seqno=0x3 timeline=gfx_0.0.0",
		       TraceKind::amdgpu_run},
		Vector{"amdgpu_sched_run_job",
		       "adev=ffff8800d9b00000, sched_job=ffff8800d9b0a000, first "
		       "ib=ffff8800d9b0b000, sched fence=ffff8800d9b0a048, ring name:gfx, "
		       "num_ibs:1",
		       "ring=gfx address=0xffff8800d9b0a048", TraceKind::old_run},
		Vector{"drm_vblank_event", "crtc=1, seq=77, time=123, high-prec=true",
		       "seqno=0x4d crtc=0x1"},
		Vector{"drm_vblank_event", "crtc=1, seq=77", "seqno=0x4d crtc=0x1"},
		Vector{"sched_switch",
		       "prev_comm=a b prev_pid=5 prev_prio=120 prev_state=S ==> next_comm=c "
		       "next_pid=6 next_prio=120",
		       "pid=0x5 next_pid=0x6 state=0x1"},
		Vector{"sched_switch",
		       "prev_comm=a prev_pid=5 prev_prio=120 prev_state=R+ ==> next_comm=c "
		       "next_pid=6 next_prio=120",
		       "pid=0x5 next_pid=0x6 state=0x0"},
		Vector{"sched_wakeup", "comm=a pid=5 prio=120 target_cpu=001", "pid=0x5"}));

} // namespace grtrace
