// SPDX-License-Identifier: GPL-2.0
#include "lib/options/word_options.h"

#include "lib/text/words_of.h"

namespace grtrace {

Status parse_number(const char *name, const std::string &argument, uint64_t least, uint64_t most,
		    uint64_t &value)
{
	if (parse_id(argument, most, value) && value >= least)
		return {};
	if (most == UINT64_MAX)
		return Status::error("--{} wants a number, not \"{}\"", name, argument);
	return Status::error("--{} wants a number from {} to {}, not \"{}\"", name, least, most,
			     argument);
}

} // namespace grtrace
