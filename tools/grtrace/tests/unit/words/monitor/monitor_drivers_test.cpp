// SPDX-License-Identifier: GPL-2.0
//
// Monitors of drivers that no guest has: events as their headers have them.
#include <unistd.h>

#include "unit/words/monitor/monitor_events.h"

namespace grtrace {

namespace {

MadeValues submission(const char *ring, uint64_t ctx, uint64_t seqno)
{
	return {{"ring", std::string(ring)}, {"context", ctx}, {"seqno", seqno}};
}

MadeValues object(uint64_t address, uint64_t size)
{
	return {{"obj", address}, {"size", size}};
}

} // namespace

TEST(AmdgpuMonitor, submissions_wait_until_they_run)
{
	MonitorBench w("amdgpu");

	w.take("amdgpu_cs_ioctl", 1000, 7, submission("gfx_0.0.0", 5, 1));
	w.take("amdgpu_cs_ioctl", 1000, 7, submission("sdma0", 6, 1));
	EXPECT_TRUE(w.take("amdgpu_sched_run_job", 4000, 1, submission("gfx_0.0.0", 5, 1)));
	EXPECT_EQ(w.told(), "ring=gfx_0.0.0 wait_us=3.0");
	// The kernel's own, and the same again.
	EXPECT_FALSE(w.take("amdgpu_sched_run_job", 5000, 1, submission("gfx_0.0.0", 5, 1)));
	w.take("amdgpu_vm_flush", 5000, 1, {{"ring", std::string("sdma0")}});
	EXPECT_EQ(w.cell("rings", 0, "ring"), "gfx_0.0.0");
	EXPECT_EQ(w.cell("rings", 0, "wait_avg_us"), "3.0");
	EXPECT_EQ(w.cell("rings", 1, "cs"), "1");
	EXPECT_EQ(w.cell("rings", 1, "run"), "0");
	EXPECT_EQ(w.cell("rings", 1, "wait_avg_us"), "NA");
	EXPECT_EQ(w.cell("rings", 1, "vm_flushes"), "1");
}

TEST(AmdgpuMonitor, memory_and_interrupts)
{
	MonitorBench w("amdgpu");
	auto move = [&](uint64_t from, uint64_t to, uint64_t size) {
		w.take("amdgpu_bo_move", 1000, 7,
		       {{"bo_size", size}, {"new_placement", to}, {"old_placement", from}});
	};

	w.take("amdgpu_bo_create", 1000, 7, {{"pages", uint64_t(2)}});
	move(2, 1, 4096);
	move(2, 1, 4096);
	move(1, 2, 100);
	move(0, 9, 1);
	w.take("amdgpu_iv", 1000, 0, {{"client_id", uint64_t(20)}, {"src_id", uint64_t(181)}});
	EXPECT_EQ(w.cell("memory", 0, "what"), "create");
	EXPECT_EQ(w.cell("memory", 0, "bytes"), fmt::format("{}", 2 * getpagesize()));
	EXPECT_EQ(w.cell("memory", 1, "what"), "gtt to vram");
	EXPECT_EQ(w.cell("memory", 2, "what"), "system to place9");
	EXPECT_EQ(w.cell("memory", 3, "what"), "vram to gtt");
	EXPECT_EQ(w.cell("memory", 3, "buffers"), "2");
	EXPECT_EQ(w.cell("memory", 3, "bytes_s"), "8192.0");
	EXPECT_EQ(w.cell("interrupts", 0, "source"), "181");
	w.monitor->interval(1);
	EXPECT_EQ(w.cell("memory", 3, "buffers"), "2");
	EXPECT_EQ(w.cell("interrupts", 0, "count"), "1");
}

// Where it lies, what was asked for, and whether these agree; by process.
TEST(AmdgpuMonitor, buffers_by_place)
{
	MonitorBench w("amdgpu");
	const uint64_t page = getpagesize();
	auto create = [&](uint32_t pid, uint64_t place, uint64_t prefer, uint64_t flags) {
		w.take("amdgpu_bo_create", 1, pid,
		       {{"pages", uint64_t(3)},
			{"type", place},
			{"prefer", prefer},
			{"allow", uint64_t(6)},
			{"visible", flags}});
		return w.told();
	};

	EXPECT_EQ(create(71, 2, 4, 1),
		  fmt::format("what=create bytes={} placed=vram preferred=vram "
			      "allowed=gtt+vram cpu_access=yes",
			      3 * page));
	create(72, 1, 4, 2);
	create(81, 1, 4, 3);
	create(81, 1, 0x100, 0);
	EXPECT_EQ(w.cell("buffers", 0, "placed"), "gtt");
	EXPECT_EQ(w.cell("buffers", 0, "preferred"), "vram");
	EXPECT_EQ(w.cell("buffers", 0, "buffers"), "2");
	EXPECT_EQ(w.cell("buffers", 0, "displaced"), "2");
	EXPECT_EQ(w.cell("buffers", 0, "cpu_access"), "1");
	EXPECT_EQ(w.cell("buffers", 1, "preferred"), "0x100");
	EXPECT_EQ(w.cell("buffers", 2, "placed"), "vram");
	EXPECT_EQ(w.cell("buffers", 2, "displaced"), "0");
	EXPECT_EQ(w.cell("buffers", 2, "bytes"), fmt::format("{}", 3 * page));
	EXPECT_EQ(w.cell("processes", 0, "buffers"), "2");
	EXPECT_EQ(w.cell("processes", 0, "bytes"), fmt::format("{}", 6 * page));
	EXPECT_EQ(w.cell("processes", 1, "buffers"), "2");
}

TEST(AmdgpuMonitor, submitters)
{
	MonitorBench w("amdgpu");
	MadeValues two = submission("gfx_0.0.0", 5, 1);

	two["num_ibs"] = uint64_t(2);
	w.take("amdgpu_cs_ioctl", 1, 71, two);
	EXPECT_EQ(w.told(), "ring=gfx_0.0.0 fence=5:1 ibs=2");
	two["seqno"] = uint64_t(2);
	two["num_ibs"] = uint64_t(5);
	w.take("amdgpu_cs_ioctl", 1, 72, two);
	w.take("amdgpu_bo_move", 1, 81,
	       {{"bo_size", uint64_t(100)},
		{"new_placement", uint64_t(1)},
		{"old_placement", uint64_t(2)}});
	EXPECT_EQ(w.cell("rings", 0, "ibs"), "7");
	EXPECT_EQ(w.cell("processes", 0, "cs"), "2");
	EXPECT_EQ(w.cell("processes", 0, "ibs"), "7");
	EXPECT_EQ(w.cell("processes", 1, "moves"), "1");
	EXPECT_EQ(w.cell("processes", 1, "bytes_moved"), "100");
}

// Interrupts say whose address space they concern.
TEST(AmdgpuMonitor, interrupts_by_address_space)
{
	MonitorBench w("amdgpu");
	auto interrupt = [&](uint64_t vmid, uint64_t pasid) {
		w.take("amdgpu_iv", 1, 0,
		       {{"client_id", uint64_t(20)},
			{"src_id", uint64_t(181)},
			{"ring_id", uint64_t(3)},
			{"vmid", vmid},
			{"pasid", pasid}});
		return w.told();
	};

	EXPECT_EQ(interrupt(5, 100), "client=20 source=181 ring=3 vmid=5 pasid=100");
	interrupt(5, 100);
	interrupt(6, 101);
	EXPECT_EQ(w.cell("interrupts", 0, "pasid"), "100");
	EXPECT_EQ(w.cell("interrupts", 0, "count"), "2");
	EXPECT_EQ(w.cell("interrupts", 1, "vmid"), "6");
	for (uint64_t pasid = 200; pasid < 9000; pasid++)
		interrupt(1, pasid);
	EXPECT_EQ(w.cell("interrupts", 4096, "vmid"), "NA");
	EXPECT_EQ(w.cell("interrupts", 4096, "count"), fmt::format("{}", 9000 - 200 - 4094));
	EXPECT_EQ(w.cell("interrupts", 4097, "vmid"), "no row");
}

TEST(AmdgpuMonitor, filters)
{
	MonitorBench w("amdgpu");

	w.filter.pids = {7};
	w.filter.rings = {"gfx_0.0.0"};
	EXPECT_FALSE(w.take("amdgpu_cs_ioctl", 1, 8, submission("gfx_0.0.0", 5, 1)));
	EXPECT_FALSE(w.take("amdgpu_cs_ioctl", 1, 7, submission("sdma0", 5, 2)));
	EXPECT_TRUE(w.take("amdgpu_cs_ioctl", 1, 7, submission("gfx_0.0.0", 5, 3)));
}

// Threads are their process's; an object is its maker's, even if another process ends it.
TEST(I915Monitor, objects_by_process)
{
	MonitorBench w("i915");

	w.take("i915_gem_object_create", 1, 71, object(0xa, 4096));
	w.take("i915_gem_object_create", 1, 72, object(0xb, 100));
	w.take("i915_gem_object_create", 1, 80, object(0xc, 1));
	w.take("i915_vma_bind", 1, 71, object(0xa, 8192));
	w.take("i915_vma_unbind", 1, 71, object(0xa, 8192));
	w.take("i915_gem_object_fault", 1, 71, {{"obj", uint64_t(0xa)}});
	EXPECT_TRUE(w.take("i915_gem_object_destroy", 1, 9, {{"obj", uint64_t(0xa)}}));
	EXPECT_EQ(w.told(), "obj=0xa size=4096");
	EXPECT_FALSE(w.take("i915_gem_object_destroy", 1, 9, {{"obj", uint64_t(0xa)}}));
	EXPECT_EQ(w.cell("processes", 0, "pid"), "70");
	EXPECT_EQ(w.cell("processes", 0, "comm"), "task70");
	EXPECT_EQ(w.cell("processes", 0, "created"), "2");
	EXPECT_EQ(w.cell("processes", 0, "bytes"), "4196");
	EXPECT_EQ(w.cell("processes", 0, "destroyed"), "1");
	EXPECT_EQ(w.cell("processes", 0, "bytes_bound"), "8192");
	EXPECT_EQ(w.cell("processes", 0, "faults"), "1");
	EXPECT_EQ(w.cell("left", 0, "bytes"), "100");
	EXPECT_EQ(w.cell("left", 1, "pid"), "80");
}

TEST(I915Monitor, bindings_and_their_place)
{
	MonitorBench w("i915");
	MadeValues place = object(0xa, 8192);

	place.insert({{"offset", uint64_t(0x100000)}, {"vm", uint64_t(0xff)}});
	EXPECT_TRUE(w.take("i915_vma_unbind", 1, 71, place));
	EXPECT_EQ(w.told(), "obj=0xa size=8192 offset=0x100000 vm=0xff");
	place["flags"] = uint64_t(1 << 3 | 1 << 10);
	w.take("i915_vma_bind", 1, 71, place);
	EXPECT_EQ(w.told(), "obj=0xa size=8192 offset=0x100000 vm=0xff mappable=yes");
	place["flags"] = uint64_t(1 << 10);
	w.take("i915_vma_bind", 1, 72, place);
	EXPECT_EQ(w.told(), "obj=0xa size=8192 offset=0x100000 vm=0xff mappable=no");
	EXPECT_EQ(w.cell("processes", 0, "binds"), "2");
	EXPECT_EQ(w.cell("processes", 0, "mappable"), "1");
	EXPECT_EQ(w.cell("processes", 0, "unbinds"), "1");
	EXPECT_EQ(w.cell("processes", 0, "bytes_bound"), "16384");
	EXPECT_EQ(w.cell("processes", 0, "bytes_unbound"), "8192");
}

TEST(I915Monitor, faults_by_access_and_map)
{
	MonitorBench w("i915");
	auto fault = [&](bool gtt, bool write) {
		w.take("i915_gem_object_fault", 1, 71,
		       {{"obj", uint64_t(0xa)},
			{"index", uint64_t(128)},
			{"gtt", uint64_t(gtt)},
			{"write", uint64_t(write)}});
		return w.told();
	};

	EXPECT_EQ(fault(true, true), "obj=0xa index=128 map=gtt access=write");
	EXPECT_EQ(fault(false, false), "obj=0xa index=128 map=cpu access=read");
	fault(false, true);
	EXPECT_EQ(w.cell("processes", 0, "faults"), "3");
	EXPECT_EQ(w.cell("processes", 0, "write_faults"), "2");
	EXPECT_EQ(w.cell("processes", 0, "gtt_faults"), "1");
}

// Memory is reclaimed for one process and from all: no filter hides it.
TEST(I915Monitor, pressure)
{
	MonitorBench w("i915");

	w.filter.pids = {1};
	EXPECT_TRUE(
		w.take("i915_gem_shrink", 1, 9,
		       {{"target", uint64_t(512)}, {"flags", uint64_t(3)}, {"dev", uint64_t(0)}}));
	EXPECT_EQ(w.told(), "dev=0 pages_wanted=512 flags=0x3");
	w.take("i915_gem_shrink", 1, 21, {{"target", uint64_t(1)}});
	w.monitor->interval(1);
	w.take("i915_gem_evict", 1, 9,
	       {{"size", uint64_t(4096)},
		{"align", uint64_t(64)},
		{"vm", uint64_t(0xff)},
		{"flags", uint64_t(0)},
		{"dev", uint64_t(1)}});
	EXPECT_EQ(w.told(), "dev=1 vm=0xff size=4096 align=64 mappable=no");
	EXPECT_EQ(w.cell("pressure", 0, "pid"), "0");
	EXPECT_EQ(w.cell("pressure", 0, "shrinks"), "1");
	EXPECT_EQ(w.cell("pressure", 0, "pages_wanted"), "512");
	EXPECT_EQ(w.cell("pressure", 0, "evictions"), "1");
	EXPECT_EQ(w.cell("pressure", 1, "comm"), "task20");
	EXPECT_EQ(w.cell("pressure", 1, "pages_wanted"), "1");
}

TEST(NvidiaMonitor, entry_points_and_errors)
{
	MonitorBench w("nvidia");

	w.take("open", 1, 71, {});
	w.take("ioctl", 2, 71, {{"cmd", uint64_t(0xc020462a)}});
	EXPECT_EQ(w.told(), "cmd=0xc020462a");
	w.take("ioctl", 3, 72, {});
	EXPECT_EQ(w.told(), "");
	w.take("isr", 4, 0, {});
	w.take("nvidia_dev_xid", 5, 0,
	       {{"dev", std::string("0000:01:00.0")},
		{"error_code", uint64_t(79)},
		{"msg", std::string("fallen off the bus")}});
	EXPECT_EQ(w.told(), "dev=0000:01:00.0 xid=79 msg=fallen off the bus");
	EXPECT_EQ(w.cell("processes", 0, "opens"), "1");
	EXPECT_EQ(w.cell("processes", 0, "ioctls"), "2");
	EXPECT_EQ(w.cell("interrupts", 0, "isr"), "1");
	EXPECT_EQ(w.cell("xids", 0, "xid"), "79");
	EXPECT_STREQ(w.kind.label, "control plane");
}

TEST(NvidiaMonitor, files_and_their_gpus)
{
	MonitorBench w("nvidia");
	auto file = [](uint64_t address, uint64_t device) {
		return MadeValues{{"file", address}, {"device", device}};
	};

	w.take("open", 1, 71, file(0xa, 195 << 20 | 1));
	EXPECT_EQ(w.told(), "gpu=1");
	w.take("open", 1, 72, file(0xb, 195 << 20 | 255));
	EXPECT_EQ(w.told(), "gpu=ctl");
	w.take("open", 1, 81, file(0xc, 195 << 20));
	// Even if another process closes it, it was its opener's.
	w.take("close", 1, 90, file(0xa, 195 << 20 | 1));
	EXPECT_EQ(w.cell("open", 0, "pid"), "70");
	EXPECT_EQ(w.cell("open", 0, "files"), "1");
	EXPECT_EQ(w.cell("open", 1, "comm"), "task80");
	EXPECT_EQ(w.cell("open", 2, "pid"), "no row");
	EXPECT_EQ(w.cell("total", 0, "opens"), "3");
	EXPECT_EQ(w.cell("total", 0, "closes"), "1");
	// Nor is it open when -p leaves out the process that closes it.
	w.filter.pids = {81};
	EXPECT_FALSE(w.take("close", 1, 90, file(0xc, 195 << 20)));
	EXPECT_EQ(w.cell("open", 1, "pid"), "no row");
}

TEST(NvidiaMonitor, mappings_and_faults)
{
	MonitorBench w("nvidia");

	w.take("mmap", 1, 71,
	       {{"device", uint64_t(0)},
		{"start", uint64_t(0x10000)},
		{"end", uint64_t(0x30000)},
		{"page", uint64_t(2)}});
	EXPECT_EQ(w.told(), fmt::format("gpu=0 offset={:#x} size=131072", 2 * getpagesize()));
	w.take("fault", 1, 71, {{"address", uint64_t(0x10abc)}, {"flags", uint64_t(0x55)}});
	EXPECT_EQ(w.told(), "address=0x10abc access=write");
	w.take("fault", 1, 71, {{"address", uint64_t(0x10abc)}, {"flags", uint64_t(0x54)}});
	EXPECT_EQ(w.told(), "address=0x10abc access=read");
	w.take("vma_open", 1, 71, {});
	w.take("vma_close", 1, 71, {});
	w.take("vma_close", 1, 71, {});
	w.take("vma_access", 1, 81, {});
	EXPECT_EQ(w.cell("memory", 0, "faults"), "2");
	EXPECT_EQ(w.cell("memory", 0, "write_faults"), "1");
	EXPECT_EQ(w.cell("memory", 0, "vma_opens"), "1");
	EXPECT_EQ(w.cell("memory", 0, "vma_closes"), "2");
	EXPECT_EQ(w.cell("memory", 1, "accesses"), "1");
}

TEST(NvidiaMonitor, memory_for_other_devices)
{
	MonitorBench w("nvidia");

	w.take("p2p_get_pages", 1, 71,
	       {{"address", uint64_t(0x7000)}, {"length", uint64_t(65536)}});
	EXPECT_EQ(w.told(), "address=0x7000 size=65536");
	w.take("p2p_dma_map", 1, 71, {});
	w.take("p2p_dma_unmap", 1, 71, {});
	w.take("p2p_put_pages", 1, 71, {{"address", uint64_t(0x7000)}});
	EXPECT_EQ(w.told(), "address=0x7000");
	for (const char *column : {"p2p_gets", "p2p_puts", "p2p_dma_maps", "p2p_dma_unmaps"})
		EXPECT_EQ(w.cell("memory", 0, column), "1") << column;
	EXPECT_EQ(w.cell("memory", 0, "p2p_bytes"), "65536");
	EXPECT_EQ(w.cell("memory", 0, "faults"), "0");
}

// Two GPUs at a time: a bottom half follows the interrupt of its number.
TEST(NvidiaMonitor, bottom_halves)
{
	MonitorBench w("nvidia");
	auto irq = [](uint64_t number) { return MadeValues{{"irq", number}}; };

	w.take("isr_msix", 1000, 0, irq(40));
	w.take("isr", 1001, 0, irq(40));
	w.take("isr", 2000, 0, irq(41));
	w.take("isr", 3000, 0, irq(40));
	w.take("bh_msix", 5001, 500, irq(40));
	EXPECT_EQ(w.told(), "delay_us=4.0");
	w.take("bh", 8000, 510, irq(41));
	EXPECT_EQ(w.told(), "delay_us=6.0");
	w.take("bh_end", 9000, 510, {});
	EXPECT_EQ(w.told(), "took_us=1.0");
	w.take("bh_msix_end", 12001, 500, {});
	EXPECT_EQ(w.told(), "took_us=7.0");
	// Neither its interrupt nor its begin was seen.
	w.take("bh", 13000, 510, irq(41));
	EXPECT_EQ(w.told(), "");
	EXPECT_FALSE(w.take("bh_msix_end", 13001, 510, {}));
	EXPECT_EQ(w.cell("interrupts", 0, "isr"), "3");
	EXPECT_EQ(w.cell("interrupts", 0, "isr_msix"), "1");
	EXPECT_EQ(w.cell("interrupts", 0, "bottom_halves"), "3");
	EXPECT_EQ(w.cell("interrupts", 0, "bh_delay_max_us"), "6.0");
	EXPECT_EQ(w.cell("interrupts", 0, "bh_avg_us"), "4.0");
}

TEST(NvidiaMonitor, suspend_and_resume)
{
	MonitorBench w("nvidia");

	w.take("suspend", 1000, 9, {});
	EXPECT_EQ(w.cell("power", 0, "suspend_max_us"), "NA");
	w.take("suspend_end", 6000, 9, {});
	EXPECT_EQ(w.told(), "took_us=5.0");
	w.take("resume", 9000, 9, {});
	w.take("resume_end", 9500, 9, {});
	EXPECT_FALSE(w.take("resume_end", 9600, 9, {}));
	EXPECT_EQ(w.cell("power", 0, "suspends"), "1");
	EXPECT_EQ(w.cell("power", 0, "suspend_max_us"), "5.0");
	EXPECT_EQ(w.cell("power", 0, "resumes"), "1");
	EXPECT_EQ(w.cell("power", 0, "resume_max_us"), "0.5");
}

TEST(NvidiaSchedMonitor, the_life_of_a_tsg)
{
	MonitorBench w("nvidia-sched");

	w.take("task_init", 1, 71,
	       {{"tsg", uint64_t(1)},
		{"engine", uint64_t(1)},
		{"timeslice_us", uint64_t(1024)},
		{"interleave", uint64_t(0)},
		{"runlist", uint64_t(13)}});
	EXPECT_EQ(w.told(), "tsg=1 engine=COPY timeslice_us=1024 interleave=LOW "
			    "runlist=13");
	w.take("schedule", 2, 71,
	       {{"tsg", uint64_t(1)},
		{"channels", uint64_t(8)},
		{"timeslice_us", uint64_t(1024)},
		{"interleave", uint64_t(1)},
		{"allowed", uint64_t(0)}});
	w.take("work_submit", 3, 71,
	       {{"tsg", uint64_t(1)}, {"channel", uint64_t(2)}, {"token", uint64_t(3)}});
	w.take("task_destroy", 4, 71, {{"tsg", uint64_t(1)}});
	EXPECT_EQ(w.cell("processes", 0, "tsgs"), "1");
	EXPECT_EQ(w.cell("processes", 0, "scheduled"), "1");
	EXPECT_EQ(w.cell("processes", 0, "refused"), "1");
	EXPECT_EQ(w.cell("processes", 0, "tokens"), "1");
	EXPECT_EQ(w.cell("processes", 0, "destroyed"), "1");
	EXPECT_EQ(w.cell("statistics", 0, "task_init"), "1");
	EXPECT_EQ(w.cell("statistics", 0, "schedule"), "1");
	EXPECT_EQ(w.cell("statistics", 0, "work_submit"), "1");
	EXPECT_EQ(w.cell("statistics", 0, "task_destroy"), "1");
	w.monitor->set_lost(7);
	EXPECT_EQ(w.cell("statistics", 0, "dropped"), "7");
}

// Names and numbers of gpu_ext; a number beyond them has no name.
TEST(NvidiaSchedMonitor, names)
{
	MonitorBench w("nvidia-sched");
	auto init = [&](uint64_t engine, uint64_t level) {
		w.take("task_init", 1, 71, {{"engine", engine}, {"interleave", level}});
		return w.told();
	};

	EXPECT_EQ(init(0, 1),
		  "tsg=NA engine=GRAPHICS timeslice_us=NA interleave=MEDIUM runlist=NA");
	EXPECT_EQ(init(2, 2), "tsg=NA engine=NVDEC timeslice_us=NA interleave=HIGH runlist=NA");
	EXPECT_EQ(init(3, 3),
		  "tsg=NA engine=NVENC timeslice_us=NA interleave=UNKNOWN(3) runlist=NA");
	EXPECT_EQ(init(4, 0), "tsg=NA engine=UNKNOWN(4) timeslice_us=NA interleave=LOW runlist=NA");
	w.take("bind", 1, 71, {{"allowed", uint64_t(1)}});
	EXPECT_EQ(w.told(), "tsg=NA channels=NA timeslice_us=NA interleave=NA allowed=yes");
	w.take("work_submit", 1, 71, {{"gpu", uint64_t(2)}});
	EXPECT_EQ(w.told(), "tsg=NA channel=NA token=NA gpu=2");
}

// Without BTF there are events and no fields: nothing is made up.
TEST(NvidiaSchedMonitor, events_without_fields)
{
	MonitorBench w("nvidia-sched");

	w.take("bind", 1, 71, {});
	EXPECT_EQ(w.told(), "tsg=NA channels=NA timeslice_us=NA interleave=NA "
			    "allowed=NA");
	EXPECT_EQ(w.cell("processes", 0, "scheduled"), "1");
	EXPECT_EQ(w.cell("processes", 0, "refused"), "0");
}

} // namespace grtrace
