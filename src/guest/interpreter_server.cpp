// SPDX-License-Identifier: Apache-2.0
#include "guest/interpreter_server.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "cuda_runtime.h"
#include "guest/connection.h"

namespace tilestep::guest {
namespace {

constexpr int kNoAccess = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

bool isInSpan(uint64_t address) {
  return address - kSpanStart < kSpanBytes;
}

/// The rows of a box in the host's memory, in the order in which they travel.
std::vector<iovec> rowsOf(uint64_t at, uint64_t pitch, uint64_t slice, const Copy& copy) {
  std::vector<iovec> rows;
  for (uint64_t z = 0; z < copy.depth; ++z) {
    for (uint64_t y = 0; y < copy.height; ++y)
      rows.push_back({reinterpret_cast<void*>(at + z * slice + y * pitch), copy.width});
  }
  return rows;
}

void copyOnTheHost(const Copy& copy) {
  const auto to = rowsOf(copy.to, copy.toPitch, copy.toSlice, copy);
  const auto from = rowsOf(copy.from, copy.fromPitch, copy.fromSlice, copy);
  for (size_t i = 0; i < to.size(); ++i) std::memmove(to[i].iov_base, from[i].iov_base, copy.width);
}

}  // namespace

InterpreterServer::InterpreterServer(Link& link, const DeviceFacts& device)
    : link_(link), device_(device) {
  // Nothing of the program's or its libraries' may come to lie among the device's addresses.
  const void* const span = mmap(reinterpret_cast<void*>(kSpanStart), kSpanBytes, PROT_NONE,
                                kNoAccess | MAP_FIXED_NOREPLACE, -1, 0);
  if (span != reinterpret_cast<void*>(kSpanStart)) fail("the device's addresses are taken");
}

int InterpreterServer::ask(Call call, const void* where, std::span<const iovec> request,
                           Answer* answer) {
  switch (call) {
    case Call::allocate:
      return allocate(where, request, *answer);
    case Call::release:
      return release(where, request);
    case Call::copy:
      return copy(where, *static_cast<const Copy*>(request[0].iov_base));
    case Call::touched:
      if (!isInSpan(static_cast<const Touched*>(request[0].iov_base)->address)) return cudaSuccess;
      break;
    default:
      break;
  }
  return link_.ask(call, where, request, answer);
}

int InterpreterServer::allocate(const void* where, std::span<const iovec> request, Answer& answer) {
  const int error = link_.ask(Call::allocate, where, request, &answer);
  if (error != 0 || answer.bytes < sizeof(Allocated)) return error;
  const auto& got = *static_cast<const Allocated*>(answer.to[0].iov_base);
  if (got.mapped != 0 && !map(got.address, got.mapped, answer.descriptor))
    return cudaErrorMemoryAllocation;
  return cudaSuccess;
}

int InterpreterServer::release(const void* where, std::span<const iovec> request) {
  const int error = link_.ask(Call::release, where, request, nullptr);
  if (error == 0) unmap(static_cast<const Release*>(request[0].iov_base)->address);
  return error;
}

int InterpreterServer::copy(const void* where, Copy copy) {
  const bool toDevice = isInSpan(copy.to), fromDevice = isInSpan(copy.from);
  copy.carries = toDevice && !fromDevice;
  std::vector<iovec> pieces{{&copy, sizeof copy}};
  std::vector<iovec> places;
  if (copy.carries) {
    const auto rows = rowsOf(copy.from, copy.fromPitch, copy.fromSlice, copy);
    pieces.insert(pieces.end(), rows.begin(), rows.end());
  } else if (fromDevice && !toDevice) {
    places = rowsOf(copy.to, copy.toPitch, copy.toSlice, copy);
  }
  Answer answer{places};
  const int error = link_.ask(Call::copy, where, pieces, &answer);
  if (error == 0 && !toDevice && !fromDevice) copyOnTheHost(copy);
  return error;
}

bool InterpreterServer::map(uint64_t address, uint64_t bytes, int descriptor) {
  void* const at = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_FIXED, descriptor, 0);
  close(descriptor);
  if (at == MAP_FAILED) return false;
  const std::lock_guard lock(mutex_);
  shared_[address] = bytes;
  return true;
}

void InterpreterServer::unmap(uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = shared_.find(address);
  if (found == shared_.end()) return;
  const void* const none = mmap(reinterpret_cast<void*>(address), found->second, PROT_NONE,
                                kNoAccess | MAP_FIXED, -1, 0);
  if (none == MAP_FAILED) fail("the memory that was freed cannot be taken away");
  shared_.erase(found);
}

}  // namespace tilestep::guest
