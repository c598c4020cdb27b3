// SPDX-License-Identifier: Apache-2.0
#include "guest/connection.h"
#include "guest/errors.h"
#include "guest/functions.h"

using namespace tilestep::guest;

namespace {

/// The kernel, or null with the error that using it returns.
const Function* usable(const void* pointer, cudaError_t& error) {
  const Function* function = functionAt(pointer);
  error = static_cast<cudaError_t>(function == nullptr ? cudaErrorInvalidDeviceFunction
                                                       : function->error);
  return error == cudaSuccess ? function : nullptr;
}

cudaError_t occupancy(uint64_t& value, const void* pointer, uint32_t threads, uint64_t dynamicBytes,
                      uint32_t blocks, const void* where) {
  cudaError_t error;
  const Function* function = usable(pointer, error);
  if (function == nullptr) return keep(error);
  return keep(ask(Call::occupancy, where,
                  Occupancy{function->facts.number, threads, dynamicBytes, blocks}, value));
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
  cudaError_t error;
  const Function* known = usable(function, error);
  if (known == nullptr) return keep(error);
  const FunctionFacts& facts = known->facts;
  *attributes = {};
  attributes->sharedSizeBytes = facts.sharedBytes;
  attributes->constSizeBytes = facts.constantBytes;
  attributes->localSizeBytes = facts.localBytes;
  attributes->maxThreadsPerBlock = facts.mostThreads;
  attributes->numRegs = facts.registers;
  attributes->ptxVersion = attributes->binaryVersion = device().major * 10 + device().minor;
  attributes->maxDynamicSharedSizeBytes =
      static_cast<int>(device().sharedPerBlock - facts.sharedBytes);
  return cudaSuccess;
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
  cudaError_t error;
  const Function* known = usable(function, error);
  if (known == nullptr) return keep(error);
  return keep(
      ask(Call::attribute, CALLED_FROM, FunctionAttribute{known->facts.number, attribute, value}));
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
  cudaError_t error;
  usable(function, error);
  return keep(error);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
  cudaError_t error;
  usable(function, error);
  return keep(error);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                          int threads, size_t dynamicBytes) {
  uint64_t value = 0;
  const cudaError_t error =
      occupancy(value, function, static_cast<uint32_t>(threads), dynamicBytes, 0, CALLED_FROM);
  *blocks = static_cast<int>(value);
  return error;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int threads, size_t dynamicBytes,
                                                                   unsigned int) {
  uint64_t value = 0;
  const cudaError_t error =
      occupancy(value, function, static_cast<uint32_t>(threads), dynamicBytes, 0, CALLED_FROM);
  *blocks = static_cast<int>(value);
  return error;
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int threads) {
  uint64_t value = 0;
  const cudaError_t error = occupancy(value, function, static_cast<uint32_t>(threads), 0,
                                      static_cast<uint32_t>(blocks), CALLED_FROM);
  *bytes = value;
  return error;
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return keep(
      ask(Call::setLimit, CALLED_FROM, FunctionAttribute{0, limit, static_cast<int64_t>(value)}));
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  uint64_t found = 0;
  const int error = ask(Call::limit, CALLED_FROM, FunctionAttribute{0, limit, 0}, found);
  if (error == 0) *value = found;
  return keep(error);
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  uint64_t both[2] = {};
  const int error = ask(Call::memory, CALLED_FROM, Pointed{0}, both);
  *free = both[0];
  *total = both[1];
  return keep(error);
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  *attributes = {cudaMemoryTypeUnregistered, 0, nullptr, const_cast<void*>(pointer)};
  PointerFacts facts{};
  const int error =
      ask(Call::pointer, CALLED_FROM, Pointed{reinterpret_cast<uint64_t>(pointer)}, facts);
  // It is not a mistake to ask about memory that CUDA does not know.
  if (error == cudaErrorInvalidValue) return cudaSuccess;
  if (error != 0) return keep(error);
  attributes->devicePointer = const_cast<void*>(pointer);
  switch (facts.kind) {
    case MemoryKind::device:
      attributes->type = cudaMemoryTypeDevice;
      attributes->hostPointer = nullptr;
      break;
    case MemoryKind::pinned:
      attributes->type = cudaMemoryTypeHost;
      break;
    case MemoryKind::managed:
      attributes->type = cudaMemoryTypeManaged;
      break;
  }
  return cudaSuccess;
}

}  // extern "C"
