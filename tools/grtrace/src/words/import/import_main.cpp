// SPDX-License-Identifier: GPL-2.0
//
// grtrace import: a trace that another program recorded, as a capture.
#include "words/import/import_main.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files/fd.h"
#include "lib/options/exec_word.h"
#include "lib/options/word_main.h"
#include "lib/run/command.h"
#include "lib/run/run_user.h"
#include "lib/text/print_to.h"
#include "words/foreign/copied_input.h"
#include "words/foreign/line_reader.h"
#include "words/foreign/perfetto_trace.h"
#include "words/foreign/text_trace.h"
#include "words/foreign/tool_lines.h"
#include "words/import/import_output.h"

using namespace grtrace;

namespace {

using namespace std::literals;

// A kind of file that another program has to read.
struct ToolFormat {
	const char *kind;
	std::string_view magic; // the first bytes of such a file
	const char *word; // reads it by a library, where that was there; nullptr: none does
	std::vector<std::string> command; // prints its events; the file's name is added
};

const ToolFormat *find_tool(std::string_view first_bytes)
{
	static const ToolFormat formats[] = {
		{"trace.dat",
		 "\x17\x08\x44tracing"sv,
		 "tracedat",
		 {"trace-cmd", "report", "-N", "-t", "-i"}},
		{"perf.data",
		 "PERFILE2"sv,
		 nullptr,
		 {"perf", "script", "--ns", "--show-lost-events", "-F",
		  "comm,pid,tid,cpu,time,event,trace", "-i"}},
	};

	for (const ToolFormat &format : formats)
		if (first_bytes.starts_with(format.magic))
			return &format;
	return nullptr;
}

class Run {
public:
	explicit Run(const ImportOptions &options)
		: options_(options), path_(options.input), output_(options)
	{
	}

	int run();

private:
	Status open(Fd *fd);
	Status make_file(std::unique_ptr<LineReader> &lines);
	Status read(LineReader &lines);
	Status read_tool(const ToolFormat &format);
	Status read_perfetto();
	bool reads_by_library(LineReader &lines) const;
	int run_library();
	int run_library_apart(std::vector<std::string> args);
	template <typename Lines> void read_lines(Lines &lines);
	void read_live(LineReader &lines);
	Status check() const;

	const ImportOptions &options_;
	std::string path_; // of what is read: the input, or a copy
	bool is_file_ = false; // the input is neither a pipe nor a terminal
	Fd copy_;
	bool is_cut_ = false; // not all of it could be unpacked
	const ToolFormat *tool_ = nullptr; // that reads it
	ImportOutput output_;
	std::unique_ptr<TextTrace> text_;
};

Status Run::open(Fd *fd)
{
	struct stat st;

	*fd = Fd(options_.input == "-" ? dup(STDIN_FILENO) :
					 ::open(options_.input.c_str(), O_RDONLY | O_CLOEXEC));
	if (!fd->is_open())
		return Status::error("cannot open: {}", strerror(errno));
	if (fstat(fd->get(), &st))
		return Status::error("cannot read: {}", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return Status::error("is a directory");
	is_file_ = S_ISREG(st.st_mode) && options_.input != "-";
	struct stat out;
	if (S_ISREG(st.st_mode) && options_.output != "-" && !stat(options_.output.c_str(), &out) &&
	    out.st_dev == st.st_dev && out.st_ino == st.st_ino)
		return Status::error("-o {}: that is the input: give the output another name",
				     options_.output);
	return {};
}

template <typename Lines> void Run::read_lines(Lines &lines)
{
	std::string_view line;

	while (!output_.capture().failed() && lines.next(line))
		text_->take(line);
}

// Writes the events so far when nothing comes for a while, and as often as a reader can notice.
void Run::read_live(LineReader &lines)
{
	using std::chrono::steady_clock;
	constexpr auto while_busy = std::chrono::milliseconds(250);
	steady_clock::time_point flushed = steady_clock::now();
	std::string_view line;

	for (bool more = true; more && !output_.capture().failed();) {
		if (!lines.has_line() &&
		    (!lines.wait(100) || steady_clock::now() - flushed > while_busy)) {
			output_.capture().flush();
			flushed = steady_clock::now();
		}
		more = lines.next(line);
		if (more)
			text_->take(line);
	}
}

// A reader that needs a file gets a copy of a pipe or of compressed bytes.
Status Run::make_file(std::unique_ptr<LineReader> &lines)
{
	const std::string_view first = lines->peek(16);
	const char *unpacker = find_unpacker(first);
	const ToolFormat *tool = find_tool(first);
	// Another user reads it with a program; the library has the open file.
	const RunUser *user = tool && !reads_by_library(*lines) ? careful_user() : nullptr;

	if (!unpacker && !user && (is_file_ || (!tool && !PerfettoTrace::is_one(first))))
		return {};
	std::string missing;
	Status status = copy_input(*lines, &copy_);
	if (status.ok() && unpacker)
		status = unpack(unpacker, !options_.no_limit, &copy_, &missing);
	if (!status.ok())
		return status;
	is_cut_ = !missing.empty();
	if (is_cut_)
		output_.cut(missing);
	if (!user && unpacker)
		user = careful_user();
	if (user)
		(void)!fchown(copy_.get(), user->uid, user->gid);
	path_ = fmt::format("/proc/self/fd/{}", copy_.get());
	lines = std::make_unique<LineReader>(Fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)));
	return {};
}

// The program that wrote such a file reads it.
Status Run::read_tool(const ToolFormat &format)
{
	std::vector<std::string> words = format.command;
	ToolLines lines;

	words.push_back(path_);
	Status status = lines.start(words, careful_user());
	if (!status.ok())
		return status;
	read_lines(lines);
	return lines.finish();
}

// A program with the library of trace-cmd is faster than trace-cmd.
bool Run::reads_by_library(LineReader &lines) const
{
	const ToolFormat *tool = find_tool(lines.peek(16));

	return tool && tool->word && !find_word_program(tool->word).empty();
}

// The program gives up root's rights, and this one names the output when it is complete.
int Run::run_library_apart(std::vector<std::string> args)
{
	Command command;
	Status status = output_.open();

	args[0] = find_word_program("tracedat");
	args[2].assign(1, '-');
	args.push_back(copy_.is_open() ? "-" : options_.input);
	if (status.ok())
		status = command.start(
			args, {copy_.is_open() ? copy_.get() : STDIN_FILENO, output_.fd()});
	return status.ok() ? output_.finish_file(command.wait()) : output_.refuse(status);
}

int Run::run_library()
{
	std::vector<std::string> args = {"tracedat", "-o", options_.output};

	if (options_.quiet)
		args.push_back("-q");
	if (options_.strict)
		args.push_back("--strict");
	if (options_.cut || is_cut_)
		args.push_back("--cut");
	if (geteuid() == 0 && options_.output != "-")
		return run_library_apart(std::move(args));
	args.push_back(copy_.is_open() ? "-" : options_.input);
	if (copy_.is_open() && dup2(copy_.get(), STDIN_FILENO) < 0)
		return output_.refuse(Status::error("cannot read: {}", strerror(errno)));
	return exec_word("grtrace import", args, "libtracecmd-dev");
}

Status Run::read_perfetto()
{
	const Fd fd(::open(path_.c_str(), O_RDONLY | O_CLOEXEC));
	struct stat st;

	if (!fd.is_open() || fstat(fd.get(), &st) < 0 || st.st_size <= 0)
		return Status::error("cannot read: {}", strerror(errno));
	void *bytes = mmap(nullptr, size_t(st.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
	if (bytes == MAP_FAILED)
		return Status::error("cannot read: {}", strerror(errno));
	const uint64_t size = uint64_t(st.st_size);
	PerfettoTrace trace(
		{static_cast<const char *>(bytes), size}, output_.begin({.kind = "perfetto"}),
		options_.no_limit ? UINT64_MAX : std::max(size * unpacked_times, unpacked_least));
	if (const std::string why = trace.read(); !why.empty())
		output_.cut(why);
	munmap(bytes, size_t(st.st_size));
	return {};
}

Status Run::read(LineReader &lines)
{
	tool_ = find_tool(lines.peek(16));

	// A shell of Windows writes such files.
	if (lines.peek(2) == "\xff\xfe"sv || lines.peek(2) == "\xfe\xff"sv)
		return Status::error(
			"is text in UTF-16: convert it by iconv -f UTF-16 -t UTF-8, and "
			"name the result");
	if (PerfettoTrace::is_one(lines.peek(16)))
		return read_perfetto();
	const bool live = options_.live && !is_file_ && !copy_.is_open();
	text_ = std::make_unique<TextTrace>(
		output_.begin({.kind = tool_ ? tool_->kind : "text", .is_live = live}));
	if (tool_)
		return read_tool(*tool_);
	if (live)
		read_live(lines);
	else
		read_lines(lines);
	if (lines.error())
		return Status::error("cannot read: {}", strerror(lines.error()));
	if (lines.is_cut() && text_->events())
		output_.say("its last line is cut off");
	return {};
}

Status Run::check() const
{
	if (!text_)
		return {};
	if (!text_->events() && tool_)
		return Status::error("has no trace event; record with perf record -a -e "
				     "'gpu_scheduler:*' -e 'dma_fence:*', or trace-cmd record "
				     "-e gpu_scheduler -e dma_fence");
	if (!text_->events() && text_->has_heading())
		return Status::error("is the heading of a trace without events: none was enabled, "
				     "or a reader of trace_pipe took them; record with trace-cmd "
				     "record -C mono -e gpu_scheduler -e dma_fence");
	if (!text_->events())
		return Status::error("has no event: it is neither the text of a trace nor a "
				     "trace.dat, a perf.data or a trace of Perfetto");
	if (text_->counters() == text_->events())
		return Status::error("its times are no times, but a counter: record with the clock "
				     "mono (trace-cmd -C mono)");
	return {};
}

int Run::run()
{
	Fd fd;

	if (options_.events) {
		print_to(stdout, "{}", describe_foreign_events());
		return exit_ok;
	}
	Status status = open(&fd);
	if (!status.ok())
		return output_.refuse(status);

	auto lines = std::make_unique<LineReader>(std::move(fd));
	status = make_file(lines);
	if (!status.ok())
		return output_.refuse(status);
	if (reads_by_library(*lines))
		return run_library();
	status = output_.open();
	if (!status.ok())
		return output_.refuse(status);
	status = read(*lines);
	return output_.finish(status.ok() ? check() : status);
}

} // namespace

int import_main(int argc, char **argv)
{
	return word_main<ImportOptions, Run>(argc, argv);
}
