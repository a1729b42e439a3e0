# SPDX-License-Identifier: GPL-2.0
#
# annotate: DRM ioctls and waits, seen by BPF programs.

words/annotate_PACKAGES := libbpf
words/annotate_PROGRAMS = $(BPF_CLANG) $(BPFTOOL)
words/annotate_DEBIAN := libbpf-dev bpftool clang

BPF_CLANG	?= clang
BPFTOOL		?= $(firstword $(wildcard /usr/sbin/bpftool) bpftool)
bpf		:= $(here)/bpf

# A Debian machine has the asm/ headers of its own architecture only here.
# The program has its sources' names and lines in it, and so the skeleton: of names that
# are relative all checkouts make the same.
bpf_flags	:= -target bpf -g -fdebug-compilation-dir=. -O2 -Wall -Werror -mcpu=v3 \
		   -D__TARGET_ARCH_$(patsubst x86_64,x86,$(patsubst aarch64,arm64,$(shell uname -m))) \
		   -I/usr/include/$(shell $(CXX) -print-multiarch)

$(O)/bpf/%.bpf.o: $(bpf)/%.bpf.c $(wildcard $(bpf)/*.h)
	@mkdir -p $(@D)
	cd $(<D) && $(BPF_CLANG) $(bpf_flags) -c -o $@ $(<F)

.PRECIOUS: $(O)/bpf/%.bpf.o

$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(BPFTOOL) gen skeleton $< name $*_bpf > $@.part
	mv $@.part $@

$(O)/src/words/annotate/drm_probes.o: $(O)/bpf/annotate.skel.h
$(O)/src/words/annotate/drm_probes.o: flags += -I$(O)/bpf
$(O)/src/words/annotate/%.o: flags += -I$(here)/bpf
$(O)/tests/unit/words/annotate/%.o $(O)/tests/fuzz/annotate%.o: flags += -I$(here)/bpf
$(O)/fuzz/src/words/annotate/%.o $(O)/fuzz/tests/fuzz/annotate%.o: flags += -I$(here)/bpf
