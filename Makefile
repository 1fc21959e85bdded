# Offshoot. `make demo` and `make test` do all the set-up on a fresh Debian 12.
SHELL := /bin/bash
OUT := target/release
LIB := $(OUT)/lib/offshoot
export LLVM_SYS_191_PREFIX ?= $(shell llvm-config-19 --prefix 2>/dev/null)

MODELS := $(filter-out models/fuzzer_main.c,$(wildcard models/*.c))
MODEL_OBJECTS := $(patsubst models/%.c,$(LIB)/models/%.o,$(MODELS))

.PHONY: build
build: tool $(LIB)/liboffshoot_models.a $(LIB)/liboffshoot_runtime.a

.PHONY: tool
tool:
	cargo build --release --workspace
	@mkdir -p $(LIB)/models
	@ln -sf offshoot $(OUT)/offshoot-cc
	@ln -sf offshoot $(OUT)/offshoot-c++
	@if [ -d include ]; then rm -rf $(LIB)/include && cp -r include $(LIB)/include; fi

# A program that defines a libc function itself brings its own wrapper, which must win over ours.
$(LIB)/liboffshoot_runtime.a: $(OUT)/liboffshoot_runtime.a
	llvm-objcopy-19 --strip-debug --wildcard --weaken-symbol='__off_w_*' --weaken-symbol=rust_eh_personality $< $@.new
	mv $@.new $@

$(LIB)/models/%.o: models/%.c $(wildcard models/*.h) $(OUT)/offshoot $(LIB)/liboffshoot_runtime.a
	OFFSHOOT_VERBOSE=1 $(OUT)/offshoot cc -foffshoot-libc-model -std=c11 -O2 -fPIC -c $< -o $@

$(LIB)/liboffshoot_models.a: $(MODEL_OBJECTS)
	rm -f $@.new
	llvm-ar-19 rcs $@.new $^
	mv $@.new $@
