# SPDX-License-Identifier: GPL-2.0
#
# page: its files become one source. The scripts in their order.

MADE_SRCS	+= words/page/page_text

page		:= $(here)/src/words/page
PAGE_SCRIPTS	:= \
	data.js \
	captures.js \
	view.js \
	paint.js \
	density.js \
	lanes.js \
	waits.js \
	arrows.js \
	timeline.js \
	overview.js \
	search.js \
	details.js \
	tables.js \
	delays.js \
	findings.js \
	range.js \
	page.js \

page_text	:= $(O)/src/words/page/page_text.cpp

$(page_text): $(wildcard $(page)/*.js $(page)/*.css $(page)/*.html $(page)/*.sh) \
	      $(page)/room.mk
	@mkdir -p $(@D)
	sh $(page)/embed.sh $(PAGE_SCRIPTS) > $@.part
	mv $@.part $@

$(O)/src/words/page/page_text.o: $(page_text)
	$(CXX) $(flags) $(CXXFLAGS) -c -o $@ $<

$(O)/fuzz/src/words/page/page_text.o: $(page_text)
	@mkdir -p $(@D)
	$(CLANG) $(flags) $(fuzz_flags) -c -o $@ $<
