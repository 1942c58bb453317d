# A small front; Meson and Ninja do the work. Each target installs what is missing.
BUILD ?= build
ARGS ?=

.PHONY: build run test check bench score fuzz deb clean deps-build deps-test deps-deb

build: deps-build $(BUILD)/build.ninja
	@ninja -C $(BUILD) src/cli/sonde
	@cp -f $(BUILD)/src/cli/sonde $(BUILD)/sonde

$(BUILD)/build.ninja:
	meson setup $(BUILD)

run: build
	@$(BUILD)/sonde run $(ARGS)

test: deps-test build
	@tools/test

check: deps-test
	@tools/check

# Measures, judges nothing: on a quiet machine, with nothing compiling beside it.
bench: build
	@ninja -C $(BUILD) bench/neighbour bench/share bench/stream
	@bench/repeat-ladder $(BUILD) $(RUNS)
	@bench/peers $(BUILD) $(or $(ROUNDS),3) $(CELLS)

# The inference on published curves with known truth, where the collection is there.
score: build
	@ninja -C $(BUILD) tests/curves/score
	@$(BUILD)/tests/curves/score ../shared/curves

# Debian packages in build-deb/, judged by lintian.
deb: deps-deb
	@tools/make-deb
# Every reader under libFuzzer, SECONDS each (clang).
fuzz: deps-build
	@tools/fuzz $(SECONDS)

clean:
	rm -rf build build-*

deps-build:
	@tools/install-deps build

deps-test:
	@tools/install-deps test

deps-deb:
	@tools/install-deps deb
