/* The entry that libFuzzer calls, and replay.c where there is none. */
#ifndef SONDE_TESTS_FUZZ_READER_H
#define SONDE_TESTS_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data,
                                                                  size_t size);

#endif
