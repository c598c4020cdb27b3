// SPDX-License-Identifier: Apache-2.0
#include "simt/run/device_copies.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "simt/run/worker.h"

namespace tilestep::simt {
namespace {

constexpr uint32_t kMatrixRow = 16;  ///< Bytes.

template <class T>
T at(const Context& context, uint32_t row, uint32_t lane) {
  T value{};
  std::memcpy(&value, context.registers + row + lane * sizeof(T), sizeof value);
  return value;
}

/// The offset of a lane's shared address. If the address is invalid, reports it and returns
/// nothing.
std::optional<uint32_t> sharedOffset(Context& context, const Instr& instr, uint32_t lane,
                                     uint32_t bytes) {
  uint64_t address = instr.wideAddress ? at<uint64_t>(context, instr.address, lane)
                                       : at<uint32_t>(context, instr.address, lane);
  address += static_cast<uint64_t>(instr.offset);
  uint64_t offset = address;
  if (instr.space == MemorySpace::generic) offset -= kSharedWindow;
  const bool inside = offset <= context.shared.bytes && context.shared.bytes - offset >= bytes;
  if (inside && offset % bytes == 0) return static_cast<uint32_t>(offset);
  Instr access = instr;
  access.bytes = static_cast<uint8_t>(bytes);
  context.fault(context, access, lane, inside ? AccessFault::misaligned : AccessFault::outOfBounds,
                address);
  return std::nullopt;
}

uint16_t elementOf(const uint8_t* row, uint32_t column) {
  uint16_t value = 0;
  std::memcpy(&value, row + 2 * column, sizeof value);
  return value;
}

uint32_t distinct(std::array<uint64_t, kLanes> values, uint32_t count) {
  std::sort(values.begin(), values.begin() + count);
  return static_cast<uint32_t>(std::unique(values.begin(), values.begin() + count) -
                               values.begin());
}

struct Addresses {
  std::array<uint64_t, kLanes> at{};
  uint32_t count = 0;
  void add(uint64_t address) { at[count++] = address; }
};

/// Counts a load from global memory by the lanes that copy at least one byte.
void countLoad(Counts::Global& counts, const Addresses& from, uint32_t bytes) {
  if (from.count == 0) return;
  std::array<uint64_t, kLanes> sectors{};
  std::transform(from.at.begin(), from.at.begin() + from.count, sectors.begin(),
                 [](uint64_t address) { return address / 32; });
  counts.threads += from.count;
  counts.requests += 1;
  counts.sectors += distinct(sectors, from.count);
  counts.bytes += uint64_t{from.count} * bytes;
  counts.distinctBytes += uint64_t{distinct(from.at, from.count)} * bytes;
}

/// Counts a store to shared memory by all lanes of the instruction.
void countStore(Counts::Shared& counts, Addresses to, uint32_t bytes) {
  if (to.count == 0) return;
  std::sort(to.at.begin(), to.at.begin() + to.count);
  std::array<uint32_t, kLanes> ofBank{};
  uint32_t words = 0;
  const auto last = std::unique(to.at.begin(), to.at.begin() + to.count);
  for (auto address = to.at.begin(); address != last; ++address) {
    for (uint64_t word = *address / 4; word < (*address + bytes) / 4; ++word, ++words)
      ++ofBank[word % kLanes];
  }
  const uint32_t wavefronts = *std::max_element(ofBank.begin(), ofBank.end());
  counts.requests += 1;
  counts.wavefronts += wavefronts;
  counts.bankConflicts += wavefronts - (words + kLanes - 1) / kLanes;
}

/// Records the bytes that a copy reads, if the launch is checked.
void noteRead(const Context& context, uint64_t address, uint32_t bytes) {
  const uint64_t cell = (address >> kCellBits) - (kGlobalStart >> kCellBits);
  if (cell >= kCells || context.cells[cell] == kNoRegion) return;
  const Region& region = context.regions[context.cells[cell]];
  if (region.use.read == nullptr) return;
  const uint64_t offset = address - region.start;
  std::memset(region.use.read + offset, kPlainUse, bytes);
  region.use.pages[offset >> kUsePageBits] = 1;
}

}  // namespace

void AsyncCopies::reset(uint32_t warps) {
  if (!used_ && warps_.size() == warps) return;
  warps_.assign(warps, {});
  used_ = false;
}

void AsyncCopies::begin(uint32_t warp) {
  ++warps_[warp].issues;
  used_ = true;
}

void AsyncCopies::add(uint32_t warp, Copy copy) {
  OfWarp& own = warps_[warp];
  copy.group = own.groups[copy.lane];
  copy.issue = own.issues;
  own.copies.push_back(copy);
  used_ = true;
}

void AsyncCopies::commit(uint32_t warp, uint32_t lanes) {
  forEachLane(lanes, [&](uint32_t lane) { ++warps_[warp].groups[lane]; });
  used_ = true;
}

template <class Due>
void AsyncCopies::finish(uint32_t warp, uint8_t* shared, Due due) {
  std::vector<Copy> together;
  std::erase_if(warps_[warp].copies, [&](const Copy& copy) {
    if (!due(copy)) return false;
    const uint32_t given = copy.from == nullptr ? 0 : copy.given;
    if (given != 0) std::memcpy(shared + copy.to, copy.from, given);
    std::memset(shared + copy.to + given, 0, copy.bytes - given);
    if (arrived) arrived(copy);
    if (arrivedTogether) together.push_back(copy);
    return true;
  });
  if (!together.empty()) arrivedTogether(warp, together);
}

void AsyncCopies::wait(uint32_t warp, uint32_t lanes, uint32_t left, uint8_t* shared) {
  const OfWarp& own = warps_[warp];
  finish(warp, shared, [&](const Copy& copy) {
    return (lanes >> copy.lane & 1) != 0 && uint64_t{copy.group} + left < own.groups[copy.lane];
  });
}

void AsyncCopies::waitAll(uint32_t warp, uint32_t lanes, uint8_t* shared) {
  commit(warp, lanes);
  wait(warp, lanes, 0, shared);
}

void startCopy(Context& context, const Instr& instr) {
  Worker& worker = workerOf(context);
  worker.copies().begin(context.warp->index);
  Addresses read, written;
  forEachLane(context.mask, [&](uint32_t lane) {
    const auto to = sharedOffset(context, instr, lane, instr.bytes);
    if (!to) return;
    written.add(*to);
    uint32_t given = instr.b == kNoRow ? instr.bytes : at<uint32_t>(context, instr.b, lane);
    given = std::min<uint32_t>(given, instr.bytes);
    if (instr.a != kNoRow && at<uint32_t>(context, instr.a, lane) != 0) given = 0;
    const auto address = at<uint64_t>(context, instr.c, lane);
    const uint8_t* from = given == 0 ? nullptr : worker.globalAt(address, given);
    if (given != 0 && (from == nullptr || address % instr.bytes != 0)) {
      Instr access = instr;
      access.space = MemorySpace::global;
      access.isStore = false;
      return context.fault(context, access, lane,
                           from == nullptr ? AccessFault::outOfBounds : AccessFault::misaligned,
                           address);
    }
    if (given != 0) read.add(address);
    if (given != 0) noteRead(context, address, given);
    worker.copies().add(context.warp->index,
                        {lane, *to, instr.bytes, 0, from, given, instr.site, instr.source});
  });
  if (context.counts == nullptr) return;
  countLoad(context.counts->global[0], read, instr.bytes);
  countStore(context.counts->shared[1], written, instr.bytes);
}

void commitCopies(Context& context, const Instr&) {
  workerOf(context).copies().commit(context.warp->index, context.mask);
}

void waitForCopies(Context& context, const Instr& instr) {
  workerOf(context).copies().wait(context.warp->index, context.mask,
                                  static_cast<uint32_t>(instr.offset), context.shared.host);
}

void waitForAllCopies(Context& context, const Instr&) {
  workerOf(context).copies().waitAll(context.warp->index, context.mask, context.shared.host);
}

void repeatLanes(Context& context, const Instr& instr) {
  const uint32_t bytes = instr.wideResult ? 8 : 4;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const auto from = lane % static_cast<uint32_t>(instr.offset);
    std::memcpy(context.registers + instr.d + lane * bytes,
                context.registers + instr.a + from * bytes, bytes);
  }
}

/// PTX ISA 9.0, ldmatrix. Lane 8 m + r has the address of row r of matrix m. Of each matrix, lane i
/// gets two elements of row i / 4, or, if transposed, of column i / 4.
void loadMatrix(Context& context, const Instr& instr) {
  const uint32_t rows[] = {instr.d, instr.a, instr.b, instr.c};
  uint32_t results[4][kLanes] = {};
  for (uint32_t matrix = 0; matrix < instr.elements; ++matrix) {
    const uint8_t* row[8];
    static constexpr uint8_t kNothing[kMatrixRow] = {};
    for (uint32_t r = 0; r < 8; ++r) {
      const auto offset = sharedOffset(context, instr, 8 * matrix + r, kMatrixRow);
      row[r] = offset ? context.shared.host + *offset : kNothing;
    }
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t major = lane / 4, minor = 2 * (lane % 4);
      const bool transposed = instr.isTransposed;
      const uint32_t low = transposed ? elementOf(row[minor], major) : elementOf(row[major], minor);
      const uint32_t high =
          transposed ? elementOf(row[minor + 1], major) : elementOf(row[major], minor + 1);
      results[matrix][lane] = low | high << 16;
    }
  }
  for (uint32_t matrix = 0; matrix < instr.elements; ++matrix) {
    forEachLane(context.mask, [&](uint32_t lane) {
      std::memcpy(context.registers + rows[matrix] + 4 * lane, &results[matrix][lane], 4);
    });
  }
}

}  // namespace tilestep::simt
