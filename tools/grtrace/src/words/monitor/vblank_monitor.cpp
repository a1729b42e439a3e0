// SPDX-License-Identifier: GPL-2.0
#include "words/monitor/vblank_monitor.h"

namespace grtrace {

namespace {

enum Probe : size_t { probe_vblank, probe_queued, probe_delivered };

enum VblankField : size_t { vblank_crtc, vblank_seq, vblank_time, vblank_precise };
enum EventField : size_t { event_file, event_crtc, event_seq };

const ProbeSpec specs[] = {
	{"drm",
	 "drm_vblank_event",
	 {"crtc", "seq", "time", "high_prec"},
	 "refresh rate and missed vblanks"},
	{"drm", "drm_vblank_event_queued", {"file", "crtc", "seq"}, "programs that begin to wait"},
	{"drm", "drm_vblank_event_delivered", {"file", "crtc", "seq"}, "programs whose wait ends"},
};

// No screen misses this many at once: the counter was reset.
constexpr uint32_t most_missed = 100000;

constexpr size_t most_waiting = 65536;

// If a program is notified later than this, too little of the frame is left.
constexpr uint64_t late_ns = 1000000;

// About a second on most screens; a program that asks for an older vblank does not show
// frames.
constexpr size_t most_recent = 64;

// The numbers of a CRTC's vblanks wrap.
bool is_before(uint32_t a, uint32_t b)
{
	return static_cast<int32_t>(a - b) < 0;
}

} // namespace

const VblankMonitor::Vblank *VblankMonitor::Crtc::vblank_of(const Delivery &delivery) const
{
	for (const Vblank &vblank : recent) {
		if (is_before(vblank.seq, delivery.wanted))
			continue;
		// It is not known what was before the first one.
		if (is_before(delivery.seq, vblank.seq) ||
		    (&vblank == &recent.front() && vblank.seq != delivery.wanted))
			break;
		return &vblank;
	}
	return nullptr;
}

Tally<VblankMonitor::Counts> &VblankMonitor::waiter(uint32_t pid)
{
	const auto [found, is_new] = waiters_.try_emplace(filter_.process_of(pid));

	if (is_new)
		found->second.name = filter_.process_name(pid);
	return found->second.counts;
}

// The hardware's time may be that of the first visible line, which is still to come: then
// there is no latency yet.
std::optional<uint64_t> VblankMonitor::add_latency(Crtc &crtc, const Delivery &delivery)
{
	const Vblank *vblank = crtc.vblank_of(delivery);

	if (!vblank)
		return {};
	const uint64_t latency = delivery.ts - std::min(delivery.ts, vblank->ts);
	for (Tally<Counts> *counts : {static_cast<Tally<Counts> *>(&crtc), &waiter(delivery.pid)}) {
		counts->add(&Counts::latency, latency);
		counts->add(&Counts::late, latency > late_ns);
	}
	return latency;
}

std::span<const ProbeSpec> VblankMonitor::probes()
{
	return specs;
}

bool VblankMonitor::vblank(const MonitorEvent &event, EventDetails *details)
{
	const uint32_t number = static_cast<uint32_t>(event.number(vblank_crtc));
	const uint32_t seq = static_cast<uint32_t>(event.number(vblank_seq));
	// The hardware's own time, if the driver knows it.
	const uint64_t time = event.number(vblank_time);
	const uint64_t ts = time ? time : event.ts;
	Crtc &crtc = crtcs_[number];
	const uint32_t step = seq - crtc.seq;

	// The same vblank may be reported twice.
	if (crtc.seen && !step)
		return false;
	crtc.add(&Counts::vblanks);
	crtc.add(&Counts::precise, event.number(vblank_precise) != 0);
	if (crtc.seen && step <= most_missed && ts >= crtc.ts) {
		crtc.add(&Counts::missed, step - 1);
		crtc.add(&Counts::periods, step);
		crtc.add(&Counts::period_ns, ts - crtc.ts);
	} else if (crtc.seen) {
		crtc.add(&Counts::resets);
	}
	if (details) {
		details->emplace_back("crtc", number);
		details->emplace_back("seq", seq);
		if (crtc.seen && step <= most_missed)
			details->emplace_back("missed", uint64_t(step - 1));
		if (event.has(vblank_precise))
			details->emplace_back("precise",
					      event.number(vblank_precise) ? "yes" : "no");
	}
	if (crtc.seen && is_before(seq, crtc.seq))
		crtc.recent.clear();
	if (crtc.recent.size() >= most_recent)
		crtc.recent.pop_front();
	crtc.recent.push_back({seq, ts});
	// The event itself is recorded after the deliveries for it.
	if (time)
		for (const Delivery &delivery : crtc.ahead)
			add_latency(crtc, delivery);
	crtc.ahead.clear();
	crtc.seen = true;
	crtc.seq = seq;
	crtc.ts = ts;
	return true;
}

bool VblankMonitor::queue(const MonitorEvent &event, EventDetails *details)
{
	const Wanted wanted = {event.number(event_file),
			       static_cast<uint32_t>(event.number(event_crtc)),
			       static_cast<uint32_t>(event.number(event_seq))};

	if (!filter_.wants_task(event.pid))
		return false;
	if (waiting_.size() >= most_waiting)
		waiting_.erase(waiting_.begin());
	waiting_.emplace(wanted, Wait{event.ts, event.pid});
	crtcs_[wanted.crtc].add(&Counts::queued);
	waiter(event.pid).add(&Counts::queued);
	if (details)
		*details = {{"crtc", wanted.crtc}, {"seq", wanted.seq}};
	return true;
}

bool VblankMonitor::deliver(const MonitorEvent &event, EventDetails *details)
{
	const uint64_t file = event.number(event_file);
	const uint32_t number = static_cast<uint32_t>(event.number(event_crtc));
	const uint32_t seq = static_cast<uint32_t>(event.number(event_seq));
	// The requested vblank may be over: then any number up to the delivered one counts.
	auto found = waiting_.upper_bound({file, number, seq});

	if (found == waiting_.begin())
		return false;
	--found;
	if (found->first.file != file || found->first.crtc != number)
		return false;
	const uint64_t wait = event.ts - std::min(event.ts, found->second.since);
	const Delivery delivery = {found->first.seq, seq, event.ts, found->second.pid};
	Crtc &crtc = crtcs_[number];
	const std::optional<uint64_t> latency = add_latency(crtc, delivery);

	waiting_.erase(found);
	if (!latency && crtc.ahead.size() < most_waiting)
		crtc.ahead.push_back(delivery);
	for (Tally<Counts> *counts : {static_cast<Tally<Counts> *>(&crtc), &waiter(delivery.pid)}) {
		counts->add(&Counts::delivered);
		counts->add(&Counts::wait, wait);
	}
	if (details)
		*details = {{"crtc", number},
			    {"seq", seq},
			    {"wait_us", wait / 1000.0},
			    {"latency_us", latency ? *latency / 1000.0 : MonitorCell()}};
	return true;
}

bool VblankMonitor::take(const MonitorEvent &event, EventDetails *details)
{
	switch (event.probe) {
	case probe_vblank:
		return vblank(event, details);
	case probe_queued:
		return queue(event, details);
	default:
		return deliver(event, details);
	}
}

std::vector<MonitorTable> VblankMonitor::tables(double, bool all) const
{
	MonitorTable table = {"crtcs",
			      {"crtc", "vblanks", "hz", "missed", "resets", "queued", "delivered",
			       "latency_avg_us", "latency_p99_us", "latency_max_us", "wait_avg_us",
			       "wait_p99_us", "wait_max_us", "late", "precise"},
			      {}};
	MonitorTable waiters = {"processes",
				{"pid", "comm", "queued", "delivered", "latency_avg_us",
				 "latency_p99_us", "latency_max_us", "wait_avg_us", "wait_max_us",
				 "late"},
				{}};

	for (const auto &[number, crtc] : crtcs_) {
		const Counts &counts = crtc.of(all);
		const Histogram &latency = counts.latency;
		const Histogram &wait = counts.wait;

		table.rows.push_back({
			number,
			counts.vblanks,
			counts.period_ns ? counts.periods * 1e9 / counts.period_ns : MonitorCell(),
			counts.missed,
			counts.resets,
			counts.queued,
			counts.delivered,
			MonitorCell::us(latency, latency.average()),
			MonitorCell::us(latency, latency.percentile(990)),
			MonitorCell::us(latency, latency.max()),
			MonitorCell::us(wait, wait.average()),
			MonitorCell::us(wait, wait.percentile(990)),
			MonitorCell::us(wait, wait.max()),
			counts.late,
			counts.precise,
		});
	}
	for (const auto &[pid, waiter] : waiters_) {
		const Counts &counts = waiter.counts.of(all);
		const Histogram &latency = counts.latency;
		const Histogram &wait = counts.wait;

		waiters.rows.push_back({pid, waiter.name, counts.queued, counts.delivered,
					MonitorCell::us(latency, latency.average()),
					MonitorCell::us(latency, latency.percentile(990)),
					MonitorCell::us(latency, latency.max()),
					MonitorCell::us(wait, wait.average()),
					MonitorCell::us(wait, wait.max()), counts.late});
	}
	return {table, waiters};
}

void VblankMonitor::next_interval()
{
	for (auto &[number, crtc] : crtcs_)
		crtc.now = {};
	for (auto &[pid, waiter] : waiters_)
		waiter.counts.now = {};
}

} // namespace grtrace
