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
	export/interruption \
	export/output_directory \
	export/perfetto.pb \
	export/perfetto_export \
	export/perfetto_jobs \
	export/perfetto_tracks \
	export/perfetto_writer \
	export/row_export \
	export/sqlite_export \
	export/sqlite_file \
	export/sqlite_schema \
	export/trace_text_export \
	export/trace_text_line \

ROOM_LIBS += $(shell pkg-config --libs sqlite3 protobuf-lite)

$(O)/src/export/sqlite_file.o: flags += $(shell pkg-config --cflags sqlite3)

# protoc makes a source and a header of the definitions; the header is found as
# the ones beside it are.
perfetto_proto	:= $(here)/src/export/perfetto.proto
perfetto_flags	:= -I$(O)/src $(shell pkg-config --cflags protobuf-lite)

$(O)/src/export/perfetto.pb.h $(O)/src/export/perfetto.pb.cc &: $(perfetto_proto)
	@mkdir -p $(@D)
	protoc -I$(here)/src --cpp_out=$(O)/src $<

$(O)/src/export/perfetto.pb.o: $(O)/src/export/perfetto.pb.cc
	$(CXX) $(flags) $(perfetto_flags) -w $(CXXFLAGS) -c -o $@ $<

perfetto_users := $(foreach to,$(O) $(O)/fuzz, \
		  $(patsubst %,$(to)/src/export/perfetto_%.o,export jobs tracks writer)) \
	$(O)/tests/unit/perfetto_writer_test.o
$(perfetto_users): flags += $(perfetto_flags)
$(perfetto_users): $(O)/src/export/perfetto.pb.h
