# Offshoot. `make demo` and `make test` do all the set-up on a fresh Debian 12; `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory
OUT := target/release
LIB := $(OUT)/lib/offshoot
PREFIX ?= /usr/local
JOBS ?= $(shell nproc)

MODELS := $(filter-out models/fuzzer_main.c,$(wildcard models/*.c))
MODEL_OBJECTS := $(patsubst models/%.c,$(LIB)/models/%.o,$(MODELS))
HEADERS := $(patsubst %,$(LIB)/%,$(shell find include -type f 2>/dev/null))
ARCHIVES := $(addprefix $(LIB)/liboffshoot_,runtime.a models.a counters.a counts.a profile.a served.a)
ARCHIVES += $(LIB)/liboffshoot_absent.so $(LIB)/liboffshoot_recorder.so
ifneq ($(wildcard models/fuzzer_main.c),)
ARCHIVES += $(LIB)/liboffshoot_fuzzer_main.a
endif

.PHONY: build
build: tool ## Build; the result is target/release/offshoot
	@$(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) resources

.PHONY: setup
setup: ## Install by apt what is missing; does nothing if all is there
	@scripts/setup.sh

.PHONY: demo
demo: setup ## Set up, build, and show what Offshoot does on a small program (examples/demo)
	@$(MAKE) build
	@examples/demo/demo.sh $(abspath $(OUT))

.PHONY: test
test: ## Set up, build, and run all tests
	@scripts/setup.sh --for-tests
	@$(MAKE) build
	@scripts/test.sh

.PHONY: test-real
test-real: setup ## Build Debian packages with offshoot-cc and run their own test suites
	@$(MAKE) build
	@tests/real/run

.PHONY: bench-engine
bench-engine: setup ## Measure the cost of instrumentation (docs/benchmarks.md)
	@$(MAKE) build
	@bench/engine/run

.PHONY: bench-solve
bench-solve: setup ## Measure queries against Z3 (docs/benchmarks.md)
	@$(MAKE) build
	cargo build --release --workspace --example queries --example generate
	@bench/solve/run

.PHONY: bench-check
bench-check: setup ## Plant errors in real programs and look for them (docs/check.md)
	@$(MAKE) build
	@bench/check/planted

.PHONY: bench-suite
bench-suite: setup ## Measure reduction and ranking on recorded suites (docs/reduction.md)
	@$(MAKE) build
	@bench/suite/reduction

.PHONY: bench-explore
bench-explore: setup ## Measure iterations, and coverage beside AFL++'s (docs/benchmarks.md)
	@$(MAKE) build
	@bench/explore/run
	@bench/explore/sixty

.PHONY: libc-table
libc-table: build ## Write docs/libc.md anew
	@scripts/libc-table.sh

.PHONY: install
install: ## Copy what `make build` made to PREFIX (default /usr/local)
	@test -x $(OUT)/offshoot || { echo 'nothing to install yet; run: make build' >&2; exit 1; }
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/offshoot
	install -m 755 $(OUT)/offshoot $(DESTDIR)$(PREFIX)/bin/offshoot
	ln -sf offshoot $(DESTDIR)$(PREFIX)/bin/offshoot-cc
	ln -sf offshoot $(DESTDIR)$(PREFIX)/bin/offshoot-c++
	install -m 644 $(ARCHIVES) $(DESTDIR)$(PREFIX)/lib/offshoot
	@if [ -d $(LIB)/include ]; then cp -r $(LIB)/include $(DESTDIR)$(PREFIX)/lib/offshoot; fi

.PHONY: clean
clean: ## Remove everything that was built
	cargo clean

.PHONY: help
help: ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-14s %s\n", $$1, $$2 }'

.PHONY: tool
tool:
	@scripts/setup.sh --check
	cargo build --release --workspace
	@mkdir -p $(LIB)/models
	@test -L $(OUT)/offshoot-cc || ln -sf offshoot $(OUT)/offshoot-cc
	@test -L $(OUT)/offshoot-c++ || ln -sf offshoot $(OUT)/offshoot-c++

# What the compiler needs beside itself. Made by a second make, which sees what cargo has changed.
.PHONY: resources
resources: $(ARCHIVES) $(HEADERS)
	@:

# A program that defines a function itself (one of libc, or of a harness that we offer) brings its own wrapper. Both
# must win over ours: for each `__off_w_NAME`, it and NAME become weak.
$(LIB)/liboffshoot_runtime.a: $(OUT)/liboffshoot_runtime.a
	@echo '  run-time library'
	@llvm-nm-19 --defined-only --quiet $< | sed -n 's/^.* T __off_w_//p' > $@.names
	@llvm-objcopy-19 --strip-debug --wildcard --weaken-symbol='__off_w_*' --weaken-symbol=rust_eh_personality \
		--weaken-symbols=$@.names $< $@.new
	@rm $@.names
	@mv $@.new $@

# For instrumented shared libraries in programs that are not ours: nothing is traced, wrappers are the functions that they
# wrap, and nothing else is ever called. It has no name of its own, so that libraries find it where it lies.
$(LIB)/liboffshoot_absent.so: $(LIB)/liboffshoot_runtime.a scripts/absent.sh
	@echo '  stand-in for the run-time library'
	@scripts/absent.sh $< $@

# Loaded into every program of a recorded test suite: what it does not need would cost each of them.
$(LIB)/liboffshoot_recorder.so: $(OUT)/liboffshoot_recorder.so
	@echo '  recorder'
	@llvm-objcopy-19 --strip-all $< $@.new
	@mv $@.new $@

# The rlib changes with the compiler and all it is made of, and does not with the rest of the command line.
$(LIB)/models/%.o: models/%.c $(wildcard models/*.h) $(OUT)/liboffshoot_compile.rlib
	@echo '  model $*'
	@OFFSHOOT_VERBOSE=1 $(OUT)/offshoot cc -foffshoot-libc-model -std=c11 -O2 -fPIC -c $< -o $@

# `main` for LLVMFuzzerTestOneInput: an ordinary program to us, so the wrappers must be there first.
$(LIB)/fuzzer_main.o: models/fuzzer_main.c $(LIB)/liboffshoot_runtime.a $(LIB)/liboffshoot_models.a
	@echo '  main for fuzz targets'
	@OFFSHOOT_VERBOSE=1 $(OUT)/offshoot cc -std=c11 -O2 -fPIC -c $< -o $@

$(LIB)/%.o: crates/runtime/counters/%.c
	@echo '  $*'
	@clang-19 -std=gnu11 -O2 -fPIC -Wall -Wextra -Werror -c $< -o $@

$(LIB)/liboffshoot_models.a: $(MODEL_OBJECTS)
$(LIB)/liboffshoot_fuzzer_main.a: $(LIB)/fuzzer_main.o
$(LIB)/liboffshoot_counters.a: $(LIB)/counters.o
$(LIB)/liboffshoot_counts.a: $(LIB)/counts.o
$(LIB)/liboffshoot_profile.a: $(LIB)/profile.o
$(LIB)/liboffshoot_served.a: $(LIB)/served.o
$(addprefix $(LIB)/liboffshoot_,models.a fuzzer_main.a counters.a counts.a profile.a served.a):
	@rm -f $@.new
	@llvm-ar-19 rcs $@.new $^
	@mv $@.new $@

$(LIB)/include/%: include/%
	@mkdir -p $(@D)
	@cp $< $@
