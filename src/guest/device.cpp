// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "guest/connection.h"
#include "guest/errors.h"
#include "guest/functions.h"

using namespace tilestep::guest;

namespace {

constexpr int kVersion = 12000;

cudaError_t checked(int device) {
  if (!isServed()) return keep(cudaErrorNoDevice);
  return device == 0 ? cudaSuccess : keep(cudaErrorInvalidDevice);
}

void describe(cudaDeviceProp& to) {
  const DeviceFacts& facts = device();
  to = {};
  std::memcpy(to.name, facts.name, sizeof to.name);
  to.totalGlobalMem = facts.globalBytes;
  to.sharedMemPerBlock = facts.sharedPerBlock;
  to.sharedMemPerBlockOptin = facts.sharedPerBlockOptin;
  to.sharedMemPerMultiprocessor = facts.sharedPerMultiprocessor;
  to.reservedSharedMemPerBlock = facts.sharedReserved;
  to.regsPerBlock = facts.registersPerBlock;
  to.regsPerMultiprocessor = facts.registersPerMultiprocessor;
  to.warpSize = 32;
  to.memPitch = 0x7fffffff;
  to.maxThreadsPerBlock = facts.threadsPerBlock;
  to.maxThreadsDim[0] = to.maxThreadsDim[1] = 1024;
  to.maxThreadsDim[2] = 64;
  to.maxGridSize[0] = 0x7fffffff;
  to.maxGridSize[1] = to.maxGridSize[2] = 65535;
  to.clockRate = facts.clockKhz;
  to.memoryClockRate = facts.memoryClockKhz;
  to.memoryBusWidth = facts.busBits;
  to.totalConstMem = facts.constantBytes;
  to.major = facts.major;
  to.minor = facts.minor;
  to.textureAlignment = 512;
  to.texturePitchAlignment = 32;
  to.surfaceAlignment = 512;
  to.deviceOverlap = to.concurrentKernels = 1;
  to.asyncEngineCount = 2;
  to.multiProcessorCount = facts.multiprocessors;
  to.canMapHostMemory = to.unifiedAddressing = to.managedMemory = 1;
  to.concurrentManagedAccess = to.computePreemptionSupported = 1;
  to.streamPrioritiesSupported = to.globalL1CacheSupported = to.localL1CacheSupported = 1;
  to.l2CacheSize = static_cast<int>(facts.l2Bytes);
  to.maxThreadsPerMultiProcessor = facts.threadsPerMultiprocessor;
  to.maxBlocksPerMultiProcessor = facts.blocksPerMultiprocessor;
  to.singleToDoublePrecisionPerfRatio = facts.singleToDouble;
  to.cooperativeLaunch = 1;
}

/// False if describe() does not set the attribute, which is then 0.
bool attributeOf(const cudaDeviceProp& of, cudaDeviceAttr attribute, int& value) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      value = of.maxThreadsPerBlock;
      return true;
    case cudaDevAttrMaxBlockDimX:
      value = of.maxThreadsDim[0];
      return true;
    case cudaDevAttrMaxBlockDimY:
      value = of.maxThreadsDim[1];
      return true;
    case cudaDevAttrMaxBlockDimZ:
      value = of.maxThreadsDim[2];
      return true;
    case cudaDevAttrMaxGridDimX:
      value = of.maxGridSize[0];
      return true;
    case cudaDevAttrMaxGridDimY:
      value = of.maxGridSize[1];
      return true;
    case cudaDevAttrMaxGridDimZ:
      value = of.maxGridSize[2];
      return true;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      value = static_cast<int>(of.sharedMemPerBlock);
      return true;
    case cudaDevAttrTotalConstantMemory:
      value = static_cast<int>(of.totalConstMem);
      return true;
    case cudaDevAttrWarpSize:
      value = of.warpSize;
      return true;
    case cudaDevAttrMaxPitch:
      value = static_cast<int>(of.memPitch);
      return true;
    case cudaDevAttrMaxRegistersPerBlock:
      value = of.regsPerBlock;
      return true;
    case cudaDevAttrClockRate:
      value = of.clockRate;
      return true;
    case cudaDevAttrTextureAlignment:
      value = static_cast<int>(of.textureAlignment);
      return true;
    case cudaDevAttrGpuOverlap:
      value = of.deviceOverlap;
      return true;
    case cudaDevAttrMultiProcessorCount:
      value = of.multiProcessorCount;
      return true;
    case cudaDevAttrCanMapHostMemory:
      value = of.canMapHostMemory;
      return true;
    case cudaDevAttrConcurrentKernels:
      value = of.concurrentKernels;
      return true;
    case cudaDevAttrMemoryClockRate:
      value = of.memoryClockRate;
      return true;
    case cudaDevAttrGlobalMemoryBusWidth:
      value = of.memoryBusWidth;
      return true;
    case cudaDevAttrL2CacheSize:
      value = of.l2CacheSize;
      return true;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      value = of.maxThreadsPerMultiProcessor;
      return true;
    case cudaDevAttrAsyncEngineCount:
      value = of.asyncEngineCount;
      return true;
    case cudaDevAttrUnifiedAddressing:
      value = of.unifiedAddressing;
      return true;
    case cudaDevAttrTexturePitchAlignment:
      value = static_cast<int>(of.texturePitchAlignment);
      return true;
    case cudaDevAttrComputeCapabilityMajor:
      value = of.major;
      return true;
    case cudaDevAttrComputeCapabilityMinor:
      value = of.minor;
      return true;
    case cudaDevAttrStreamPrioritiesSupported:
      value = of.streamPrioritiesSupported;
      return true;
    case cudaDevAttrGlobalL1CacheSupported:
      value = of.globalL1CacheSupported;
      return true;
    case cudaDevAttrLocalL1CacheSupported:
      value = of.localL1CacheSupported;
      return true;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
      value = static_cast<int>(of.sharedMemPerMultiprocessor);
      return true;
    case cudaDevAttrMaxRegistersPerMultiprocessor:
      value = of.regsPerMultiprocessor;
      return true;
    case cudaDevAttrManagedMemory:
      value = of.managedMemory;
      return true;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      value = of.singleToDoublePrecisionPerfRatio;
      return true;
    case cudaDevAttrConcurrentManagedAccess:
      value = of.concurrentManagedAccess;
      return true;
    case cudaDevAttrComputePreemptionSupported:
      value = of.computePreemptionSupported;
      return true;
    case cudaDevAttrCooperativeLaunch:
      value = of.cooperativeLaunch;
      return true;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      value = static_cast<int>(of.sharedMemPerBlockOptin);
      return true;
    case cudaDevAttrHostRegisterSupported:
      value = 1;
      return true;
    case cudaDevAttrMaxBlocksPerMultiprocessor:
      value = of.maxBlocksPerMultiProcessor;
      return true;
    case cudaDevAttrReservedSharedMemoryPerBlock:
      value = static_cast<int>(of.reservedSharedMemPerBlock);
      return true;
    default:
      value = 0;
      return attribute > 0 && attribute < 150;
  }
}

cudaError_t wait(const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  return keep(ask(Call::note, where, Noted{Note::waitedForDevice, 0}));
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

cudaError_t cudaDeviceSynchronize() {
  return wait(CALLED_FROM);
}
cudaError_t cudaThreadSynchronize() {
  return wait(CALLED_FROM);
}
cudaError_t cudaDeviceReset() {
  return keep(ask(Call::note, CALLED_FROM, Noted{Note::resetDevice, 0}));
}
cudaError_t cudaThreadExit() {
  return keep(ask(Call::note, CALLED_FROM, Noted{Note::resetDevice, 0}));
}
cudaError_t cudaGetDeviceCount(int* count) {
  *count = isServed() ? 1 : 0;
  return isServed() ? cudaSuccess : keep(cudaErrorNoDevice);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  const cudaError_t error = checked(device);
  if (error == cudaSuccess) describe(*properties);
  return error;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const cudaError_t error = checked(device);
  if (error != cudaSuccess) return error;
  cudaDeviceProp properties;
  describe(properties);
  return attributeOf(properties, attribute, *value) ? cudaSuccess : keep(cudaErrorInvalidValue);
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) {
  *device = 0;
  return checked(0);
}
cudaError_t cudaSetDevice(int device) {
  return checked(device);
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
  return checked(device);
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return checked(0);
}
cudaError_t cudaSetValidDevices(int*, int) {
  return checked(0);
}
cudaError_t cudaSetDeviceFlags(unsigned int) {
  return checked(0);
}
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  *flags = cudaDeviceScheduleAuto | cudaDeviceMapHost;
  return checked(0);
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = kVersion;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* place, int bytes, int device) {
  const cudaError_t error = checked(device);
  if (error == cudaSuccess) std::snprintf(place, static_cast<size_t>(bytes), "0000:00:00.0");
  return error;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char*) {
  *device = 0;
  return checked(0);
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return cudaSuccess;
}
// There is only one device, so no other device can be a peer.
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
  return keep(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
  return keep(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  *value = 0;
  return keep(cudaErrorInvalidDevice);
}
cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

}  // extern "C"
