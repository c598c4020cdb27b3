// SPDX-License-Identifier: Apache-2.0
#include "guest/driver/mirror.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace tilestep::guest {
namespace {

constexpr uint64_t kMostCaptured = uint64_t{1} << 30;
constexpr int kNotReady = 600;  ///< CUDA_ERROR_NOT_READY
/// Pending work may itself wait for the host, so the number of pauses is limited. No clock is read,
/// because the read would count as the program's (guest/clocks.h).
constexpr std::chrono::microseconds kPause{100};
constexpr int kMostPauses = 50'000;

/// The driver places small reservations in its own range and ignores the requested address. The
/// size limit is unknown, so reservations of increasing size are tried.
constexpr uint64_t kReserved[] = {uint64_t{1} << 28, uint64_t{1} << 30, uint64_t{1} << 31};

uint64_t roundedUp(uint64_t bytes, uint64_t to) {
  return (bytes + to - 1) / to * to;
}

}  // namespace

Mirror::Mirror(const Driver& driver, Link& link, int ordinal, bool wanted)
    : driver_(driver), link_(link), ordinal_(ordinal), look_(wanted ? Look::yes : Look::notAsked) {}

Look Mirror::look() const {
  const std::lock_guard lock(mutex_);
  return look_;
}

bool Mirror::allocate(const void* where, const Allocate& wanted, Allocated& got) {
  const std::lock_guard lock(mutex_);
  if (look_ != Look::yes || wanted.bytes == 0) return false;
  const iovec request{const_cast<Allocate*>(&wanted), sizeof wanted};
  const iovec place{&got, sizeof got};
  // If the driver refuses an address, another address is tried.
  constexpr int kTries = 16;
  for (int i = 0; i < kTries; ++i) {
    Answer answer{{&place, 1}};
    if (link_.ask(Call::allocate, where, {&request, 1}, &answer) != 0) {
      look_ = Look::tooMuch;
      return false;
    }
    Piece piece;
    piece.bytes = wanted.rows == 0 ? wanted.bytes : got.pitch * wanted.rows;
    piece.drivers = got.address;
    if (wanted.kind == MemoryKind::device ? placeOnDevice(got.address, piece)
                                          : placeOnHost(got.address, piece)) {
      pieces_[got.address] = piece;
      return true;
    }
    const iovec address{&got.address, sizeof got.address};
    link_.say(Call::forget, nullptr, {&address, 1});
  }
  look_ = Look::otherAddresses;
  got = {};
  return false;
}

bool Mirror::reserve(uint64_t address, uint64_t granularity, Piece& piece) const {
  for (const uint64_t fewest : kReserved) {
    piece.reserved = std::max(piece.mapped, fewest);
    uint64_t got = 0;
    if (driver_.memAddressReserve(&got, piece.reserved, granularity, address, 0) != 0) return false;
    if (got == address) return true;
    driver_.memAddressFree(got, piece.reserved);
  }
  return false;
}

bool Mirror::placeOnDevice(uint64_t address, Piece& piece) const {
  const AllocationKind kind{AllocationKind::pinned, 0, {Location::device, ordinal_}, nullptr, {}};
  size_t granularity = 0;
  if (driver_.memGetAllocationGranularity(&granularity, &kind, 0) != 0) return false;
  piece.mapped = roundedUp(piece.bytes, granularity);
  if (!reserve(address, granularity, piece)) return false;
  const Access access{kind.where, Access::readAndWrite};
  if (driver_.memCreate(&piece.handle, piece.mapped, &kind, 0) == 0) {
    if (driver_.memMap(address, piece.mapped, 0, piece.handle, 0) == 0) {
      if (driver_.memSetAccess(address, piece.mapped, &access, 1) == 0) return true;
      driver_.memUnmap(address, piece.mapped);
    }
    driver_.memRelease(piece.handle);
  }
  driver_.memAddressFree(address, piece.reserved);
  return false;
}

bool Mirror::placeOnHost(uint64_t address, Piece& piece) const {
  piece.mapped = roundedUp(piece.bytes, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
  void* const wanted = reinterpret_cast<void*>(address);
  const void* const got = mmap(wanted, piece.mapped, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (got != wanted) return false;
  if (driver_.memHostRegister(wanted, piece.mapped, kPortableAndMapped) == 0) return true;
  munmap(wanted, piece.mapped);
  return false;
}

bool Mirror::release(uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(address);
  if (found == pieces_.end() || found->second.isVariable) return false;
  const Piece& piece = found->second;
  if (piece.handle != 0) {
    driver_.memUnmap(address, piece.mapped);
    driver_.memRelease(piece.handle);
    driver_.memAddressFree(address, piece.reserved);
  } else {
    driver_.memHostUnregister(reinterpret_cast<void*>(address));
    munmap(reinterpret_cast<void*>(address), piece.mapped);
  }
  pieces_.erase(found);
  return true;
}

void Mirror::addVariable(uint64_t services, uint64_t drivers, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  pieces_[services] = {bytes, 0, 0, 0, drivers, true};
}

bool Mirror::holds(uint64_t address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto above = pieces_.upper_bound(address);
  if (above == pieces_.begin()) return true;
  const auto& [start, piece] = *std::prev(above);
  if (piece.isVariable || address - start >= piece.mapped) return true;
  return address - start <= piece.bytes && bytes <= piece.bytes - (address - start);
}

uint64_t Mirror::servicesAddress(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  for (const auto& [services, piece] : pieces_)
    if (piece.isVariable && address - piece.drivers < piece.bytes)
      return services + (address - piece.drivers);
  return address;
}

void Mirror::translate(std::vector<char>& parameters) const {
  for (size_t i = 0; i + sizeof(uint64_t) <= parameters.size(); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, parameters.data() + i, sizeof word);
    word = servicesAddress(word);
    std::memcpy(parameters.data() + i, &word, sizeof word);
  }
}

bool Mirror::isIdle(std::span<void* const> streams) const {
  int pauses = 0;
  return std::ranges::all_of(streams, [&](void* stream) {
    while (driver_.streamQuery(stream) == kNotReady) {
      if (++pauses > kMostPauses) return false;
      std::this_thread::sleep_for(kPause);
    }
    return true;
  });
}

void Mirror::capture(std::span<void* const> streams) {
  const std::lock_guard lock(mutex_);
  if (look_ != Look::yes) return;
  for (const auto& [address, piece] : pieces_) captured_ += piece.bytes;
  if (captured_ > kMostCaptured)
    look_ = Look::tooMuch;
  else if (!isIdle(streams))
    look_ = Look::waitsForHost;
  else if (!std::ranges::all_of(pieces_,
                                [&](const auto& each) { return send(each.first, each.second); }))
    look_ = Look::notCaptured;
}

bool Mirror::send(uint64_t address, const Piece& piece) const {
  const void* from = reinterpret_cast<const void*>(address);
  std::vector<char> bytes;
  if (piece.handle != 0 || piece.isVariable) {
    bytes.resize(piece.bytes);
    if (driver_.memcpyDtoH(bytes.data(), piece.drivers, piece.bytes) != 0) return false;
    from = bytes.data();
  }
  const iovec pieces[] = {{&address, sizeof address}, {const_cast<void*>(from), piece.bytes}};
  link_.say(Call::contents, nullptr, pieces);
  return true;
}

}  // namespace tilestep::guest
