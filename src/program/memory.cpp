// SPDX-License-Identifier: Apache-2.0
#include "program/memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "simt/machine.h"

namespace tilestep::program {
namespace {

constexpr uint64_t kCell = uint64_t{1} << simt::kCellBits;
/// The cells of each allocation. The first allocations are so far apart that a 32-bit index cannot
/// reach from one to the next.
constexpr uint64_t kWideCells = 16, kNarrowCells = 2;
constexpr uint64_t kWideUntil = simt::kCells / 2;
/// The last cells are the interpreter's own (simt/setup.cpp).
constexpr uint64_t kEnd = simt::kCells - 2048;

static_assert(guest::kSpanStart == simt::kGlobalStart);
static_assert(guest::kSpanBytes == simt::kCells * kCell);

}  // namespace

/// Memory that the interpreter uses, with its marks.
struct Memory::Piece {
  uint8_t* host = nullptr;
  uint8_t* written = nullptr;
  uint64_t mapped = 0;
  ~Piece() {
    if (host != nullptr) munmap(host, mapped);
    if (written != nullptr) munmap(written, mapped);
  }
};

namespace {

/// Zeroed memory, which is allocated on use; null if out of memory. Large pages make the first use
/// of large arrays several times faster.
uint8_t* mapped(uint64_t bytes, int flags, int file) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (at == MAP_FAILED) return nullptr;
  constexpr uint64_t kLarge = uint64_t{4} << 20;
  if (bytes >= kLarge) madvise(at, bytes, MADV_HUGEPAGE);
  return static_cast<uint8_t*>(at);
}

}  // namespace

Memory::Memory(uint64_t mostBytes) : most_(mostBytes) {}
Memory::~Memory() = default;

Allocation* Memory::allocate(uint64_t bytes, guest::MemoryKind kind, Shared* shared) {
  constexpr uint64_t kPage = 4096;
  if (bytes > most_ - std::min(used_, most_)) return nullptr;
  // A piece is in the middle of its cells, and uses less than half of them.
  const uint64_t cells =
      std::max(nextCell_ < kWideUntil ? kWideCells : kNarrowCells, 2 * (bytes / kCell + 1));
  if (nextCell_ + cells > kEnd) return nullptr;
  auto piece = std::make_unique<Piece>();
  piece->mapped = (std::max<uint64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  constexpr int kOwn = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  Descriptor descriptor;
  if (shared != nullptr) {
    descriptor = Descriptor(memfd_create("tilestep", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    const int file = descriptor.get();
    // Sealed, because a guest that truncated the file could end this process.
    if (file < 0 || ftruncate(file, static_cast<off_t>(piece->mapped)) != 0 ||
        fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      return nullptr;
    piece->host = mapped(piece->mapped, MAP_SHARED, file);
  } else {
    piece->host = mapped(piece->mapped, kOwn, -1);
  }
  piece->written = mapped(piece->mapped, kOwn, -1);
  if (piece->host == nullptr || piece->written == nullptr) return nullptr;
  // Memory that the host can write to directly counts as written.
  if (kind != guest::MemoryKind::device) std::memset(piece->written, 1, bytes);
  const uint64_t address = guest::kSpanStart + (nextCell_ + cells / 2) * kCell;
  nextCell_ += cells;
  used_ += bytes;
  Allocation& made = all_[address];
  made.address = address;
  made.bytes = bytes;
  made.kind = kind;
  made.host = piece->host;
  made.written = {piece->written, bytes};
  if (shared != nullptr) *shared = {std::move(descriptor), piece->mapped};
  pieces_[address] = std::move(piece);
  return &made;
}

Allocation& Memory::adopt(uint64_t address, uint64_t bytes, guest::MemoryKind kind) {
  auto next = all_.lower_bound(address);
  if (next != all_.begin() && std::prev(next)->second.holds(address, 1)) --next;
  while (next != all_.end() && next->first - address < bytes) next = all_.erase(next);
  Allocation& made = all_[address];
  made.address = address;
  made.bytes = bytes;
  made.kind = kind;
  return made;
}

bool Memory::isDevices(uint64_t address) const {
  if (address - guest::kSpanStart < guest::kSpanBytes) return true;
  const auto above = all_.upper_bound(address);
  return above != all_.begin() && std::prev(above)->second.holds(address, 1);
}

bool Memory::forget(uint64_t address) {
  const auto found = all_.find(address);
  if (found == all_.end() || found->second.freed) return false;
  release(address, 0);
  all_.erase(found);
  return true;
}

void Memory::release(uint64_t address, uint64_t where) {
  Allocation& allocation = all_.at(address);
  allocation.freed = where;
  allocation.host = nullptr;
  allocation.written = {};
  allocation.marks = {};
  if (pieces_.erase(address) != 0) used_ -= allocation.bytes;
}

Allocation* Memory::at(uint64_t address) {
  // Pieces are in the middle of their cells, so the piece with the nearest start is the right one.
  const auto above = all_.upper_bound(address);
  Allocation* nearest = above == all_.end() ? nullptr : &above->second;
  if (above == all_.begin()) return nearest;
  Allocation* const below = &std::prev(above)->second;
  if (nearest == nullptr) return below;
  const uint64_t behind = address - below->address;
  const uint64_t gap = behind < below->bytes ? 0 : behind - below->bytes;
  return gap <= nearest->address - address ? below : nearest;
}

Allocation* Memory::holder(uint64_t address, uint64_t bytes) {
  Allocation* const found = at(address);
  return found != nullptr && !found->freed && found->holds(address, bytes) ? found : nullptr;
}

}  // namespace tilestep::program
