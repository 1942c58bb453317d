#!/bin/sh
# CMake includes the variables.
. "$(dirname "$0")/lib.sh"
needs cmake cmake
plant three-level
export_to cmake "$scratch/machine.cmake"
cat >"$scratch/check.cmake" <<'C'
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
if(NOT SONDE_L1D_SIZE EQUAL 32768 OR NOT SONDE_L1D_SIZE_ORIGIN STREQUAL "measured")
  message(FATAL_ERROR "l1d: ${SONDE_L1D_SIZE} ${SONDE_L1D_SIZE_ORIGIN}")
endif()
if(NOT SONDE_L3_SIZE_ORIGIN STREQUAL "declared")
  message(FATAL_ERROR "l3: ${SONDE_L3_SIZE_ORIGIN}")
endif()
if(DEFINED SONDE_TLB_L2_ENTRIES)
  message(FATAL_ERROR "what was not measured must be absent")
endif()
C
cmake -P "$scratch/check.cmake" || fail "cmake does not agree"
