// SPDX-License-Identifier: Apache-2.0
// Memory of the GPU: allocations, copies and fills.
#include "cuda_runtime.h"
#include "guest/driver/driver_server.h"

namespace tilestep::guest {
namespace {

void* streamOf(uint64_t number) {
  return reinterpret_cast<void*>(number);
}

/// How the driver treats the source or target of a copy of this kind.
Box::Memory memoryOf(int kind, bool isTarget) {
  if (kind == cudaMemcpyDefault) return Box::unified;
  const bool isHost = kind == cudaMemcpyHostToHost ||
                      kind == (isTarget ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
  return isHost ? Box::host : Box::device;
}

Box::End endOf(uint64_t address, uint64_t pitch, uint64_t slice, uint64_t rows, Box::Memory kind) {
  Box::End end{};
  end.kind = kind;
  if (kind == Box::host)
    end.host = reinterpret_cast<const void*>(address);
  else
    end.device = address;
  end.pitch = pitch;
  end.height = pitch != 0 && slice != 0 ? slice / pitch : rows;
  return end;
}

/// The distance from the start of a box of rows to its end.
uint64_t reachOf(uint64_t pitch, uint64_t slice, uint64_t width, uint64_t height, uint64_t depth) {
  return (depth - 1) * slice + (height - 1) * pitch + width;
}

}  // namespace

int DriverServer::allocate(const void* where, const Allocate& wanted, Allocated& got) {
  if (mirror_.allocate(where, wanted, got)) return 0;
  const int error = make(wanted, got);
  // The report to the service has the total size that the driver allocated.
  Allocate made = wanted;
  made.bytes = wanted.rows == 0 ? wanted.bytes : got.pitch * wanted.rows;
  made.rows = 0;
  const iovec piece{&made, sizeof made};
  tell(Call::allocate, {error, got.address, 0}, where, {&piece, 1});
  link_.flush();
  return error;
}

int DriverServer::make(const Allocate& wanted, Allocated& got) const {
  if (wanted.bytes == 0) return 0;
  if (wanted.rows != 0) {
    constexpr unsigned kLargestAccess = 16;
    size_t pitch = 0;
    const int error =
        driver_.memAllocPitch(&got.address, &pitch, wanted.bytes, wanted.rows, kLargestAccess);
    got.pitch = pitch;
    return error;
  }
  switch (wanted.kind) {
    case MemoryKind::device:
      return wanted.isAsync != 0
                 ? driver_.memAllocAsync(&got.address, wanted.bytes, streamOf(wanted.stream))
                 : driver_.memAlloc(&got.address, wanted.bytes);
    case MemoryKind::managed:
      return driver_.memAllocManaged(&got.address, wanted.bytes, kAttachGlobal);
    case MemoryKind::pinned:
      break;
  }
  void* memory = nullptr;
  const int error = driver_.memHostAlloc(&memory, wanted.bytes, kPortableAndMapped);
  got.address = reinterpret_cast<uint64_t>(memory);
  return error;
}

DriverServer::Done DriverServer::release(const Release& wanted) {
  if (mirror_.look() != Look::notAsked) {
    // The driver's own functions for freeing wait, too.
    const int error = driver_.ctxSynchronize();
    if (error != 0 || mirror_.release(wanted.address)) return {error};
  }
  if (wanted.kind == MemoryKind::pinned)
    return {driver_.memFreeHost(reinterpret_cast<void*>(wanted.address))};
  if (wanted.isAsync != 0) return {driver_.memFreeAsync(wanted.address, streamOf(wanted.stream))};
  return {driver_.memFree(wanted.address)};
}

DriverServer::Done DriverServer::copy(const Copy& wanted) {
  void* const stream = streamOf(wanted.stream);
  if (!lives(wanted.stream)) return {cudaErrorInvalidResourceHandle};
  const uint64_t to = reachOf(wanted.toPitch, wanted.toSlice, wanted.width, wanted.height,
                              wanted.depth),
                 from = reachOf(wanted.fromPitch, wanted.fromSlice, wanted.width, wanted.height,
                                wanted.depth);
  if (!mirror_.holds(wanted.to, to) || !mirror_.holds(wanted.from, from))
    return {cudaErrorInvalidValue};
  // Sent before the host waits, so that reports are not lost if the host waits forever.
  if (wanted.isAsync == 0) link_.flush();
  Done done;
  done.work = times_.begin(stream);
  done.error = wanted.height == 1 && wanted.depth == 1 ? copyRow(wanted) : copyBox(wanted);
  times_.end(done.work, stream);
  return done;
}

int DriverServer::copyRow(const Copy& wanted) const {
  const uint64_t to = wanted.to, from = wanted.from, bytes = wanted.width;
  void* const stream = streamOf(wanted.stream);
  void* const toHost = reinterpret_cast<void*>(to);
  const void* const fromHost = reinterpret_cast<const void*>(from);
  const bool isAsync = wanted.isAsync != 0;
  switch (wanted.kind) {
    case cudaMemcpyHostToDevice:
      return isAsync ? driver_.memcpyHtoDAsync(to, fromHost, bytes, stream)
                     : driver_.memcpyHtoD(to, fromHost, bytes);
    case cudaMemcpyDeviceToHost:
      return isAsync ? driver_.memcpyDtoHAsync(toHost, from, bytes, stream)
                     : driver_.memcpyDtoH(toHost, from, bytes);
    case cudaMemcpyDeviceToDevice:
      return isAsync ? driver_.memcpyDtoDAsync(to, from, bytes, stream)
                     : driver_.memcpyDtoD(to, from, bytes);
    default:
      return isAsync ? driver_.memcpyAnyAsync(to, from, bytes, stream)
                     : driver_.memcpyAny(to, from, bytes);
  }
}

int DriverServer::copyBox(const Copy& wanted) const {
  Box box{};
  box.from = endOf(wanted.from, wanted.fromPitch, wanted.fromSlice, wanted.height,
                   memoryOf(wanted.kind, false));
  box.to =
      endOf(wanted.to, wanted.toPitch, wanted.toSlice, wanted.height, memoryOf(wanted.kind, true));
  box.width = wanted.width;
  box.height = wanted.height;
  box.depth = wanted.depth;
  return wanted.isAsync != 0 ? driver_.memcpy3DAsync(&box, streamOf(wanted.stream))
                             : driver_.memcpy3D(&box);
}

DriverServer::Done DriverServer::fill(const Fill& wanted) {
  void* const stream = streamOf(wanted.stream);
  const auto byte = static_cast<unsigned char>(wanted.byte);
  const bool isAsync = wanted.isAsync != 0;
  if (!lives(wanted.stream)) return {cudaErrorInvalidResourceHandle};
  if (!mirror_.holds(wanted.to, reachOf(wanted.pitch, wanted.slice, wanted.width, wanted.height,
                                        wanted.depth)))
    return {cudaErrorInvalidValue};
  Done done;
  done.work = times_.begin(stream);
  if (wanted.pitch == 0) {
    done.error = isAsync ? driver_.memsetD8Async(wanted.to, byte, wanted.width, stream)
                         : driver_.memsetD8(wanted.to, byte, wanted.width);
  }
  for (uint64_t z = 0; wanted.pitch != 0 && z < wanted.depth && done.error == 0; ++z) {
    const uint64_t at = wanted.to + z * wanted.slice;
    done.error = isAsync ? driver_.memsetD2D8Async(at, wanted.pitch, byte, wanted.width,
                                                   wanted.height, stream)
                         : driver_.memsetD2D8(at, wanted.pitch, byte, wanted.width, wanted.height);
  }
  times_.end(done.work, stream);
  return done;
}

}  // namespace tilestep::guest
