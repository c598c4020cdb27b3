// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "guest/connection.h"
#include "guest/errors.h"
#include "guest/functions.h"

using namespace tilestep::guest;

namespace {

uint64_t numberOf(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}
uint64_t numberOf(cudaStream_t stream) {
  return reinterpret_cast<uint64_t>(stream);
}

cudaError_t allocate(void** memory, const Allocate& wanted, size_t* pitch, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (memory == nullptr) return keep(cudaErrorInvalidValue);
  Allocated got{};
  const int error = ask(Call::allocate, where, wanted, got);
  if (error != 0) return keep(error);
  *memory = reinterpret_cast<void*>(got.address);
  if (pitch != nullptr) *pitch = got.pitch;
  return cudaSuccess;
}

cudaError_t release(void* memory, MemoryKind kind, bool isAsync, cudaStream_t stream,
                    const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (memory == nullptr) return cudaSuccess;
  return keep(
      ask(Call::release, where, Release{numberOf(memory), kind, isAsync, numberOf(stream)}));
}

cudaError_t transfer(const Copy& copy, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault)
    return keep(cudaErrorInvalidMemcpyDirection);
  if (copy.width == 0 || copy.height == 0 || copy.depth == 0) return cudaSuccess;
  return keep(ask(Call::copy, where, copy));
}

Copy straight(const void* to, const void* from, size_t bytes, int kind) {
  Copy copy{};
  copy.to = numberOf(to);
  copy.from = numberOf(from);
  copy.width = bytes;
  copy.height = copy.depth = 1;
  copy.kind = kind;
  return copy;
}

Copy rows(const void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
          size_t height, int kind) {
  Copy copy = straight(to, from, width, kind);
  copy.height = height;
  copy.toPitch = toPitch;
  copy.fromPitch = fromPitch;
  return copy;
}

Copy inStream(Copy copy, cudaStream_t stream) {
  copy.isAsync = true;
  copy.stream = numberOf(stream);
  return copy;
}

uint64_t placeOf(const cudaPitchedPtr& memory, const cudaPos& at) {
  return numberOf(memory.ptr) + (at.z * memory.ysize + at.y) * memory.pitch + at.x;
}

Copy box(const cudaMemcpy3DParms& parms) {
  Copy copy{};
  copy.to = placeOf(parms.dstPtr, parms.dstPos);
  copy.from = placeOf(parms.srcPtr, parms.srcPos);
  copy.toPitch = parms.dstPtr.pitch;
  copy.fromPitch = parms.srcPtr.pitch;
  copy.toSlice = parms.dstPtr.pitch * parms.dstPtr.ysize;
  copy.fromSlice = parms.srcPtr.pitch * parms.srcPtr.ysize;
  copy.width = parms.extent.width;
  copy.height = parms.extent.height;
  copy.depth = parms.extent.depth;
  copy.kind = parms.kind;
  return copy;
}

cudaError_t fill(const Fill& fill, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (fill.width == 0 || fill.height == 0 || fill.depth == 0) return cudaSuccess;
  return keep(ask(Call::fill, where, fill));
}

Fill fillOf(void* memory, size_t pitch, size_t slice, int byte, cudaExtent extent) {
  return {numberOf(memory),
          pitch,
          slice,
          extent.width,
          extent.height,
          extent.depth,
          0,
          static_cast<uint32_t>(byte) & 0xff,
          false};
}

Fill inStream(Fill fill, cudaStream_t stream) {
  fill.isAsync = true;
  fill.stream = numberOf(stream);
  return fill;
}

cudaError_t refuse(cudaError_t error, uint64_t address, uint64_t bytes, uint64_t room,
                   const void* where) {
  ask(Call::refused, where, Refused{address, bytes, room, error, 0});
  return keep(error);
}

/// The address of a part of a variable. If the part does not fit, returns 0 and sets the error.
uint64_t pieceOf(const void* symbol, size_t offset, size_t bytes, const void* where,
                 cudaError_t& error) {
  const Variable* variable = variableAt(symbol);
  error = cudaSuccess;
  if (variable == nullptr)
    error = keep(cudaErrorInvalidSymbol);
  else if (offset > variable->bytes || bytes > variable->bytes - offset)
    error =
        refuse(cudaErrorInvalidValue, variable->address, offset + bytes, variable->bytes, where);
  return error == cudaSuccess ? variable->address + offset : 0;
}

/// Whether rows are longer than a pitch.
bool overlap(size_t toPitch, size_t fromPitch, size_t width) {
  return width > toPitch || width > fromPitch;
}
cudaError_t refuseRows(size_t toPitch, size_t fromPitch, size_t width, const void* where) {
  return refuse(cudaErrorInvalidPitchValue, 0, width, std::min(toPitch, fromPitch), where);
}

cudaError_t toSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, int kind,
                     const cudaStream_t* stream, const void* where) {
  cudaError_t error;
  const uint64_t to = pieceOf(symbol, offset, bytes, where, error);
  if (error != cudaSuccess) return error;
  const Copy copy = straight(reinterpret_cast<void*>(to), from, bytes, kind);
  return transfer(stream != nullptr ? inStream(copy, *stream) : copy, where);
}

cudaError_t fromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, int kind,
                       const cudaStream_t* stream, const void* where) {
  cudaError_t error;
  const uint64_t from = pieceOf(symbol, offset, bytes, where, error);
  if (error != cudaSuccess) return error;
  const Copy copy = straight(to, reinterpret_cast<void*>(from), bytes, kind);
  return transfer(stream != nullptr ? inStream(copy, *stream) : copy, where);
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return allocate(memory, {MemoryKind::device, false, bytes, 0, 0}, nullptr, CALLED_FROM);
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) {
  return allocate(memory, {MemoryKind::pinned, false, bytes, 0, 0}, nullptr, CALLED_FROM);
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned int) {
  return allocate(memory, {MemoryKind::pinned, false, bytes, 0, 0}, nullptr, CALLED_FROM);
}
cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned int) {
  return allocate(memory, {MemoryKind::managed, false, bytes, 0, 0}, nullptr, CALLED_FROM);
}
cudaError_t cudaMallocPitch(void** memory, size_t* pitch, size_t width, size_t height) {
  return allocate(memory, {MemoryKind::device, false, width, height, 0}, pitch, CALLED_FROM);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent) {
  const cudaError_t error = allocate(
      &memory->ptr, {MemoryKind::device, false, extent.width, extent.height * extent.depth, 0},
      &memory->pitch, CALLED_FROM);
  memory->xsize = extent.width;
  memory->ysize = extent.height;
  return error;
}
cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  return allocate(memory, {MemoryKind::device, true, bytes, 0, numberOf(stream)}, nullptr,
                  CALLED_FROM);
}
cudaError_t cudaFree(void* memory) {
  return release(memory, MemoryKind::device, false, nullptr, CALLED_FROM);
}
cudaError_t cudaFreeHost(void* memory) {
  return release(memory, MemoryKind::pinned, false, nullptr, CALLED_FROM);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  return release(memory, MemoryKind::device, true, stream, CALLED_FROM);
}

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return transfer(straight(to, from, bytes, kind), CALLED_FROM);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return transfer(inStream(straight(to, from, bytes, kind), stream), CALLED_FROM);
}
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
  return transfer(straight(to, from, bytes, cudaMemcpyDeviceToDevice), CALLED_FROM);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                cudaStream_t stream) {
  return transfer(inStream(straight(to, from, bytes, cudaMemcpyDeviceToDevice), stream),
                  CALLED_FROM);
}
cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  if (overlap(toPitch, fromPitch, width)) return refuseRows(toPitch, fromPitch, width, CALLED_FROM);
  return transfer(rows(to, toPitch, from, fromPitch, width, height, kind), CALLED_FROM);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from, size_t fromPitch,
                              size_t width, size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
  if (overlap(toPitch, fromPitch, width)) return refuseRows(toPitch, fromPitch, width, CALLED_FROM);
  return transfer(inStream(rows(to, toPitch, from, fromPitch, width, height, kind), stream),
                  CALLED_FROM);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  if (copy->srcArray != nullptr || copy->dstArray != nullptr) return keep(cudaErrorNotSupported);
  return transfer(box(*copy), CALLED_FROM);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  if (copy->srcArray != nullptr || copy->dstArray != nullptr) return keep(cudaErrorNotSupported);
  return transfer(inStream(box(*copy), stream), CALLED_FROM);
}

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return toSymbol(symbol, from, bytes, offset, kind, nullptr, CALLED_FROM);
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes,
                                    size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return toSymbol(symbol, from, bytes, offset, kind, &stream, CALLED_FROM);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
  return fromSymbol(to, symbol, bytes, offset, kind, nullptr, CALLED_FROM);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
  return fromSymbol(to, symbol, bytes, offset, kind, &stream, CALLED_FROM);
}
cudaError_t cudaGetSymbolAddress(void** device, const void* symbol) {
  cudaError_t error;
  *device = reinterpret_cast<void*>(pieceOf(symbol, 0, 0, nullptr, error));
  return error;
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  const Variable* variable = variableAt(symbol);
  if (variable == nullptr) return keep(cudaErrorInvalidSymbol);
  *bytes = variable->bytes;
  return cudaSuccess;
}

cudaError_t cudaMemset(void* memory, int byte, size_t bytes) {
  return fill(fillOf(memory, 0, 0, byte, {bytes, 1, 1}), CALLED_FROM);
}
cudaError_t cudaMemsetAsync(void* memory, int byte, size_t bytes, cudaStream_t stream) {
  return fill(inStream(fillOf(memory, 0, 0, byte, {bytes, 1, 1}), stream), CALLED_FROM);
}
cudaError_t cudaMemset2D(void* memory, size_t pitch, int byte, size_t width, size_t height) {
  return fill(fillOf(memory, pitch, 0, byte, {width, height, 1}), CALLED_FROM);
}
cudaError_t cudaMemset2DAsync(void* memory, size_t pitch, int byte, size_t width, size_t height,
                              cudaStream_t stream) {
  return fill(inStream(fillOf(memory, pitch, 0, byte, {width, height, 1}), stream), CALLED_FROM);
}
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int byte, cudaExtent extent) {
  return fill(fillOf(memory.ptr, memory.pitch, memory.pitch * memory.ysize, byte, extent),
              CALLED_FROM);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int byte, cudaExtent extent,
                              cudaStream_t stream) {
  return fill(
      inStream(fillOf(memory.ptr, memory.pitch, memory.pitch * memory.ysize, byte, extent), stream),
      CALLED_FROM);
}

cudaError_t cudaMemPrefetchAsync(const void* memory, size_t, int, cudaStream_t) {
  PointerFacts facts{};
  return keep(ask(Call::pointer, CALLED_FROM, Pointed{numberOf(memory)}, facts));
}
cudaError_t cudaMemAdvise(const void* memory, size_t, cudaMemoryAdvise, int) {
  PointerFacts facts{};
  return keep(ask(Call::pointer, CALLED_FROM, Pointed{numberOf(memory)}, facts));
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t, unsigned int) {
  return cudaSuccess;
}
// The program's own memory counts as pinned: copies are complete when a call returns. Kernels
// cannot use it, because it has no device pointer.
cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned int) {
  if (memory == nullptr || bytes == 0) return keep(cudaErrorInvalidValue);
  return keep(ask(Call::note, CALLED_FROM, Noted{Note::pinnedMemory, 0}));
}
cudaError_t cudaHostUnregister(void* memory) {
  return keep(memory == nullptr ? cudaErrorInvalidValue : cudaSuccess);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  PointerFacts facts{};
  const int error = ask(Call::pointer, CALLED_FROM, Pointed{numberOf(host)}, facts);
  if (error == 0) *device = host;
  return keep(error);
}

}  // extern "C"
