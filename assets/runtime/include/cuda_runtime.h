// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime for C++: cuda_runtime_api.h, and typed overloads (CUDA Runtime API, "C++ API
// Routines").
#pragma once

#include "cuda_runtime_api.h"

#define __CUDA_RUNTIME_H__

// Calls of these functions count as calls in the caller's line.
#ifdef __clang__
#define TILESTEP_HOST static inline __attribute__((always_inline, nodebug))
#else
#define TILESTEP_HOST static inline
#endif

static inline cudaPitchedPtr make_cudaPitchedPtr(void* memory, size_t pitch, size_t xsize,
                                                 size_t ysize) {
  return {memory, pitch, xsize, ysize};
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return {x, y, z};
}

// Memory.
template <class T>
TILESTEP_HOST cudaError_t cudaMalloc(T** memory, size_t bytes) {
  return cudaMalloc((void**)memory, bytes);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMallocHost(T** memory, size_t bytes, unsigned int flags = 0) {
  return cudaHostAlloc((void**)memory, bytes, flags);
}
template <class T>
TILESTEP_HOST cudaError_t cudaHostAlloc(T** memory, size_t bytes, unsigned int flags) {
  return cudaHostAlloc((void**)memory, bytes, flags);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMallocManaged(T** memory, size_t bytes,
                                            unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void**)memory, bytes, flags);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMallocPitch(T** memory, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch((void**)memory, pitch, width, height);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMallocAsync(T** memory, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void**)memory, bytes, stream);
}
template <class T>
TILESTEP_HOST cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer((void**)device, host, flags);
}
template <class T>
TILESTEP_HOST cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* memory, size_t bytes = 0,
                                                   unsigned int flags = cudaMemAttachSingle) {
  return cudaStreamAttachMemAsync(stream, (void*)memory, bytes, flags);
}

// The overloads of CUDA 13.
TILESTEP_HOST cudaError_t cudaMemPrefetchAsync(const void* memory, size_t bytes,
                                               cudaMemLocation place, unsigned int,
                                               cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(memory, bytes, place.id, stream);
}
TILESTEP_HOST cudaError_t cudaMemAdvise(const void* memory, size_t bytes, cudaMemoryAdvise advice,
                                        cudaMemLocation place) {
  return cudaMemAdvise(memory, bytes, advice, place.id);
}

// Variables of the device.
template <class T>
TILESTEP_HOST cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes,
                                             size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol((const void*)&symbol, from, bytes, offset, kind);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes,
                                                  size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                  cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync((const void*)&symbol, from, bytes, offset, kind, stream);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, (const void*)&symbol, bytes, offset, kind);
}
template <class T>
TILESTEP_HOST cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                    cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, (const void*)&symbol, bytes, offset, kind, stream);
}
template <class T>
TILESTEP_HOST cudaError_t cudaGetSymbolAddress(void** device, const T& symbol) {
  return cudaGetSymbolAddress(device, (const void*)&symbol);
}
template <class T>
TILESTEP_HOST cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, (const void*)&symbol);
}

// Events.
TILESTEP_HOST cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

// Launches.
template <class T>
TILESTEP_HOST cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                           size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)function, grid, block, arguments, sharedBytes, stream);
}
template <class T>
TILESTEP_HOST cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block,
                                                      void** arguments, size_t sharedBytes = 0,
                                                      cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)function, grid, block, arguments, sharedBytes,
                                     stream);
}
template <class T>
TILESTEP_HOST cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache config) {
  return cudaFuncSetCacheConfig((const void*)function, config);
}
template <class T>
TILESTEP_HOST cudaError_t cudaFuncSetSharedMemConfig(T* function, cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig((const void*)function, config);
}
template <class T>
TILESTEP_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return cudaFuncGetAttributes(attributes, (const void*)function);
}
template <class T>
TILESTEP_HOST cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute,
                                               int value) {
  return cudaFuncSetAttribute((const void*)function, attribute, value);
}
template <class T>
TILESTEP_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function,
                                                                        int threads,
                                                                        size_t dynamicBytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void*)function, threads,
                                                       dynamicBytes);
}
template <class T>
TILESTEP_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, T function, int threads, size_t dynamicBytes, unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void*)function,
                                                                threads, dynamicBytes, flags);
}
template <class T>
TILESTEP_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, T function,
                                                                    int blocks, int threads) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)function, blocks, threads);
}

// The block size with the most resident threads per multiprocessor (the largest if several are
// equal), and the smallest number of blocks that fills the device. `bytesOf` returns the dynamic
// shared bytes of a block, given its number of threads.
template <class BytesOf, class T>
TILESTEP_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* leastGrid,
                                                                         int* threads, T function,
                                                                         BytesOf bytesOf,
                                                                         int mostThreads = 0) {
  int device = 0, multiprocessors = 0, most = 0, warp = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, function);
  if (error != cudaSuccess) return error;
  if (attributes.maxThreadsPerBlock < most) most = attributes.maxThreadsPerBlock;
  if (mostThreads > 0 && mostThreads < most) most = mostThreads;
  int best = 0, bestThreads = 0, bestBlocks = 0;
  for (int tried = (most + warp - 1) / warp * warp; tried > 0; tried -= warp) {
    const int size = tried < most ? tried : most;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size, bytesOf(size));
    if (error != cudaSuccess) return error;
    if (blocks * size > best) best = blocks * size, bestThreads = size, bestBlocks = blocks;
  }
  *leastGrid = bestBlocks * multiprocessors;
  *threads = bestThreads;
  return cudaSuccess;
}
template <class T>
TILESTEP_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int* leastGrid, int* threads,
                                                             T function, size_t dynamicBytes = 0,
                                                             int mostThreads = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      leastGrid, threads, function, [dynamicBytes](int) { return dynamicBytes; }, mostThreads);
}
