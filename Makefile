# A small front; Meson and Ninja do the work. Each target installs what is missing.
BUILD ?= build
ARGS ?=

.PHONY: build run test check bench score clean deps-build deps-test

build: deps-build $(BUILD)/build.ninja
	@ninja -C $(BUILD) sonde
	@cp -f $(BUILD)/src/cli/sonde $(BUILD)/sonde

$(BUILD)/build.ninja:
	meson setup $(BUILD)

run: build
	@$(BUILD)/sonde run $(ARGS)

test: deps-test build
	@tools/test

check: deps-test
	@tools/check

clean:
	rm -rf build build-*

deps-build:
	@tools/install-deps build

deps-test:
	@tools/install-deps test
