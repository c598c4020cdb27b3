// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of the CUDA driver API that Tilestep calls, as our own prototypes, so that a build
/// needs no toolkit and one binary starts anywhere. tests/gpu/cuda_api_test.cpp checks every type,
/// value and signature against cuda.h if the toolkit is installed.
namespace tilestep::cuda {

using ApiResult = int;
using DeviceOrdinal = int;
using DevicePointer = unsigned long long;
using ContextHandle = struct ContextTag*;
using ModuleHandle = struct ModuleTag*;
using FunctionHandle = struct FunctionTag*;
using StreamHandle = struct StreamTag*;
using EventHandle = struct EventTag*;
using GraphHandle = struct GraphTag*;
using GraphExecHandle = struct GraphExecTag*;

/// CUuuid, which identifies one GPU.
struct Uuid {
  char bytes[16];
};

constexpr ApiResult kSuccess = 0;
constexpr ApiResult kOutOfMemory = 2;
constexpr ApiResult kDeviceUnavailable = 46;
constexpr ApiResult kNoDevice = 100;
constexpr ApiResult kNoBinaryForGpu = 209;
constexpr ApiResult kEccUncorrectable = 214;
constexpr ApiResult kNvlinkUncorrectable = 220;
constexpr ApiResult kUnsupportedPtxVersion = 222;
constexpr ApiResult kNotReady = 600;
constexpr ApiResult kIllegalAddress = 700;
constexpr ApiResult kLaunchOutOfResources = 701;
constexpr ApiResult kLaunchTimeout = 702;
constexpr ApiResult kContextIsDestroyed = 709;
constexpr ApiResult kAssert = 710;
constexpr ApiResult kHardwareStackError = 714;
constexpr ApiResult kIllegalInstruction = 715;
constexpr ApiResult kMisalignedAddress = 716;
constexpr ApiResult kInvalidAddressSpace = 717;
constexpr ApiResult kInvalidPc = 718;
constexpr ApiResult kLaunchFailed = 719;
constexpr ApiResult kUnknown = 999;

/// CUdevice_attribute.
enum class Attribute : int {
  maxThreadsPerBlock = 1,
  maxBlockX = 2,
  maxBlockY = 3,
  maxBlockZ = 4,
  maxGridX = 5,
  maxGridY = 6,
  maxGridZ = 7,
  maxSharedPerBlock = 8,
  clockRateKhz = 13,
  multiprocessors = 16,
  pciBus = 33,
  pciDevice = 34,
  l2CacheBytes = 38,
  maxThreadsPerMultiprocessor = 39,
  pciDomain = 50,
  computeCapabilityMajor = 75,
  computeCapabilityMinor = 76,
  maxSharedPerMultiprocessor = 81,
  maxRegistersPerMultiprocessor = 82,
  maxSharedPerBlockOptIn = 97,
  maxBlocksPerMultiprocessor = 106,
  reservedSharedPerBlock = 111,
};

/// CUfunction_attribute.
enum class FunctionAttribute : int {
  maxThreadsPerBlock = 0,
  sharedBytes = 1,
  localBytes = 3,
  registers = 4,
  maxDynamicSharedBytes = 8,
};

/// CUjit_option.
enum class JitOption : int {
  infoLogBuffer = 3,
  infoLogBytes = 4,
  errorLogBuffer = 5,
  errorLogBytes = 6,
  logVerbose = 12,
};

/// CUmemLocation, for a GPU; CUmemAllocationProp; CUmemAccessDesc.
struct MemoryLocation {
  int kind = 1;  ///< CU_MEM_LOCATION_TYPE_DEVICE
  int number = 0;
};
struct MemoryKind {
  int type = 1;  ///< CU_MEM_ALLOCATION_TYPE_PINNED
  int handles = 0;
  MemoryLocation where;
  void* metadata = nullptr;
  unsigned char flags[8] = {};
};
struct MemoryAccess {
  MemoryLocation where;
  int flags = 3;  ///< CU_MEM_ACCESS_FLAGS_PROT_READWRITE
};

constexpr unsigned kEventDefault = 0;
constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kHostDeviceMap = 2;  ///< CU_MEMHOSTALLOC_DEVICEMAP

constexpr int kCaptureThreadLocal = 1;  ///< CU_STREAM_CAPTURE_MODE_THREAD_LOCAL

/// Every entry point, filled by Driver::open. Names are the driver's, without "cu" and without a
/// version suffix.
struct Api {
  ApiResult (*init)(unsigned flags);
  ApiResult (*driverGetVersion)(int* version);
  ApiResult (*getErrorName)(ApiResult error, const char** text);
  ApiResult (*getErrorString)(ApiResult error, const char** text);
  ApiResult (*deviceGetCount)(int* count);
  ApiResult (*deviceGet)(DeviceOrdinal* device, int ordinal);
  ApiResult (*deviceGetName)(char* name, int bytes, DeviceOrdinal device);
  ApiResult (*deviceGetAttribute)(int* value, Attribute attribute, DeviceOrdinal device);
  ApiResult (*deviceTotalMem)(size_t* bytes, DeviceOrdinal device);
  ApiResult (*deviceGetPciBusId)(char* id, int bytes, DeviceOrdinal device);
  /// Null if the driver has only a later version.
  ApiResult (*deviceGetUuid)(Uuid* uuid, DeviceOrdinal device);
  /// cuCtxCreate_v2, which every driver has; newer headers declare only a later version.
  ApiResult (*ctxCreate)(ContextHandle* context, unsigned flags, DeviceOrdinal device);
  ApiResult (*ctxDestroy)(ContextHandle context);
  ApiResult (*ctxSetCurrent)(ContextHandle context);
  ApiResult (*ctxSynchronize)();
  ApiResult (*memGetInfo)(size_t* freeBytes, size_t* bytes);
  ApiResult (*memAlloc)(DevicePointer* pointer, size_t bytes);
  ApiResult (*memFree)(DevicePointer pointer);
  ApiResult (*memHostAlloc)(void** pointer, size_t bytes, unsigned flags);
  ApiResult (*memFreeHost)(void* pointer);
  ApiResult (*memHostGetDevicePointer)(DevicePointer* pointer, void* host, unsigned flags);
  ApiResult (*memcpyHtoD)(DevicePointer to, const void* from, size_t bytes);
  ApiResult (*memcpyDtoH)(void* to, DevicePointer from, size_t bytes);
  ApiResult (*memcpyDtoDAsync)(DevicePointer to, DevicePointer from, size_t bytes,
                               StreamHandle stream);
  ApiResult (*memsetD8Async)(DevicePointer to, unsigned char value, size_t bytes,
                             StreamHandle stream);
  // Null before CUDA 10.2; memory then cannot be placed at a given address.
  ApiResult (*memAddressReserve)(DevicePointer* pointer, size_t bytes, size_t alignment,
                                 DevicePointer wanted, unsigned long long flags);
  ApiResult (*memAddressFree)(DevicePointer pointer, size_t bytes);
  ApiResult (*memCreate)(unsigned long long* memory, size_t bytes, const MemoryKind* kind,
                         unsigned long long flags);
  ApiResult (*memRelease)(unsigned long long memory);
  ApiResult (*memMap)(DevicePointer at, size_t bytes, size_t offset, unsigned long long memory,
                      unsigned long long flags);
  ApiResult (*memUnmap)(DevicePointer at, size_t bytes);
  ApiResult (*memSetAccess)(DevicePointer at, size_t bytes, const MemoryAccess* access,
                            size_t count);
  ApiResult (*memGranularity)(size_t* bytes, const MemoryKind* kind, int option);
  ApiResult (*moduleLoadDataEx)(ModuleHandle* module, const void* image, unsigned options,
                                JitOption* names, void** values);
  ApiResult (*moduleUnload)(ModuleHandle module);
  ApiResult (*moduleGetFunction)(FunctionHandle* function, ModuleHandle module, const char* name);
  ApiResult (*moduleGetGlobal)(DevicePointer* pointer, size_t* bytes, ModuleHandle module,
                               const char* name);
  ApiResult (*funcGetAttribute)(int* value, FunctionAttribute attribute, FunctionHandle function);
  ApiResult (*funcSetAttribute)(FunctionHandle function, FunctionAttribute attribute, int value);
  ApiResult (*occupancyBlocks)(int* blocks, FunctionHandle function, int threads,
                               size_t dynamicSharedBytes);
  ApiResult (*launchKernel)(FunctionHandle function, unsigned gridX, unsigned gridY, unsigned gridZ,
                            unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                            StreamHandle stream, void** parameters, void** extra);
  ApiResult (*launchCooperativeKernel)(FunctionHandle function, unsigned gridX, unsigned gridY,
                                       unsigned gridZ, unsigned blockX, unsigned blockY,
                                       unsigned blockZ, unsigned sharedBytes, StreamHandle stream,
                                       void** parameters);
  ApiResult (*streamCreate)(StreamHandle* stream, unsigned flags);
  ApiResult (*streamDestroy)(StreamHandle stream);
  ApiResult (*streamSynchronize)(StreamHandle stream);
  // Null before CUDA 11.4; launches are then not replayed as graphs.
  ApiResult (*streamBeginCapture)(StreamHandle stream, int mode);
  ApiResult (*streamEndCapture)(StreamHandle stream, GraphHandle* graph);
  ApiResult (*graphInstantiate)(GraphExecHandle* exec, GraphHandle graph, unsigned long long flags);
  ApiResult (*graphUpload)(GraphExecHandle exec, StreamHandle stream);
  ApiResult (*graphLaunch)(GraphExecHandle exec, StreamHandle stream);
  ApiResult (*graphExecDestroy)(GraphExecHandle exec);
  ApiResult (*graphDestroy)(GraphHandle graph);
  ApiResult (*eventCreate)(EventHandle* event, unsigned flags);
  ApiResult (*eventDestroy)(EventHandle event);
  ApiResult (*eventRecord)(EventHandle event, StreamHandle stream);
  ApiResult (*eventQuery)(EventHandle event);
  ApiResult (*eventElapsedTime)(float* milliseconds, EventHandle start, EventHandle end);
};

}  // namespace tilestep::cuda
