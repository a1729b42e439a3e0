# SPDX-License-Identifier: GPL-2.0
#
# A table of contents: each word is one script of scripts/grtrace/, which can
# be called by hand and explains itself with --help.

KERNEL	?= 7.3
BASE	?= 7.3
RECORDS	?= 100000000
ROUNDS	?= 1000
T	?= 600
SEEDS	?= 200
SAMPLE	?= 100

# As it is typed: a $ in it is the guest's, not make's.
override CMD := $(value CMD)
export CMD

help:
	@echo 'make demo [BASE=$(BASE)]            record a real GPU driver in a guest and report'
	@echo 'make test                       does it work here: tools, modules, the kernel part'
	@echo 'make quick                      what the change since the last green run touches: two minutes'
	@echo 'make test-all                   all that CI runs; PARTS="unit cli": only these'
	@echo 'make test-kernel                    of it, the patched kernel: its build, and what runs on it'
	@echo 'make test-debug                     the same on kernels with KASAN, lockdep, KCSAN: hours'
	@echo 'make soak [RECORDS=100000000]       writers, readers and storms for long; ROUNDS=1000 STORMS="..."'
	@echo 'make truth [SEEDS=200]              every figure against SQL, planted errors included'
	@echo 'make test-fleet                     rows of --fleet in DuckDB and in ClickHouse, which it fetches'
	@echo 'make mutants [SAMPLE=100]            changes of the code that no test sees: hours; OPTIONS="--room read"'
	@echo 'make faults                         plant known faults, of which a test has to see each; OPTIONS="k1 x1"'
	@echo 'make fuzz [T=600]                   whatever reads bytes or text, T seconds, sanitized'
	@echo 'make check                      static checks only'
	@echo 'make modules [KERNEL=$(KERNEL)]       the modules for a kernel: 6.12, 7.3, a build folder'
	@echo 'make deb [SUITE=trixie]             packages for Debian, in out/deb'
	@echo 'make kernel [BASE=$(BASE)]          the patched kernel, built and booted in a guest'
	@echo 'make series [V=2] [BASE=$(BASE)]    the patches as mails, in out/series; OPTIONS="--rfc --signoff"'
	@echo 'make bisect [BASE=$(BASE)]          does each patch build, do the main steps boot'
	@echo 'make bench [PARTS="icount uml"]   what recording costs, and what it costs elsewhere'
	@echo 'make bench-tools [PARTS="read jobs"]  what reading costs; OPTIONS=--quick'
	@echo 'make vm CMD=... [BASE=$(BASE)]      a shell command in a guest with our modules and tools'
	@echo 'make clean                      remove what was built in the checkout'

demo:
	@scripts/grtrace/demo.sh $(BASE)

test:
	@scripts/grtrace/test/test.sh $(PARTS)

quick:
	@scripts/grtrace/test/quick.sh

test-all:
	@scripts/grtrace/test/test.sh --all $(PARTS)

test-deb:
	@scripts/grtrace/package/deb.sh $(SUITE)

test-kernel:
	@scripts/grtrace/test/test.sh --kernel $(PARTS)

test-debug:
	@scripts/grtrace/test/test.sh --debug $(PARTS)

soak:
	@scripts/grtrace/test/soak.sh --records $(RECORDS) --rounds $(ROUNDS) --storms '$(STORMS)' $(BASE)

truth:
	@scripts/grtrace/deps.sh build test && scripts/grtrace/tools.sh truth truth-mutants SEEDS=$(SEEDS) $(FIRST:%=FIRST=%)

test-fleet:
	@scripts/grtrace/test/fleet.sh --fetch

mutants:
	@scripts/grtrace/test/mutants.sh --sample $(SAMPLE) $(OPTIONS)

faults:
	@scripts/grtrace/test/faults.sh $(OPTIONS)

fuzz:
	@scripts/grtrace/deps.sh build test && scripts/grtrace/tools.sh fuzz T=$(T)

check:
	@scripts/grtrace/check/check.sh

modules:
	@scripts/grtrace/kernel/modules.sh $(KERNEL) out/modules

deb:
	@scripts/grtrace/package/deb.sh $(SUITE)

kernel:
	@scripts/grtrace/kernel/intree.sh --boot $(BASE)

series:
	@scripts/grtrace/series/series.sh $(if $(V),-v $(V)) $(OPTIONS) $(BASE)

bisect:
	@scripts/grtrace/series/bisect.sh $(BASE)

bench:
	@scripts/grtrace/bench/bench.sh --base $(BASE) $(PARTS)

bench-tools:
	@scripts/grtrace/bench/bench_tools.sh --base $(BASE) $(OPTIONS) $(PARTS)

vm:
	@PATH="$$(scripts/grtrace/tools.sh):$$PATH" scripts/grtrace/guest/vm.sh --modules $(BASE) -- sh -c "$$CMD"

clean:
	@rm -rf out tools/grtrace/build

.PHONY: help demo test quick test-all test-kernel test-debug soak truth test-fleet mutants faults fuzz check modules deb kernel series bisect bench bench-tools vm clean
