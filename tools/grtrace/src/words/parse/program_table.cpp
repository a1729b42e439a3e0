// SPDX-License-Identifier: GPL-2.0
//
// An event counts for the process whose task ran; a job for the process that submitted
// it, whichever task reports on it later.
#include "words/parse/program_table.h"

#include <algorithm>

#include "lib/text/duration.h"
#include "lib/text/print_to.h"
#include "read/capture/losses.h"
#include "words/data/average.h"

namespace grtrace {

static constexpr std::string_view sort_keys = "NqQcCwWf";

Status ProgramStyle::set_sort(std::string_view key)
{
	if (key.size() != 1 || sort_keys.find(key) == key.npos)
		return Status::error(
			"-S wants one of N, q, Q, c, C, w, W and f, not \"{}\"; see --help", key);
	sort = key[0];
	shown = true;
	return {};
}

void ProgramTable::Step::add(uint64_t ns, uint64_t weight)
{
	if (ns == Job::none)
		return;
	jobs += weight;
	sum += ns * weight;
	max = std::max(max, ns);
}

void ProgramTable::Step::add(const Step &other)
{
	jobs += other.jobs;
	sum += other.sum;
	max = std::max(max, other.max);
}

void ProgramTable::Program::add(const Program &other)
{
	events.add(other.events);
	jobs += other.jobs;
	over += other.over;
	failed += other.failed;
	waits += other.waits;
	wait_ns += other.wait_ns;
	queue.add(other.queue);
	exec.add(other.exec);
	q2d.add(other.q2d);
	d2c.add(other.d2c);
}

ProgramTable::Program &ProgramTable::program_of(uint32_t pid, Session &session)
{
	const Task *leader = session.tasks.leader(pid);
	Program &program = programs_.get(leader ? leader->tgid : pid);

	if (program.comm.empty() && leader)
		program.comm = leader->name();
	return program;
}

void ProgramTable::add(const Event &event, Session &session)
{
	// In an interrupt the task is not related to the event.
	if (!event.in_task())
		return;
	Program &program = program_of(event.pid, session);

	program.events.add(event);
	if (event.type == GRTRACE_SYNC_WAIT_ENTER)
		waits_.enter(event.pid, event.ctx, event.seqno, event.ts);
	else if (event.type == GRTRACE_SYNC_WAIT_EXIT)
		add_wait(event, program);
}

void ProgramTable::add_wait(const Event &exit, Program &program)
{
	uint64_t since;

	if (!waits_.exit(exit.pid, exit.ctx, exit.seqno, since))
		return;
	program.waits += exit.weight;
	program.wait_ns += (exit.ts - std::min(since, exit.ts)) * exit.weight;
}

void ProgramTable::add(const Job &job, Session &session)
{
	if (job.submit_ts == Job::none)
		return;

	Program &program = program_of(job.pid, session);
	program.jobs += job.weight;
	program.over += job.over() ? job.weight : 0;
	// An interrupt or a worker wrote the event.
	if (job.failed)
		program.failed += job.weight;
	program.queue.add(job.queue(), job.weight);
	program.exec.add(job.exec(), job.weight);
	program.q2d.add(job.submit_to_commit(), job.weight);
	program.d2c.add(Job::between(job.commit_ts, job.complete_ts), job.weight);
}

std::vector<ProgramTable::Row> ProgramTable::rows(const ProgramStyle &style)
{
	std::vector<Row> rows;

	programs_.for_each([&](uint64_t tgid, Program &program) {
		rows.push_back({fmt::format("{}", tgid), static_cast<uint32_t>(tgid), program});
		if (program.comm.empty())
			rows.back().program.comm = "?";
	});
	if (style.by_name) {
		std::vector<Row> merged;

		std::sort(rows.begin(), rows.end(),
			  [](const Row &a, const Row &b) { return before(a, b, 'N'); });
		for (const Row &row : rows) {
			if (merged.empty() || merged.back().program.comm != row.program.comm) {
				merged.push_back(row);
				continue;
			}
			merged.back().pid = "-";
			merged.back().program.add(row.program);
		}
		rows.swap(merged);
	}
	std::sort(rows.begin(), rows.end(),
		  [&](const Row &a, const Row &b) { return before(a, b, style.sort); });
	return rows;
}

uint64_t ProgramTable::sort_value(const Program &program, char sort)
{
	const auto &n = program.events.by_type;

	switch (sort) {
	case 'q':
		return n[GRTRACE_SUBMIT];
	case 'Q':
		return program.queue.sum;
	case 'c':
		return program.over;
	case 'C':
		return program.exec.sum;
	case 'w':
		return program.waits;
	case 'W':
		return program.wait_ns;
	case 'f':
		return program.failed;
	}
	return 0;
}

// Names are sorted upwards, numbers downwards; equal ones by pid.
bool ProgramTable::before(const Row &a, const Row &b, char sort)
{
	const uint64_t left = sort_value(a.program, sort);
	const uint64_t right = sort_value(b.program, sort);

	if (sort == 'N' && a.program.comm != b.program.comm)
		return a.program.comm < b.program.comm;
	return left != right ? left > right : a.first_pid < b.first_pid;
}

void ProgramTable::print_row(fmt::memory_buffer &out, const Row &row, bool steps)
{
	const Program &program = row.program;
	const auto &n = program.events.by_type;
	auto us = [](uint64_t ns) { return thousands(ns / 1000); };
	// A program without jobs executed nothing; the duration of a job may not be
	// known.
	auto sum = [&](const Step &step) {
		return program.jobs && !step.jobs ? "NA" : us(step.sum);
	};

	print_to(out, "{:<16} {:>7} {:>12} {:>12} {:>12} {:>10} {:>14} {:>14} {:>14}", program.comm,
		 row.pid, thousands(n[GRTRACE_SUBMIT]), thousands(program.over),
		 thousands(program.waits), thousands(program.failed), sum(program.exec),
		 us(program.wait_ns), sum(program.queue));
	for (const Step *step : {&program.q2d, &program.d2c})
		if (steps && step->jobs)
			print_to(out, " {:>12} {:>12}",
				 thousands(average_of(step->sum, step->jobs * 1000)),
				 us(step->max));
		else if (steps)
			print_to(out, " {:>12} {:>12}", "NA", "NA");
	out.push_back('\n');
}

void ProgramTable::print(fmt::memory_buffer &out, const ProgramStyle &style)
{
	print_to(out, "{:<16} {:>7} {:>12} {:>12} {:>12} {:>10} {:>14} {:>14} {:>14}", "PROGRAM",
		 "PID", "QUEUED", "COMPLETED", "WAITS", "FAILED", "EXEC us", "WAIT us", "QUEUE us");
	if (style.steps)
		print_to(out, " {:>12} {:>12} {:>12} {:>12}", "Q2D avg us", "Q2D max us",
			 "D2C avg us", "D2C max us");
	out.push_back('\n');
	for (const Row &row : rows(style))
		print_row(out, row, style.steps);
	if (waits_.forgotten())
		print_to(out,
			 "{} waits are not in the table: their threads had more than {} at once\n",
			 thousands(waits_.forgotten()), ThreadWaits::most);
	out.push_back('\n');
}

} // namespace grtrace
