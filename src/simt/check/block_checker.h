// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "simt/check/hazards.h"
#include "simt/check/state.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// What has happened to the global memory of a launch; shared by its workers.
class GlobalShadows {
 public:
  explicit GlobalShadows(const Setup& setup);
  [[nodiscard]] const Shadow* shadows() const { return shadows_.data(); }

 private:
  struct Free {
    void operator()(Mark* marks) const;
  };
  Mark* allocate(uint64_t count);
  std::vector<Shadow> shadows_;
  std::vector<std::unique_ptr<Mark[], Free>> memory_;
};

/// Checks the blocks of one worker, one after the other: keeps the shadow of shared memory and
/// knows what the block's barriers have put in order. Happens-before in the manner of FastTrack
/// (Flanagan and Freund, PLDI 2009), with a barrier's warps in place of threads.
class BlockChecker {
 public:
  BlockChecker(const Setup& setup, const GlobalShadows& globals, uint32_t warps);

  [[nodiscard]] CheckState* state() { return &state_; }
  void startBlock(const Dim3& block);
  void enter(uint32_t warp);  ///< Before a warp runs,
  void leave();               ///< and after.
  /// These warps have passed a barrier together; `all`: every one that has not ended.
  void passed(const std::vector<uint32_t>& warps, bool all);
  /// Decides whether two accesses are a hazard.
  void conflict(const Context& context, const Instr& instr, const Conflict& conflict);

  [[nodiscard]] const HazardTable& hazards() const { return hazards_; }

 private:
  [[nodiscard]] bool passedBarrier(const Conflict& conflict, bool shared) const;
  [[nodiscard]] uint64_t timeOf(Mark mark, bool shared) const;
  [[nodiscard]] uint64_t blockOf(Mark mark) const;
  [[nodiscard]] Mark globalFloor(uint64_t time) const;
  void allocateShared();

  const Setup& setup_;
  CheckState state_{};
  std::vector<Mark> sharedMarks_;
  std::vector<uint8_t> localWritten_;
  uint32_t warps_;
  uint32_t running_ = 0;
  uint64_t blockNumber_ = 0;
  uint64_t floor_ = 0;                ///< The time of the latest barrier of all.
  std::vector<uint64_t> times_;       ///< By warp.
  std::vector<uint64_t> warpFloors_;  ///< By warp: the time of its latest barrier of its own.
  /// known_[a * warps + b]: warp a comes after all that warp b did before this time. Only once some
  /// warps alone have passed a barrier.
  std::vector<uint64_t> known_;
  HazardTable hazards_;
};

}  // namespace tilestep::simt
