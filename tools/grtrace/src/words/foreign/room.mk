# SPDX-License-Identifier: GPL-2.0
#
# foreign: traces of other programs. Without zlib or libzstd the packets that Perfetto
# packed by it are counted as lost.

unpackers := $(foreach package,zlib libzstd,$(shell pkg-config --exists $(package) && echo $(package)))
words/foreign_PACKAGES := $(unpackers)

$(O)/src/words/foreign/packet_unpacker.o $(O)/fuzz/src/words/foreign/packet_unpacker.o: flags += \
	$(if $(filter zlib,$(unpackers)),-DHAS_ZLIB $(shell pkg-config --cflags zlib)) \
	$(if $(filter libzstd,$(unpackers)),-DHAS_ZSTD $(shell pkg-config --cflags libzstd))
