// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "guest/driver/driver.h"
#include "support/skips.h"

#ifdef TILESTEP_HAS_CUDA_HEADERS
// The driver's own names, without the macros that select their versions.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include <cstddef>
#include <type_traits>

namespace tilestep::guest::guest_driver_test {

/// Handles are void* and enumerations int in ours; kind and size must match.
template <class Ours, class Theirs>
constexpr bool isLike() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    return std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
  } else {
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
  }
}

template <class... P, class... Q>
constexpr bool haveOneShape(int (*)(P...), CUresult (*)(Q...)) {
  if constexpr (sizeof...(P) != sizeof...(Q))
    return false;
  else
    return (isLike<P, Q>() && ...);
}

#define DRIVER_FUNCTION(name, symbol, ...) \
  static_assert(haveOneShape(decltype(Driver::name){}, decltype(&symbol){}), #symbol);
#include "guest/driver/functions.def"
#undef DRIVER_FUNCTION

static_assert(sizeof(Box) == sizeof(CUDA_MEMCPY3D));
static_assert(offsetof(Box, from.pitch) == offsetof(CUDA_MEMCPY3D, srcPitch));
static_assert(offsetof(Box, to.kind) == offsetof(CUDA_MEMCPY3D, dstMemoryType));
static_assert(offsetof(Box, to.device) == offsetof(CUDA_MEMCPY3D, dstDevice));
static_assert(offsetof(Box, to.height) == offsetof(CUDA_MEMCPY3D, dstHeight));
static_assert(offsetof(Box, width) == offsetof(CUDA_MEMCPY3D, WidthInBytes));
static_assert(unsigned{Box::host} == CU_MEMORYTYPE_HOST);
static_assert(unsigned{Box::unified} == CU_MEMORYTYPE_UNIFIED);
static_assert(kPortableAndMapped == (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
static_assert(kAttachGlobal == CU_MEM_ATTACH_GLOBAL);
static_assert(kPointersMemory == CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
static_assert(kPointerIsManaged == CU_POINTER_ATTRIBUTE_IS_MANAGED);
static_assert(kPointersStart == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR);
static_assert(kPointersBytes == CU_POINTER_ATTRIBUTE_RANGE_SIZE);
static_assert(kFunctionsThreads == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(kFunctionsShared == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
static_assert(kFunctionsConstant == CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
static_assert(kFunctionsLocal == CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
static_assert(kFunctionsRegisters == CU_FUNC_ATTRIBUTE_NUM_REGS);

// Types that the runtime and the driver exchange unchanged.
enum Attribute {
#define CUDA_ATTRIBUTE(number, name) name = number,
#include "../assets/runtime/attributes.def"
#undef CUDA_ATTRIBUTE
};
static_assert(int{cudaDevAttrMaxThreadsPerBlock} == CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
static_assert(int{cudaDevAttrReservedSharedMemoryPerBlock} ==
              CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
enum Error {
#define CUDA_ERROR(number, name, text) name = number,
#include "../assets/runtime/errors.def"
#undef CUDA_ERROR
};
static_assert(int{cudaErrorInvalidValue} == CUDA_ERROR_INVALID_VALUE);
static_assert(int{cudaErrorNotReady} == CUDA_ERROR_NOT_READY);
static_assert(int{cudaErrorIllegalAddress} == CUDA_ERROR_ILLEGAL_ADDRESS);

TEST(GuestDriver, ItsPrototypesAreThoseOfTheToolkit) {
  SUCCEED() << "checked while compiling";
}

}  // namespace tilestep::guest::guest_driver_test
#else
TEST(GuestDriver, ItsPrototypesAreThoseOfTheToolkit) {
  GTEST_SKIP() << tilestep::support::because(tilestep::support::kNoToolkit,
                                             "cuda.h was not found when this was built");
}
#endif
