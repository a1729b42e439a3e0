# SPDX-License-Identifier: GPL-2.0
#
# export: captures in the formats of other programs.

words/export_PACKAGES := sqlite3 protobuf-lite
words/export_PROGRAMS = protoc
words/export_DEBIAN := libsqlite3-dev libprotobuf-dev protobuf-compiler

MADE_SRCS += words/export/perfetto.pb

$(O)/src/words/export/sqlite_file.o: flags += $(shell pkg-config --cflags sqlite3)

# protoc makes a source and a header of the definitions; the header is found as
# the ones beside it are.
perfetto_proto	:= $(here)/src/words/export/perfetto.proto
perfetto_flags	:= -I$(O)/src $(shell pkg-config --cflags protobuf-lite)

$(O)/src/words/export/perfetto.pb.h $(O)/src/words/export/perfetto.pb.cc &: $(perfetto_proto)
	@mkdir -p $(@D)
	protoc -I$(here)/src --cpp_out=$(O)/src $<

$(O)/src/words/export/perfetto.pb.o: $(O)/src/words/export/perfetto.pb.cc
	$(CXX) $(flags) $(perfetto_flags) -w $(CXXFLAGS) -c -o $@ $<

perfetto_users := $(foreach to,$(O) $(O)/fuzz, \
		  $(patsubst %,$(to)/src/words/export/perfetto_%.o,export jobs tracks writer)) \
	$(O)/tests/unit/words/export/perfetto_writer_test.o
$(perfetto_users): flags += $(perfetto_flags)
$(perfetto_users): $(O)/src/words/export/perfetto.pb.h

# Nobody's bytes go through what protoc has made.
$(O)/fuzz/src/words/export/perfetto.pb.o: $(O)/src/words/export/perfetto.pb.cc
	@mkdir -p $(@D)
	$(CLANG) $(flags) $(perfetto_flags) -w -O0 -c -o $@ $<
