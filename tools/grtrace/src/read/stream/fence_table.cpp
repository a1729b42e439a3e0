// SPDX-License-Identifier: GPL-2.0
#include "read/stream/fence_table.h"

#include "lib/text/utf8_text.h"
#include "read/stream/event.h"

namespace grtrace {

void FenceTable::learn(const uint8_t *record)
{
	using Name = grtrace_rec_fence_name;

	names_[load64(record + offsetof(Name, ctx))] = {
		printable(text_field(record + offsetof(Name, driver), GRTRACE_DRIVER_LEN)),
		printable(text_field(record + offsetof(Name, timeline), GRTRACE_NAME_LEN)),
	};
}

} // namespace grtrace
