// SPDX-License-Identifier: Apache-2.0
#include "guest/interpreter_server.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>
#include <vector>

#include "cuda_runtime.h"
#include "guest/connection.h"
#include "guest/rows.h"

namespace tilestep::guest {
namespace {

constexpr int kNoAccess = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

bool isWait(std::span<const iovec> note) {
  return static_cast<const Noted*>(note[0].iov_base)->note != Note::askedForError &&
         static_cast<const Noted*>(note[0].iov_base)->note != Note::namedError;
}

void copyOnTheHost(const Copy& copy) {
  const auto to = rowsOf(copy.to, copy.toPitch, copy.toSlice, copy);
  const auto from = rowsOf(copy.from, copy.fromPitch, copy.fromSlice, copy);
  for (size_t i = 0; i < to.size(); ++i) std::memmove(to[i].iov_base, from[i].iov_base, copy.width);
}

}  // namespace

InterpreterServer::InterpreterServer(Link& link, const DeviceFacts& device)
    : link_(link), device_(device) {
  // Keeps the mappings of the program and its libraries out of the device's address range.
  const void* const span = mmap(reinterpret_cast<void*>(kSpanStart), kSpanBytes, PROT_NONE,
                                kNoAccess | MAP_FIXED_NOREPLACE, -1, 0);
  if (span != reinterpret_cast<void*>(kSpanStart))
    fail("the device's address range is already in use");
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
      return touched(where, request);
    case Call::launch: {
      const int error = link_.ask(call, where, request, answer);
      if (error == 0) guardParameters(request);
      return error;
    }
    case Call::wait:
    case Call::query:
    case Call::note: {
      const int error = link_.ask(call, where, request, answer);
      const bool waits = call != Call::note || isWait(request);
      if (waits && error != cudaErrorNotReady) guards_.releaseAll();
      return error;
    }
    default:
      break;
  }
  return link_.ask(call, where, request, answer);
}

void InterpreterServer::guardParameters(std::span<const iovec> request) {
  if (device_.watchesHost == 0 || request.size() < 2) return;
  const auto* const parameters = static_cast<const char*>(request[1].iov_base);
  for (size_t at = 0; at + sizeof(uint64_t) <= request[1].iov_len; at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, parameters + at, sizeof word);
    guardPiece(word, 0, false);
  }
}

/// `bytes` is 0 for all of the memory that contains the address.
void InterpreterServer::guardPiece(uint64_t address, uint64_t bytes, bool mayRead) {
  if (device_.watchesHost == 0 || !isInSpan(address)) return;
  const std::lock_guard lock(mutex_);
  const auto behind = shared_.upper_bound(address);
  if (behind == shared_.begin()) return;
  const auto& [begin, mapped] = *std::prev(behind);
  const uint64_t end = begin + mapped;
  if (address >= end) return;
  if (bytes == 0) return guards_.guard(begin, end, mayRead);
  // Nothing else is in the last page, so all of that page can be guarded.
  const bool isLast = bytes > end - address || address + bytes > end - Guards::kPage;
  guards_.guard(address, isLast ? end : address + bytes, mayRead);
}

/// Returns cudaErrorNotReady if the host may now access the address.
int InterpreterServer::touched(const void* where, std::span<const iovec> request) {
  const uint64_t address = static_cast<const Touched*>(request[0].iov_base)->address;
  if (!isInSpan(address)) return cudaSuccess;
  const bool goesOn = guards_.release(address);
  link_.ask(Call::touched, where, request, nullptr);
  return goesOn ? cudaErrorNotReady : cudaSuccess;
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
  guards_.releaseAll();
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
  if (copy.isAsync == 0 || !places.empty()) {
    guards_.releaseAll();
  } else if (error == 0 && copy.height == 1 && copy.depth == 1) {
    guardPiece(copy.to, copy.width, false);
    guardPiece(copy.from, copy.width, true);
  }
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
  if (none == MAP_FAILED) fail("freed memory cannot be unmapped");
  shared_.erase(found);
}

}  // namespace tilestep::guest
