// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The GPU's driver, opened at run time. The prototypes are ours; tests/gpu compares them with
/// cuda.h if the toolkit is installed.
namespace tilestep::guest {

/// CUDA_MEMCPY3D.
struct Box {
  enum Memory : unsigned { host = 1, device = 2, array = 3, unified = 4 };
  struct End {
    size_t x, y, z, level;
    Memory kind;
    const void* host;
    uint64_t device;
    void* array;
    void* reserved;
    size_t pitch, height;  ///< Bytes per row, and rows per slice.
  };
  End from, to;
  size_t width, height, depth;  ///< Bytes, rows, slices.
};

/// CUmemLocation, CUmemAllocationProp and CUmemAccessDesc.
struct Location {
  enum Kind : int { device = 1 } kind;
  int number;
};
struct AllocationKind {
  enum Type : int { pinned = 1 } type;
  int handles;  ///< For sharing with other processes; 0 for none.
  Location where;
  void* metadata;
  unsigned char flags[8];
};
struct Access {
  Location where;
  enum Flags : int { readAndWrite = 3 } flags;
};

/// All functions return a CUresult, whose values equal those of cudaError.
struct Driver {
#define DRIVER_FUNCTION(name, symbol, ...) int (*name)(__VA_ARGS__);
#include "guest/driver/functions.def"
#undef DRIVER_FUNCTION
};

/// Opens libcuda.so.1 and finds all functions. Returns null, or the reason of the failure.
const char* open(Driver& driver);

// CU_MEMHOSTALLOC_PORTABLE | _DEVICEMAP, CU_MEM_ATTACH_GLOBAL, and CU_POINTER_ATTRIBUTE_….
constexpr unsigned kPortableAndMapped = 3, kAttachGlobal = 1;
constexpr int kPointersMemory = 2, kPointerIsManaged = 8, kPointersStart = 11, kPointersBytes = 12;
// CU_FUNC_ATTRIBUTE_…
constexpr int kFunctionsThreads = 0, kFunctionsShared = 1, kFunctionsConstant = 2,
              kFunctionsLocal = 3, kFunctionsRegisters = 4;

}  // namespace tilestep::guest
