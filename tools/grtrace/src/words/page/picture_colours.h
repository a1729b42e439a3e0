// SPDX-License-Identifier: GPL-2.0
//
// The colours of processes in pictures.
#pragma once

#include <array>

#include "words/page/picture_tasks.h"

namespace grtrace {

// The colour of each slot; the last colour is for all other processes. This is Okabe and
// Ito's set, which people with any kind of colour blindness can distinguish, without its
// black; all of them are visible on white and on black.
constexpr std::array<const char *, PictureTasks::slots + 1> slot_colours = {
	"#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#b8a800", "#8c8c8c",
};

} // namespace grtrace
