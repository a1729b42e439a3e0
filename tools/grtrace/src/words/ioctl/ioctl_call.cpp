// SPDX-License-Identifier: GPL-2.0
//
// The annotator wrote the record in BPF, so its texts are not trusted.
#include "words/ioctl/ioctl_call.h"

#include <fmt/format.h>

#include "format/tool_records.h"
#include "lib/text/utf8_text.h"
#include "read/stream/note_text.h"
#include "words/ioctl/ioctl_name.h"

namespace grtrace {

using Record = grtrace_rec_ioctl;

IoctlCall::IoctlCall(const Event &event)
	: duration(load64(event.raw + offsetof(Record, duration))),
	  result(static_cast<int64_t>(load64(event.raw + offsetof(Record, result)))),
	  cgroup(load64(event.raw + offsetof(Record, cgroup))),
	  cmd(load32(event.raw + offsetof(Record, cmd))),
	  minor(load32(event.raw + offsetof(Record, minor))),
	  handles(load32(event.raw + offsetof(Record, handles))),
	  driver(text_field(event.raw + offsetof(Record, driver), GRTRACE_DRIVER_LEN))
{
}

std::string IoctlCall::name() const
{
	return ioctl_name(cmd, driver);
}

std::string ioctl_text(const Event &event)
{
	const IoctlCall call(event);
	std::string text =
		fmt::format("{} {} = {}, {}.{:03} us", printable(call.driver), call.name(),
			    call.result, call.duration / 1000, call.duration % 1000);

	if (call.handles != GRTRACE_HANDLES_UNKNOWN)
		text += fmt::format(", {} handle{}", call.handles, call.handles == 1 ? "" : "s");
	return text;
}

std::string note_or_ioctl_text(const Event &event, const Session &session)
{
	return event.type == GRTRACE_IOCTL ? ioctl_text(event) : note_text(event, session);
}

} // namespace grtrace
