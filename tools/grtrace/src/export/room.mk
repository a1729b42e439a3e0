# SPDX-License-Identifier: GPL-2.0
#
# export: captures in the formats of other programs.

REPORT_ROOMS += \
	export/ctf_export \
	export/ctf_layout \
	export/ctf_metadata \
	export/ctf_stream \
	export/export_formats \
	export/export_main \
	export/export_options \
	export/output_directory \
	export/row_export \
	export/sqlite_export \
	export/sqlite_file \
	export/sqlite_schema \

ROOM_LIBS += $(shell pkg-config --libs sqlite3)

$(O)/src/export/sqlite_file.o: flags += $(shell pkg-config --cflags sqlite3)
