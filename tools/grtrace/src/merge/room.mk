# SPDX-License-Identifier: GPL-2.0
#
# grtrace merge. It has trace-cmd and perf read their own files, if they are
# installed.
REPORT_ROOMS += \
	merge/capture_source \
	merge/clock_facts \
	merge/machine \
	merge/merge_main \
	merge/merge_options \
	merge/merge_source \
	merge/merged_stream \
	merge/text_event \
	merge/text_source \
	merge/tool_lines
