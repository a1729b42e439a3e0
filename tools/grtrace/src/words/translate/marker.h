// SPDX-License-Identifier: GPL-2.0
//
// Markers: lines that user space writes into a trace, in the grammar of Android's atrace or
// of gpuvis.
#pragma once

#include <string>
#include <string_view>

namespace grtrace {

// Returns the text of the MESSAGE for a marker:
//
//	B|123|draw           mark kind=begin pid=123 name=draw
//	E|123                mark kind=end pid=123
//	C|123|fps|60         mark kind=counter pid=123 value=60 name=fps
//	S|123|draw|7         mark kind=async_begin pid=123 cookie=7 name=draw
//	F|123|draw|7         mark kind=async_end pid=123 cookie=7 name=draw
//	I|123|draw           mark kind=instant pid=123 name=draw
//	draw (duration=-5)   mark kind=span duration=-5 name=draw
//	draw (begin_ctx=7)   mark kind=async_begin cookie=7 name=draw
//	draw (end_ctx=7)     mark kind=async_end cookie=7 name=draw
//	anything else        mark kind=text name=anything else
std::string marker_message(std::string_view line);

// Removes what ftrace and trace-cmd print before a marker: its place in the kernel.
std::string_view marker_line(std::string_view text);

// Returns whether events of this name are such lines.
bool is_marker(std::string_view event);

} // namespace grtrace
