// SPDX-License-Identifier: GPL-2.0
#include "lib/text/diagnostics.h"

namespace grtrace {

void Diagnostics::finish()
{
	if (!show_)
		return;
	if (errors_ > limit)
		show_(fmt::format("{} more errors were not shown", errors_ - limit));
	if (warnings_ > limit)
		show_(fmt::format("{} more warnings were not shown", warnings_ - limit));
}

} // namespace grtrace
