// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/cuda_api.h"

#include <gtest/gtest.h>

#include "support/skips.h"

#ifdef TILESTEP_HAS_CUDA_HEADERS
#include <cuda.h>

#include <type_traits>

namespace tilestep::cuda::cuda_api_test {

/// The driver's opaque handles and enums may differ from ours in name, but not in kind and size.
template <class Ours, class Theirs>
constexpr bool isLike() {
  if constexpr (std::is_pointer_v<Ours> || std::is_pointer_v<Theirs>) {
    return std::is_pointer_v<Ours> == std::is_pointer_v<Theirs>;
  } else {
    return sizeof(Ours) == sizeof(Theirs) &&
           std::is_floating_point_v<Ours> == std::is_floating_point_v<Theirs>;
  }
}

template <class Ours, class Theirs>
struct SameShape : std::false_type {};
template <class R, class... P, class S, class... Q>
struct SameShape<R (*)(P...), S (*)(Q...)> {
  static constexpr bool compare() {
    if constexpr (sizeof...(P) != sizeof...(Q)) {
      return false;
    } else {
      return isLike<R, S>() && (isLike<P, Q>() && ...);
    }
  }
  static constexpr bool value = compare();
};

template <auto Ours, class Theirs>
struct Check;
template <class F, F Api::*Member, class Theirs>
struct Check<Member, Theirs> {
  static constexpr bool value = SameShape<F, Theirs>::value;
};

static_assert(Check<&Api::init, decltype(&cuInit)>::value);
static_assert(Check<&Api::driverGetVersion, decltype(&cuDriverGetVersion)>::value);
static_assert(Check<&Api::getErrorName, decltype(&cuGetErrorName)>::value);
static_assert(Check<&Api::getErrorString, decltype(&cuGetErrorString)>::value);
static_assert(Check<&Api::deviceGetCount, decltype(&cuDeviceGetCount)>::value);
static_assert(Check<&Api::deviceGet, decltype(&cuDeviceGet)>::value);
static_assert(Check<&Api::deviceGetName, decltype(&cuDeviceGetName)>::value);
static_assert(Check<&Api::deviceGetAttribute, decltype(&cuDeviceGetAttribute)>::value);
static_assert(Check<&Api::deviceTotalMem, decltype(&cuDeviceTotalMem)>::value);
static_assert(Check<&Api::ctxDestroy, decltype(&cuCtxDestroy)>::value);
static_assert(Check<&Api::ctxSetCurrent, decltype(&cuCtxSetCurrent)>::value);
static_assert(Check<&Api::ctxSynchronize, decltype(&cuCtxSynchronize)>::value);
static_assert(Check<&Api::deviceGetUuid, decltype(&cuDeviceGetUuid)>::value);
static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(Check<&Api::memGetInfo, decltype(&cuMemGetInfo)>::value);
static_assert(Check<&Api::memAlloc, decltype(&cuMemAlloc)>::value);
static_assert(Check<&Api::memAddressReserve, decltype(&cuMemAddressReserve)>::value);
static_assert(Check<&Api::memAddressFree, decltype(&cuMemAddressFree)>::value);
static_assert(Check<&Api::memCreate, decltype(&cuMemCreate)>::value);
static_assert(Check<&Api::memRelease, decltype(&cuMemRelease)>::value);
static_assert(Check<&Api::memMap, decltype(&cuMemMap)>::value);
static_assert(Check<&Api::memUnmap, decltype(&cuMemUnmap)>::value);
static_assert(Check<&Api::memSetAccess, decltype(&cuMemSetAccess)>::value);
static_assert(Check<&Api::memGranularity, decltype(&cuMemGetAllocationGranularity)>::value);
static_assert(sizeof(MemoryKind) == sizeof(CUmemAllocationProp));
static_assert(sizeof(MemoryAccess) == sizeof(CUmemAccessDesc));
static_assert(Check<&Api::memFree, decltype(&cuMemFree)>::value);
static_assert(Check<&Api::deviceGetPciBusId, decltype(&cuDeviceGetPCIBusId)>::value);
static_assert(Check<&Api::memHostAlloc, decltype(&cuMemHostAlloc)>::value);
static_assert(Check<&Api::memFreeHost, decltype(&cuMemFreeHost)>::value);
static_assert(Check<&Api::memHostGetDevicePointer, decltype(&cuMemHostGetDevicePointer)>::value);
static_assert(
    Check<&Api::occupancyBlocks, decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor)>::value);
static_assert(Check<&Api::memcpyHtoD, decltype(&cuMemcpyHtoD)>::value);
static_assert(Check<&Api::memcpyDtoH, decltype(&cuMemcpyDtoH)>::value);
static_assert(Check<&Api::memcpyDtoDAsync, decltype(&cuMemcpyDtoDAsync)>::value);
static_assert(Check<&Api::memsetD8Async, decltype(&cuMemsetD8Async)>::value);
static_assert(Check<&Api::moduleLoadDataEx, decltype(&cuModuleLoadDataEx)>::value);
static_assert(Check<&Api::moduleUnload, decltype(&cuModuleUnload)>::value);
static_assert(Check<&Api::moduleGetFunction, decltype(&cuModuleGetFunction)>::value);
static_assert(Check<&Api::moduleGetGlobal, decltype(&cuModuleGetGlobal)>::value);
static_assert(Check<&Api::funcGetAttribute, decltype(&cuFuncGetAttribute)>::value);
static_assert(Check<&Api::funcSetAttribute, decltype(&cuFuncSetAttribute)>::value);
static_assert(Check<&Api::launchKernel, decltype(&cuLaunchKernel)>::value);
static_assert(Check<&Api::launchCooperativeKernel, decltype(&cuLaunchCooperativeKernel)>::value);
static_assert(Check<&Api::streamCreate, decltype(&cuStreamCreate)>::value);
static_assert(Check<&Api::streamDestroy, decltype(&cuStreamDestroy)>::value);
static_assert(Check<&Api::streamSynchronize, decltype(&cuStreamSynchronize)>::value);
static_assert(Check<&Api::streamBeginCapture, decltype(&cuStreamBeginCapture)>::value);
static_assert(Check<&Api::streamEndCapture, decltype(&cuStreamEndCapture)>::value);
static_assert(Check<&Api::graphInstantiate, decltype(&cuGraphInstantiateWithFlags)>::value);
static_assert(Check<&Api::graphUpload, decltype(&cuGraphUpload)>::value);
static_assert(Check<&Api::graphLaunch, decltype(&cuGraphLaunch)>::value);
static_assert(Check<&Api::graphExecDestroy, decltype(&cuGraphExecDestroy)>::value);
static_assert(Check<&Api::graphDestroy, decltype(&cuGraphDestroy)>::value);
static_assert(kCaptureThreadLocal == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
static_assert(Check<&Api::eventCreate, decltype(&cuEventCreate)>::value);
static_assert(Check<&Api::eventDestroy, decltype(&cuEventDestroy)>::value);
static_assert(Check<&Api::eventRecord, decltype(&cuEventRecord)>::value);
static_assert(Check<&Api::eventQuery, decltype(&cuEventQuery)>::value);
static_assert(Check<&Api::eventElapsedTime, decltype(&cuEventElapsedTime)>::value);

static_assert(kSuccess == CUDA_SUCCESS && kOutOfMemory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(kNotReady == CUDA_ERROR_NOT_READY);
static_assert(kIllegalAddress == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(kLaunchOutOfResources == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
static_assert(kLaunchTimeout == CUDA_ERROR_LAUNCH_TIMEOUT);
static_assert(kIllegalInstruction == CUDA_ERROR_ILLEGAL_INSTRUCTION);
static_assert(kMisalignedAddress == CUDA_ERROR_MISALIGNED_ADDRESS);
static_assert(kInvalidPc == CUDA_ERROR_INVALID_PC);
static_assert(kLaunchFailed == CUDA_ERROR_LAUNCH_FAILED);
static_assert(kDeviceUnavailable == CUDA_ERROR_DEVICE_UNAVAILABLE);
static_assert(kNoDevice == CUDA_ERROR_NO_DEVICE);
static_assert(kNoBinaryForGpu == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(kEccUncorrectable == CUDA_ERROR_ECC_UNCORRECTABLE);
static_assert(kNvlinkUncorrectable == CUDA_ERROR_NVLINK_UNCORRECTABLE);
static_assert(kUnsupportedPtxVersion == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(kContextIsDestroyed == CUDA_ERROR_CONTEXT_IS_DESTROYED);
static_assert(kAssert == CUDA_ERROR_ASSERT);
static_assert(kHardwareStackError == CUDA_ERROR_HARDWARE_STACK_ERROR);
static_assert(kInvalidAddressSpace == CUDA_ERROR_INVALID_ADDRESS_SPACE);
static_assert(kUnknown == CUDA_ERROR_UNKNOWN);
static_assert(kHostDeviceMap == CU_MEMHOSTALLOC_DEVICEMAP);
static_assert(kEventDefault == CU_EVENT_DEFAULT);
static_assert(kStreamNonBlocking == CU_STREAM_NON_BLOCKING);

constexpr bool is(Attribute ours, CUdevice_attribute theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(is(Attribute::maxThreadsPerBlock, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
static_assert(is(Attribute::pciBus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID));
static_assert(is(Attribute::pciDevice, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID));
static_assert(is(Attribute::pciDomain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID));
static_assert(is(Attribute::maxBlockX, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X));
static_assert(is(Attribute::maxBlockY, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y));
static_assert(is(Attribute::maxBlockZ, CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z));
static_assert(is(Attribute::maxGridX, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X));
static_assert(is(Attribute::maxGridY, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y));
static_assert(is(Attribute::maxGridZ, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z));
static_assert(is(Attribute::maxSharedPerBlock, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
static_assert(is(Attribute::clockRateKhz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE));
static_assert(is(Attribute::multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
static_assert(is(Attribute::l2CacheBytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
static_assert(is(Attribute::maxThreadsPerMultiprocessor,
                 CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR));
static_assert(is(Attribute::computeCapabilityMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
static_assert(is(Attribute::computeCapabilityMinor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
static_assert(is(Attribute::maxSharedPerMultiprocessor,
                 CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
static_assert(is(Attribute::maxRegistersPerMultiprocessor,
                 CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR));
static_assert(is(Attribute::maxSharedPerBlockOptIn,
                 CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
static_assert(is(Attribute::maxBlocksPerMultiprocessor,
                 CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR));
static_assert(is(Attribute::reservedSharedPerBlock,
                 CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK));

constexpr bool is(FunctionAttribute ours, CUfunction_attribute theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(is(FunctionAttribute::maxThreadsPerBlock, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK));
static_assert(is(FunctionAttribute::sharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
static_assert(is(FunctionAttribute::localBytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
static_assert(is(FunctionAttribute::registers, CU_FUNC_ATTRIBUTE_NUM_REGS));
static_assert(is(FunctionAttribute::maxDynamicSharedBytes,
                 CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));

constexpr bool is(JitOption ours, CUjit_option theirs) {
  return static_cast<int>(ours) == static_cast<int>(theirs);
}
static_assert(is(JitOption::infoLogBuffer, CU_JIT_INFO_LOG_BUFFER));
static_assert(is(JitOption::infoLogBytes, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES));
static_assert(is(JitOption::errorLogBuffer, CU_JIT_ERROR_LOG_BUFFER));
static_assert(is(JitOption::errorLogBytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
static_assert(is(JitOption::logVerbose, CU_JIT_LOG_VERBOSE));

TEST(CudaApi, EqualsCudaHeader) {
  SUCCEED() << "checked while compiling";
}

}  // namespace tilestep::cuda::cuda_api_test
#else
TEST(CudaApi, EqualsCudaHeader) {
  GTEST_SKIP() << tilestep::support::because(tilestep::support::kNoToolkit,
                                             "cuda.h was not found when this was built");
}
#endif
