// SPDX-License-Identifier: Apache-2.0
// Passes values that were never set between a block's memory and the companions of registers.
#include <algorithm>

#include "simt/check/block_checker.h"
#include "simt/check/unset_bits.h"
#include "simt/check/unset_results.h"

namespace tilestep::simt {
namespace {

/// After this many reads, one read at a site represents all lanes of its warp.
constexpr size_t kMostReads = size_t{1} << 16;
/// The number of bytes of shared memory for which one origin is kept.
constexpr uint64_t kOriginBytes = 4;

AccessFault kindOf(bool isDoubt, bool wasStored) {
  if (isDoubt) return wasStored ? AccessFault::valuelessCopy : AccessFault::copied;
  return wasStored ? AccessFault::valueless : AccessFault::uninitialised;
}

bool isAbsent(uint32_t origin) {
  return origin >= UnsetOrigin::kAbsent && origin < UnsetOrigin::kMemory;
}

}  // namespace

/// Clears the companions of a load's results. foundUnwritten() sets those of unset bytes.
void BlockChecker::clearCompanions(Context& context, const Instr& instr) {
  const CheckSite& site = state_.sites[instr.site];
  for (const uint32_t row : site.companions) {
    if (row == kNoRow) continue;
    for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1)
      setUnset(context, row, static_cast<uint32_t>(__builtin_ctz(mask)), {});
  }
}

uint32_t BlockChecker::originOf(const Context& context, uint32_t site, uint32_t lane,
                                uint64_t address, bool wasStored) {
  const auto keyOf = [&](uint64_t ofLane) {
    return (uint64_t{context.warp->index} << 48 | uint64_t{site} << 8 | ofLane) << 1 |
           (wasStored ? 1 : 0);
  };
  constexpr uint64_t kAnyLane = kLanes;
  auto known = unsetOrigins_.find(keyOf(lane));
  const bool isFull = unsetReads_.size() >= kMostReads;
  if (known == unsetOrigins_.end() && isFull) known = unsetOrigins_.find(keyOf(kAnyLane));
  if (known != unsetOrigins_.end()) return known->second;
  const auto origin = static_cast<uint32_t>(UnsetOrigin::kMemory + unsetReads_.size());
  unsetReads_.push_back({address, site, static_cast<uint8_t>(lane), wasStored});
  unsetOrigins_.emplace(keyOf(isFull ? kAnyLane : lane), origin);
  return origin;
}

/// The origin of the unset value at an address of shared memory; 0 if it is not a read with a line.
uint32_t BlockChecker::storedOriginAt(const Context& context, uint64_t address) const {
  const uint64_t start = address >= kSharedWindow ? kSharedWindow : context.shared.start;
  const auto found = sharedOrigins_.find((address - start) / kOriginBytes);
  if (found == sharedOrigins_.end() || found->second < UnsetOrigin::kMemory) return 0;
  const UnsetRead& read = unsetReads_[found->second - UnsetOrigin::kMemory];
  const uint32_t line = setup_.program.lineOf(state_.sites[read.site].source);
  return line == 0 ? 0 : found->second;
}

void BlockChecker::foundUnwritten(Context& context, const Instr& instr, uint32_t lane,
                                  uint64_t address, const uint8_t* unset, bool wasStored) {
  const CheckSite& site = state_.sites[instr.site];
  if (site.unwritten != OnUnwritten::follow) {
    const AccessFault kind = kindOf(site.unwritten == OnUnwritten::doubt, wasStored);
    return context.fault(context, instr, lane, kind, address);
  }
  startUnset(context);
  const uint32_t stored = wasStored ? storedOriginAt(context, address) : 0;
  const uint32_t origin =
      stored != 0 ? stored : originOf(context, instr.site, lane, address, wasStored);
  const uint32_t bytes = instr.bytes / instr.elements;
  for (uint32_t element = 0; element < instr.elements; ++element) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < bytes; ++i) bits |= uint64_t{unset[element * bytes + i]} << (8 * i);
    const uint32_t row = site.companions[element];
    if (site.isSigned) bits = signExtended(bits, 8 * int64_t{bytes});
    if (row != kNoRow) setUnset(context, row, lane, {bits, origin});
  }
}

void BlockChecker::noteStored(Context& context, const Instr& instr, uint32_t lane,
                              const Region* region, uint64_t offset) {
  const CheckSite& site = state_.sites[instr.site];
  const uint32_t elements = instr.elements, bytes = instr.bytes / elements;
  const bool isShared = region == &context.shared;
  for (uint32_t element = 0; element < elements; ++element, offset += bytes) {
    Unset unset = unsetAt(context, site.companions[element], lane);
    if (bytes < 8) unset.bits &= (uint64_t{1} << (8 * bytes)) - 1;
    if (region != nullptr && !isShared) {
      const bool isWhole =
          bytes == 8 ? ~unset.bits == 0 : unset.bits + 1 == uint64_t{1} << (8 * bytes);
      if (unset.bits != 0) reportUse(context, instr, lane, unset.origin, elements > 1 || !isWhole);
      continue;
    }
    // A value from a lane outside the shuffle is reported once other threads can read it.
    if (isShared && unset.bits != 0 && isAbsent(unset.origin))
      reportUse(context, instr, lane, unset.origin, elements > 1);
    uint8_t* to = isShared ? state_.sharedUnset : state_.localUnset + lane * context.localBytes;
    for (uint32_t i = 0; i < bytes; ++i)
      to[offset + i] = static_cast<uint8_t>(unset.bits >> (8 * i));
    if (!isShared || unset.bits == 0) continue;
    state_.sharedHoldsUnset = true;
    sharedOrigins_[offset / kOriginBytes] = unset.origin;
  }
}

void BlockChecker::reportUse(Context& context, const Instr& instr, uint32_t lane, uint32_t origin,
                             bool inPart) {
  if (origin >= UnsetOrigin::kMemory) {
    const UnsetRead& read = unsetReads_[origin - UnsetOrigin::kMemory];
    const AccessFault kind = kindOf(inPart, read.wasStored);
    return context.fault(context, state_.sites[read.site].access, read.lane, kind, read.address);
  }
  // A vector store may copy a structure in which some members were never set.
  if (inPart) return;
  Instr at = instr;
  const uint32_t shuffle = origin - UnsetOrigin::kAbsent;
  if (isAbsent(origin) && setup_.program.lineOf(shuffle) != 0) at.source = shuffle;
  context.fault(context, at, lane, isAbsent(origin) ? AccessFault::absent : AccessFault::unset, 0);
}

}  // namespace tilestep::simt
