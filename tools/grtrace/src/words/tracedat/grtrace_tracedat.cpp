// SPDX-License-Identifier: GPL-2.0
//
// grtrace-tracedat: `grtrace import` of a trace.dat, which import runs by itself.
#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <trace-seq.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "lib/options/word_main.h"
#include "lib/run/run_user.h"
#include "words/import/import_output.h"
#include "words/program/word_program.h"
#include "words/tracedat/crash_guard.h"
#include "words/tracedat/cut_file.h"
#include "words/tracedat/dat_event.h"
#include "words/tracedat/tracecmd_calls.h"
#include "words/translate/marker.h"

using namespace grtrace;

namespace {

class Run {
public:
	explicit Run(const ImportOptions &options) : options_(options), output_(options) {}
	~Run()
	{
		if (input_)
			tracecmd_close(input_);
	}

	int run();

private:
	// The event of an id, as far as it is known.
	struct Kind {
		std::unique_ptr<DatEvent> event;
		const ForeignEvent *unreadable = nullptr; // it lacks fields
		std::string_view name; // empty: the file does not describe it
		bool is_marker = false;
		bool is_known = false; // the file's description of it was looked at
	};

	Status read();
	void tell_cut(const CutFile &cut);
	ForeignFacts facts() const;
	Kind &kind_of(int id);
	void take(struct tep_record *record, uint32_t cpu);
	void take_marker(struct tep_record *record, const KernelEvent &event);
	void name_task(uint32_t pid);

	const ImportOptions &options_;
	ImportOutput output_;
	struct tracecmd_input *input_ = nullptr;
	struct tep_handle *tep_ = nullptr;
	std::optional<DatHead> head_;
	std::vector<Kind> kinds_; // by id
	std::vector<bool> named_; // by number of the task
	AddressNames ring_names_;
	FieldValues fields_; // of the current event
};

// The machine is "Linux host 6.12.48 x86_64".
ForeignFacts Run::facts() const
{
	ForeignFacts facts = {.kind = "trace.dat"};
	const char *clock = tracecmd_get_trace_clock ? tracecmd_get_trace_clock(input_) : nullptr;
	const char *machine = tracecmd_get_uname ? tracecmd_get_uname(input_) : nullptr;

	facts.clock = clock_of_trace(clock ? clock : "");
	std::string_view words = machine ? machine : "";
	for (int word = 0; word < 2; word++)
		words.remove_prefix(std::min(words.find(' ') + 1, words.size()));
	facts.release = words.substr(0, words.find(' '));
	return facts;
}

Run::Kind &Run::kind_of(int id)
{
	if (static_cast<size_t>(id) >= kinds_.size())
		kinds_.resize(static_cast<size_t>(id) + 1);
	Kind &kind = kinds_[static_cast<size_t>(id)];
	if (kind.is_known)
		return kind;
	kind.is_known = true;
	struct tep_event *event = tep_find_event(tep_, id);
	if (!event)
		return kind;
	kind.name = event->name;
	kind.is_marker = is_marker(kind.name);
	for (const ForeignEvent &from : foreign_events()) {
		if (std::string_view(from.name) != event->name || kind.event)
			continue;
		kind.event = std::make_unique<DatEvent>(from, event);
		kind.unreadable = &from;
		if (!kind.event->is_usable())
			kind.event.reset();
	}
	return kind;
}

void Run::name_task(uint32_t pid)
{
	// No kernel has more; a damaged file may.
	constexpr uint32_t pids_max = 1 << 22;

	if (pid >= pids_max)
		return;
	if (pid >= named_.size())
		named_.resize(pid + 1);
	if (named_[pid])
		return;
	named_[pid] = true;
	const char *comm = tep_data_comm_from_pid(tep_, static_cast<int>(pid));
	const std::string_view name = comm ? comm : "";

	output_.capture().name_task(pid, 0, name == "<...>" ? std::string_view() : name);
}

void Run::take_marker(struct tep_record *record, const KernelEvent &event)
{
	struct trace_seq text;

	trace_seq_init(&text);
	tep_print_event(tep_, &text, record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&text);
	if (text.state == TRACE_SEQ__GOOD)
		output_.capture().marker(event, marker_line(text.buffer));
	trace_seq_destroy(&text);
}

void Run::take(struct tep_record *record, uint32_t cpu)
{
	ForeignCapture &capture = output_.capture();
	const int id = head_->type(record);

	// A negative number says that it is not known how many.
	if (record->missed_events)
		capture.lose(cpu, record->missed_events > 0 ? record->missed_events : 1);
	capture.reach(record->ts);
	if (id < 0 || id > UINT16_MAX)
		return capture.leave_out();
	const Kind &kind = kind_of(id);
	KernelEvent event = {record->ts,
			     cpu,
			     static_cast<uint32_t>(head_->pid(record)),
			     record_flags(head_->flags(record)),
			     TraceKind::vblank,
			     &fields_};
	if (kind.is_marker || kind.event)
		name_task(event.pid);
	if (kind.is_marker)
		return take_marker(record, event);
	if (!kind.event)
		return kind.unreadable ? capture.cannot_read(*kind.unreadable, cpu) :
					 capture.leave_out(kind.name);
	kind.event->read(
		{static_cast<const uint8_t *>(record->data), static_cast<size_t>(record->size)},
		ring_names_, &fields_);
	event.kind = kind.event->from().kind;
	capture.take(kind.event->from(), event);
}

// It is not known how many events are missing.
void Run::tell_cut(const CutFile &cut)
{
	output_.say(
		fmt::format("its end is cut off, {} bytes are missing: the last events of CPU {} "
			    "are lost",
			    cut.end - cut.size, fmt::join(cut.cpus, ", ")));
	for (const uint32_t cpu : cut.cpus)
		output_.capture().cut(cpu);
}

Status Run::read()
{
	const CrashGuard guard(fmt::format(
		"grtrace import: {}: cannot be read: it is cut off or damaged\n", options_.input));

	tracecmd_set_loglevel(TEP_LOG_NONE);
	// The input of import was a pipe, or compressed.
	Fd file(options_.input == "-" ? dup(STDIN_FILENO) :
					open(options_.input.c_str(), O_RDONLY | O_CLOEXEC));
	const std::optional<CutFile> cut = find_cut(file);
	if (cut) {
		Fd copy;

		if (Status status = copy_whole(file, *cut, &copy); !status.ok())
			return status;
		file = std::move(copy);
	}
	// All is open that is needed. A name for the output still needs the rights: grtrace
	// import, where it is root, gives an open file.
	if (const RunUser *user = careful_user(); user && options_.output == "-")
		(void)user->become();
	lseek(file.get(), 0, SEEK_SET);
	// The library closes the descriptor, also one that it cannot read.
	input_ = tracecmd_open_fd(dup(file.get()),
				  TRACECMD_FL_LOAD_NO_PLUGINS | TRACECMD_FL_LOAD_NO_SYSTEM_PLUGINS);
	if (!input_)
		return Status::error("cannot be read: it is damaged, or of a version that "
				     "libtracecmd does not know");
	tep_ = tracecmd_get_tep(input_);
	head_.emplace(tep_);
	output_.begin(facts());
	tracecmd_iterate_events(
		input_, nullptr, 0,
		[](struct tracecmd_input *, struct tep_record *record, int cpu, void *data) {
			const CrashGuard::Pause pause;
			Run &run = *static_cast<Run *>(data);

			run.take(record, static_cast<uint32_t>(cpu));
			return run.output_.capture().failed() ? 1 : 0;
		},
		this);
	if (cut)
		tell_cut(*cut);
	if (const int others = tracecmd_buffer_instances(input_))
		output_.say(fmt::format("{} buffer instances are left out: only the main buffer is "
					"read",
					others));
	return {};
}

int Run::run()
{
	const Status status = output_.open();

	return status.ok() ? output_.finish(read()) : output_.refuse(status);
}

int tracedat_main(int argc, char **argv)
{
	return program_main<ImportOptions, Run>("grtrace import", "grtrace import", argc, argv);
}

} // namespace

int main(int argc, char **argv)
{
	return run_word("tracedat", tracedat_main, argc, argv);
}
