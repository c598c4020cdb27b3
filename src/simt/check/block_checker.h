// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simt/check/global_shadows.h"
#include "simt/check/hazards.h"
#include "simt/check/state.h"
#include "simt/check/synchronisation.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// Checks the blocks of one worker, one after the other. Keeps the shadow of shared memory and the
/// order established by the block's barriers. The happens-before relation is computed as in
/// FastTrack (Flanagan and Freund, PLDI 2009), with warps in place of threads.
class BlockChecker {
 public:
  /// `slot` is the worker's slot in globals.pending().
  BlockChecker(const Setup& setup, GlobalShadows& globals, PendingStores::Slot& slot,
               uint32_t warps);

  [[nodiscard]] CheckState* state() { return &state_; }
  void startBlock(const Dim3& block);
  void enter(uint32_t warp);  ///< Call this before a warp runs,
  void leave();               ///< and this after it has run.
  /// These warps have passed a barrier together. `all` means that no other warp is unfinished.
  void passed(uint32_t barrier, const std::vector<uint32_t>& warps, bool all);
  /// The running warp has arrived at a barrier without waiting there (bar.arrive).
  void arrived(uint32_t barrier);
  /// These lanes of the running warp have met at a barrier of the warp.
  void warpBarrier(const Warp& warp, uint32_t lanes);
  /// Lanes of the running warp have met at a shuffle, a vote or a similar operation. The operation
  /// orders no accesses, but the lanes acquire what any one of them has acquired, because they may
  /// depend on the exchanged value. It counts for all lanes of the warp, which may hide a hazard.
  void lanesMet();
  /// An asynchronous copy of a lane of the running warp has arrived in shared memory.
  void copied(uint32_t lane, uint64_t offset, uint32_t bytes, uint32_t site);
  [[nodiscard]] std::mutex& answering() { return answering_; }
  void fence(const Context& context, const Instr& instr);
  void release(const Context& context, const Instr& instr, uint32_t lane, const Region* region,
               uint64_t offset);
  void acquire(const Context& context, const Instr& instr, uint32_t lane, const Region* region,
               uint64_t offset);
  /// The next four are CheckState's functions for unset values.
  void clearCompanions(Context& context, const Instr& instr);
  void foundUnwritten(Context& context, const Instr& instr, uint32_t lane, uint64_t address,
                      const uint8_t* unset, bool wasStored);
  void noteStored(Context& context, const Instr& instr, uint32_t lane, const Region* region,
                  uint64_t offset);
  void reportUse(Context& context, const Instr& instr, uint32_t lane, uint32_t origin, bool inPart);
  void publishStore(const Context& context, const Instr& instr);
  void conflict(const Context& context, const Instr& instr, const Conflict& conflict);

  [[nodiscard]] const HazardTable& hazards() const { return hazards_; }

 private:
  [[nodiscard]] bool areInOrder(const Context& context, const Conflict& conflict, bool shared,
                                const CheckSite& before, const CheckSite& now);
  [[nodiscard]] bool passedBarrier(const Conflict& conflict, bool shared) const;
  [[nodiscard]] bool passedWarpBarrier(const Conflict& conflict, bool shared) const;
  /// `place` is the place of the conflict if threads may wait for either access, else 0.
  [[nodiscard]] bool wasHandedOn(const Conflict& conflict, bool shared, uint64_t place);
  [[nodiscard]] BlockSync::When whenOf(uint32_t lane) const;
  [[nodiscard]] uint64_t placeOf(const Context& context, const Region* region,
                                 uint64_t offset) const;
  [[nodiscard]] bool writesTheSame(const Context& context, const Instr& instr,
                                   const Conflict& conflict, uint32_t granuleBytes) const;
  [[nodiscard]] bool findPending(const Context& context, const Conflict& conflict,
                                 uint32_t granuleBytes, uint8_t* bytes) const;
  [[nodiscard]] uint32_t globalSiteOf(Mark mark) const;
  void setFloors();
  uint32_t originOf(const Context& context, uint32_t site, uint32_t lane, uint64_t address,
                    bool wasStored);
  [[nodiscard]] uint32_t storedOriginAt(const Context& context, uint64_t address) const;
  void needKnown();
  [[nodiscard]] uint64_t timeOf(Mark mark, bool shared) const;
  [[nodiscard]] uint64_t blockOf(Mark mark) const;
  [[nodiscard]] Mark globalFloor(uint64_t time) const;
  void allocateShared();

  const Setup& setup_;
  CheckState state_{};
  std::vector<Mark> sharedMarks_;
  std::vector<uint8_t> localUnset_, sharedUnset_;
  std::vector<uint8_t> unset_;  ///< By warp.
  struct UnsetRead {
    uint64_t address = 0;
    uint32_t site = 0;
    uint8_t lane = 0;
    bool wasStored = false;  ///< A value that was never set was stored there.
  };
  /// The first read with each key of unsetOrigins_; its origin is kMemory plus its index.
  std::vector<UnsetRead> unsetReads_;
  std::unordered_map<uint64_t, uint32_t> unsetOrigins_;  ///< Key: warp, site, lane and wasStored.
  /// By word of shared memory: the origin of the unset value that was stored there last.
  std::unordered_map<uint64_t, uint32_t> sharedOrigins_;
  uint32_t warps_;
  unsigned blockBits_;  ///< Width of the block number, the first field of global memory marks.
  uint32_t running_ = 0;
  uint64_t blockNumber_ = 0;
  uint64_t floor_ = 0;                ///< The time of the latest barrier of all warps.
  std::vector<uint64_t> times_;       ///< By warp.
  std::vector<uint64_t> warpFloors_;  ///< By warp: the time of its latest warp-level barrier.
  std::vector<uint64_t> metAt_;       ///< By warp: the time of the latest call of lanesMet.
  /// known_[a * warps + b] is a time: warp a is ordered after everything that warp b did before it.
  /// Empty until a barrier of some of the warps.
  std::vector<uint64_t> known_;
  /// Likewise for the lanes a and b of a warp, at index (warp * 32 + a) * 32 + b. Empty until a
  /// barrier of some lanes of a warp.
  std::vector<uint64_t> laneKnown_;
  /// By barrier, then by warp: everything before this time precedes an arrival that did not wait.
  std::array<std::vector<uint64_t>, 16> arrived_;
  PendingStores& pending_;
  PendingStores::Slot& slot_;
  std::mutex& answering_;
  BlockSync sync_;
  HazardTable hazards_;
};

}  // namespace tilestep::simt
