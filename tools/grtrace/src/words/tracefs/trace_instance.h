// SPDX-License-Identifier: GPL-2.0
#pragma once

#include "lib/files/fd.h"
#include "lib/text/status.h"
#include "words/tracefs/tracefs_calls.h"

#include <cstdint>
#include <string>
#include <vector>

namespace grtrace {

// The kernel's counts of a CPU's buffer.
struct BufferStats {
	uint64_t overrun = 0; // events overwritten before they were read
	uint64_t refused = 0; // events for which there was no room
};

// A tracefs instance of our own, with buffers and events that no other tracer sees. Its
// name contains the process id, so that an instance that a killed process left behind can
// be distinguished from an instance in use. It is removed whichever way the program ends.
class TraceInstance {
public:
	TraceInstance() = default;
	TraceInstance(const TraceInstance &) = delete;
	TraceInstance &operator=(const TraceInstance &) = delete;
	~TraceInstance() { remove(); }

	// Removes instances that were left behind first, and adds their names to @left.
	Status create(std::vector<std::string> *left);
	void remove();

	Status set_clock(const std::string &clock);

	// Has the kernel copy what user space writes into the trace_marker of all. Returns
	// false for kernels before 6.16, which cannot.
	bool copy_markers() const;

	// Sets one of the files in options/.
	Status set_option(const char *option) const;

	// Sets the size to @count sub-buffers of @kib for each CPU. If the kernel has no
	// sub-buffers of that size, sets the same amount in pages.
	Status set_buffers(size_t kib, size_t count);
	size_t subbuf_bytes() const { return subbuf_bytes_; }

	// Returns whether the event exists; format() then returns its format.
	bool has_event(const char *system, const char *name) const;
	Status format(const char *system, const char *name, std::string *text) const;
	Status enable(const char *system, const char *name) const;

	Status switch_on(bool on) const;
	std::vector<unsigned int> cpus() const;
	Status open_cpu(unsigned int cpu, Fd *fd) const;
	Status stats(unsigned int cpu, BufferStats *stats) const;

	const std::string &name() const { return name_; }

private:
	Status write(const char *file, const std::string &text) const;

	struct tracefs_instance *instance_ = nullptr;
	std::string name_;
	size_t subbuf_bytes_ = 0;
};

} // namespace grtrace
