// SPDX-License-Identifier: GPL-2.0
//
// The options of words that inspect a session.
#pragma once

#include "lib/options/word_options.h"

namespace grtrace {

template <typename T>
inline constexpr WordOption<T> relay_option = {
	'r', "relay", "PATH", "where debugfs is mounted; default /sys/kernel/debug", &T::debugfs};
// blktrace uses both letters.
template <typename T>
inline constexpr WordOption<T> blktrace_version_option = {'v', "", nullptr, nullptr, &T::version};

} // namespace grtrace
