// SPDX-License-Identifier: GPL-2.0
//
// Names and arguments are facts of the open modules (595.45.04): kernel-open/nvidia/nv.c,
// nv-mmap.c, nv-p2p.c and nv-tracepoint.h. Fields of structures are found by BTF or not at
// all.
#include "words/monitor/nvidia_monitor.h"

#include <unistd.h>

#include <algorithm>

namespace grtrace {

namespace {

constexpr const char *group = "grtrace_nvidia";

enum Probe : size_t {
	probe_open,
	probe_close,
	probe_mmap,
	probe_ioctl,
	probe_poll,
	probe_fault,
	probe_vma_open,
	probe_vma_close,
	probe_vma_access,
	probe_p2p_get,
	probe_p2p_put,
	probe_p2p_map,
	probe_p2p_unmap,
	probe_isr,
	probe_msix,
	probe_bh,
	probe_msix_bh,
	probe_bh_end,
	probe_msix_bh_end,
	probe_suspend,
	probe_suspend_end,
	probe_resume,
	probe_resume_end,
	probe_xid,
};

enum FileField : size_t { file_address, file_device, file_more };
enum MmapField : size_t { mmap_device = 1, mmap_start, mmap_end, mmap_page };
enum FaultField : size_t { fault_address, fault_flags };
enum P2pField : size_t { p2p_address, p2p_length };
enum XidField : size_t { xid_device, xid_code, xid_message };

enum MemoryColumn : size_t {
	column_mappings,
	column_unmappings,
	column_faults,
	column_write_faults,
	column_accesses,
	column_p2p_gets,
	column_p2p_bytes,
	column_p2p_puts,
	column_p2p_maps,
	column_p2p_unmaps,
};

// Both ways lead from a file to its device; the file's address needs no BTF.
constexpr const char *by_inode = "file=$arg2:x64 device=inode->i_rdev:u32";
constexpr const char *by_file = "file=$arg1:x64 device=file->f_inode->i_rdev:u32";

// An interrupt and its bottom half have the same number.
constexpr const char *by_irq = "irq=$arg1:u32";

const ProbeSpec specs[] = {
	{group, "open", {"file", "device"}, "who opens a device", nullptr, "nvidia_open", by_inode},
	{group,
	 "close",
	 {"file", "device"},
	 "who closes a device",
	 nullptr,
	 "nvidia_close",
	 by_inode},
	{group,
	 "mmap",
	 {"file", "device", "start", "end", "page"},
	 "who maps memory",
	 nullptr,
	 "nvidia_mmap",
	 "file=$arg1:x64 device=file->f_inode->i_rdev:u32 start=vma->vm_start:u64 "
	 "end=vma->vm_end:u64 page=vma->vm_pgoff:u64"},
	// long (struct file *, unsigned int cmd, unsigned long)
	{group,
	 "ioctl",
	 {"file", "device", "cmd"},
	 "ioctls",
	 nullptr,
	 "nvidia_unlocked_ioctl",
	 "file=$arg1:x64 device=file->f_inode->i_rdev:u32 cmd=$arg2:u32"},
	{group, "poll", {"file", "device"}, "who waits", nullptr, "nvidia_poll", by_file},
	{group,
	 "fault",
	 {"address", "flags"},
	 "page faults",
	 nullptr,
	 "nvidia_fault",
	 "address=vmf->address:u64 flags=vmf->flags:u32"},
	{group,
	 "vma_open",
	 {},
	 "mappings that are copied or split",
	 nullptr,
	 "nvidia_vma_open",
	 ""},
	{group, "vma_close", {}, "mappings that end", nullptr, "nvidia_vma_release", ""},
	// int (struct vm_area_struct *, unsigned long addr, void *, int length, int write)
	{group,
	 "vma_access",
	 {},
	 "debuggers that look at mappings",
	 nullptr,
	 "nvidia_vma_access",
	 ""},
	// int (u64 token, u32 space, u64 address, u64 length, table, callback, data)
	{group,
	 "p2p_get_pages",
	 {"address", "length"},
	 "memory that another device gets",
	 nullptr,
	 "nvidia_p2p_get_pages",
	 "address=$arg3:u64 length=$arg4:u64"},
	// int (u64 token, u32 space, u64 address, table)
	{group,
	 "p2p_put_pages",
	 {"address"},
	 "memory that another device gives back",
	 nullptr,
	 "nvidia_p2p_put_pages",
	 "address=$arg3:u64"},
	{group, "p2p_dma_map", {}, "DMA maps of it", nullptr, "nvidia_p2p_dma_map_pages", ""},
	{group,
	 "p2p_dma_unmap",
	 {},
	 "the end of DMA maps",
	 nullptr,
	 "nvidia_p2p_dma_unmap_pages",
	 ""},
	{group, "isr", {"irq"}, "interrupts", nullptr, "nvidia_isr", by_irq},
	{group, "isr_msix", {"irq"}, "MSI-X interrupts", nullptr, "nvidia_isr_msix", by_irq},
	{group, "bh", {"irq"}, "bottom halves", nullptr, "nvidia_isr_kthread_bh", by_irq},
	{group,
	 "bh_msix",
	 {"irq"},
	 "bottom halves of MSI-X",
	 nullptr,
	 "nvidia_isr_msix_kthread_bh",
	 by_irq},
	{group,
	 "bh_end",
	 {},
	 "how long bottom halves take",
	 nullptr,
	 "nvidia_isr_kthread_bh",
	 "",
	 true},
	{group,
	 "bh_msix_end",
	 {},
	 "how long bottom halves of MSI-X interrupts take",
	 nullptr,
	 "nvidia_isr_msix_kthread_bh",
	 "",
	 true},
	{group, "suspend", {}, "suspends", nullptr, "nvidia_suspend", ""},
	{group, "suspend_end", {}, "how long a suspend takes", nullptr, "nvidia_suspend", "", true},
	{group, "resume", {}, "resumes", nullptr, "nvidia_resume", ""},
	{group, "resume_end", {}, "how long a resume takes", nullptr, "nvidia_resume", "", true},
	{"nvidia",
	 "nvidia_dev_xid",
	 {"dev", "error_code", "msg"},
	 "Xid errors (the kernel log has them)"},
};

constexpr size_t most_files = 65536;
constexpr size_t most_begun = 4096;

// FAULT_FLAG_WRITE of linux/mm_types.h.
constexpr uint64_t fault_is_write = 1;

// The minor number of a device is that of its GPU; the last one is for all GPUs.
MonitorCell gpu_of(uint64_t device)
{
	constexpr uint64_t minor_mask = 0xfffff, control = 255;
	const uint64_t minor = device & minor_mask;

	return minor == control ? MonitorCell("ctl") : MonitorCell(minor);
}

const uint64_t page_bytes = static_cast<uint64_t>(getpagesize());

std::string hex(uint64_t number)
{
	return fmt::format("{:#x}", number);
}

} // namespace

NvidiaMonitor::NvidiaMonitor(const MonitorFilter &filter)
	: filter_(filter), processes_("processes", {"opens", "closes", "mmaps", "ioctls", "polls"}),
	  memory_("memory", {"vma_opens", "vma_closes", "faults", "write_faults", "accesses",
			     "p2p_gets", "p2p_bytes", "p2p_puts", "p2p_dma_maps", "p2p_dma_unmaps"})
{
}

std::span<const ProbeSpec> NvidiaMonitor::probes()
{
	return specs;
}

// Returns the time since the same thread was at the probe "begin".
std::optional<uint64_t> NvidiaMonitor::took(const MonitorEvent &event, size_t begin)
{
	const auto found = begun_.find({event.pid, begin});

	if (found == begun_.end())
		return {};
	const uint64_t took = event.ts - std::min(event.ts, found->second);
	begun_.erase(found);
	return took;
}

// A bottom half after its interrupt.
void NvidiaMonitor::follow(const MonitorEvent &event, EventDetails *details)
{
	const auto found = interrupt_ts_.find(event.number(0));

	if (!event.has(0) || found == interrupt_ts_.end())
		return;
	const uint64_t delay = event.ts - std::min(event.ts, found->second);
	interrupt_ts_.erase(found);
	interrupts_.add(&Interrupts::delay, delay);
	if (details)
		details->emplace_back("delay_us", delay / 1000.0);
}

bool NvidiaMonitor::interrupt(const MonitorEvent &event, EventDetails *details)
{
	const bool is_msix = event.probe == probe_msix_bh || event.probe == probe_msix_bh_end;

	switch (event.probe) {
	case probe_isr:
		// nvidia_isr_msix() also calls nvidia_isr().
		interrupts_.add(&Interrupts::isr);
		// The first interrupt that a bottom half has to handle.
		if (event.has(0) && interrupt_ts_.size() < most_begun)
			interrupt_ts_.try_emplace(event.number(0), event.ts);
		return true;
	case probe_msix:
		interrupts_.add(&Interrupts::msix);
		return true;
	case probe_bh:
	case probe_msix_bh:
		interrupts_.add(&Interrupts::bottom_halves);
		if (begun_.size() < most_begun)
			begun_[{event.pid, event.probe}] = event.ts;
		follow(event, details);
		return true;
	default:
		const auto duration = took(event, is_msix ? probe_msix_bh : probe_bh);

		if (!duration)
			return false;
		interrupts_.add(&Interrupts::duration, *duration);
		if (details)
			details->emplace_back("took_us", *duration / 1000.0);
		return true;
	}
}

bool NvidiaMonitor::power(const MonitorEvent &event, EventDetails *details)
{
	const bool is_suspend = event.probe == probe_suspend || event.probe == probe_suspend_end;
	const size_t begin = is_suspend ? probe_suspend : probe_resume;

	if (event.probe == begin) {
		power_.add(is_suspend ? &Power::suspends : &Power::resumes);
		if (begun_.size() < most_begun)
			begun_[{event.pid, begin}] = event.ts;
		return true;
	}
	const auto duration = took(event, begin);
	if (!duration)
		return false;
	power_.add(is_suspend ? &Power::suspend : &Power::resume, *duration);
	if (details)
		details->emplace_back("took_us", *duration / 1000.0);
	return true;
}

bool NvidiaMonitor::xid(const MonitorEvent &event, EventDetails *details)
{
	Errors &errors = errors_[{std::string(event.text(xid_device)), event.number(xid_code)}];

	errors.count++;
	errors.last = event.text(xid_message);
	if (details)
		*details = {{"dev", event.text(xid_device)},
			    {"xid", event.number(xid_code)},
			    {"msg", errors.last}};
	return true;
}

void NvidiaMonitor::count(const MonitorEvent &event)
{
	static constexpr MemoryColumn columns[] = {
		column_faults,   column_mappings, column_unmappings, column_accesses,
		column_p2p_gets, column_p2p_puts, column_p2p_maps,   column_p2p_unmaps,
	};

	if (event.probe < probe_fault) {
		processes_.add(filter_, event.pid, event.probe);
		return;
	}
	memory_.add(filter_, event.pid, columns[event.probe - probe_fault]);
	if (event.probe == probe_fault && event.number(fault_flags) & fault_is_write)
		memory_.add(filter_, event.pid, column_write_faults);
	if (event.probe == probe_p2p_get)
		memory_.add(filter_, event.pid, column_p2p_bytes, event.number(p2p_length));
}

bool NvidiaMonitor::call(const MonitorEvent &event, EventDetails *details)
{
	// A file may be closed by a process other than the one that opened it.
	if (event.probe == probe_close)
		files_.erase(event.number(file_address));
	if (!filter_.wants_task(event.pid))
		return false;
	count(event);
	if (event.probe == probe_open && event.has(file_address) && files_.size() < most_files)
		files_[event.number(file_address)] = event.pid;
	if (!details)
		return true;
	if (event.probe < probe_fault && event.has(file_device))
		details->emplace_back("gpu", gpu_of(event.number(file_device)));
	if (event.probe == probe_ioctl && event.has(file_more))
		details->emplace_back("cmd", hex(event.number(file_more)));
	if (event.probe == probe_mmap && event.has(mmap_page)) {
		details->emplace_back("offset", hex(event.number(mmap_page) * page_bytes));
		details->emplace_back("size", event.number(mmap_end) - event.number(mmap_start));
	}
	if (event.probe == probe_fault && event.has(fault_address)) {
		details->emplace_back("address", hex(event.number(fault_address)));
		details->emplace_back(
			"access", event.number(fault_flags) & fault_is_write ? "write" : "read");
	}
	if ((event.probe == probe_p2p_get || event.probe == probe_p2p_put) &&
	    event.has(p2p_address))
		details->emplace_back("address", hex(event.number(p2p_address)));
	if (event.probe == probe_p2p_get && event.has(p2p_length))
		details->emplace_back("size", event.number(p2p_length));
	return true;
}

bool NvidiaMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	if (event.probe == probe_xid)
		return xid(event, details);
	if (event.probe >= probe_suspend)
		return power(event, details);
	if (event.probe >= probe_isr)
		return interrupt(event, details);
	return call(event, details);
}

// Files that were opened since the start and are not closed, by the process that opened them.
MonitorTable NvidiaMonitor::open() const
{
	std::map<uint32_t, uint64_t> files;
	MonitorTable table = {"open", {"pid", "comm", "files"}, {}};

	for (const auto &[address, pid] : files_)
		files[filter_.process_of(pid)]++;
	for (const auto &[pid, count] : files)
		table.rows.push_back({pid, filter_.name_of(pid), count});
	return table;
}

std::vector<MonitorTable> NvidiaMonitor::tables(double, bool all) const
{
	const Interrupts &interrupts = interrupts_.of(all);
	const Power &power = power_.of(all);
	auto us = [](const Histogram &times, uint64_t ns) { return MonitorCell::us(times, ns); };
	MonitorTable xids = {"xids", {"dev", "xid", "count", "last"}, {}};

	for (const auto &[of, errors] : errors_)
		xids.rows.push_back({of.first, of.second, errors.count, errors.last});
	std::vector<MonitorTable> tables = {
		processes_.table(all),
		{"interrupts",
		 {"isr", "isr_msix", "bottom_halves", "bh_delay_avg_us", "bh_delay_p99_us",
		  "bh_delay_max_us", "bh_avg_us", "bh_p99_us", "bh_max_us"},
		 {{interrupts.isr, interrupts.msix, interrupts.bottom_halves,
		   us(interrupts.delay, interrupts.delay.average()),
		   us(interrupts.delay, interrupts.delay.percentile(990)),
		   us(interrupts.delay, interrupts.delay.max()),
		   us(interrupts.duration, interrupts.duration.average()),
		   us(interrupts.duration, interrupts.duration.percentile(990)),
		   us(interrupts.duration, interrupts.duration.max())}}},
		xids,
		memory_.table(all),
		{"power",
		 {"suspends", "suspend_max_us", "resumes", "resume_max_us"},
		 {{power.suspends, us(power.suspend, power.suspend.max()), power.resumes,
		   us(power.resume, power.resume.max())}}}};

	if (all) {
		tables.push_back(processes_.total());
		tables.push_back(open());
	}
	return tables;
}

void NvidiaMonitor::next_interval()
{
	processes_.next_interval();
	memory_.next_interval();
	interrupts_.now = {};
	power_.now = {};
}

} // namespace grtrace
