// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>

#include "simt/check/block_checker.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// Sees one block run. Called on the worker's thread; knows the core, which does not know it.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void before(const Context& context, const Instr& instr) = 0;
  virtual void after(const Context& context, const Instr& instr) = 0;
  /// A warp arrives at a barrier; its epoch is still the one before.
  virtual void barrier(const Warp& warp, uint32_t instruction) = 0;
  virtual void uneven() = 0;
};

/// Runs blocks one after the other on its thread: registers, shared memory, counters and memos.
class Worker {
 public:
  /// `shadows`: of the launch, where it is checked; else null.
  explicit Worker(Setup& setup, const GlobalShadows* shadows = nullptr);

  /// `observer` may be null.
  void runBlock(Dim3 block, BlockObserver* observer);

  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// One of them is such that the launch should end.
  [[nodiscard]] bool broken() const { return broken_; }
  /// Null where nothing is checked.
  [[nodiscard]] const BlockChecker* checker() const { return checker_.get(); }
  [[nodiscard]] const std::deque<Counts>& epochs() const { return epochs_; }
  [[nodiscard]] bool epochsTruncated() const { return epochsTruncated_; }

 private:
  enum class State : uint8_t { ready, waiting, done };

  void fillRows(uint8_t* registers, uint32_t warp) const;
  void startBlock(Dim3 block, BlockObserver* observer);
  void runWarp(uint32_t warp);
  bool releaseBarriers();
  void release(uint32_t first);
  [[nodiscard]] bool isComplete(uint32_t warp) const;
  [[nodiscard]] Counts* countsOf(uint32_t epoch);
  void stuck();
  void addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address);
  void addBarrierFault(const Warp& warp, uint32_t lane, const std::string& message);
  static void onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                      uint64_t address);
  static void onConflict(Context& context, const Instr& instr, const Conflict& conflict);
  static void onBefore(Context& context, const Instr& instr);
  static void onAfter(Context& context, const Instr& instr);

  Setup& setup_;
  uint32_t warps_;
  struct FreeAligned {
    void operator()(uint8_t* memory) const;
  };
  using Memory = std::unique_ptr<uint8_t, FreeAligned>;
  static Memory allocate(size_t bytes);

  Memory registers_, shared_, local_;
  std::unique_ptr<Memo[]> memos_;
  std::vector<Warp> warp_;
  std::vector<State> state_;
  std::vector<uint32_t> turns_;  ///< Order of the warps.
  std::vector<uint32_t> released_;
  std::deque<Counts> epochs_;    ///< A deque keeps its elements in place.
  bool epochsTruncated_ = false;
  std::unique_ptr<Context> context_;
  Dim3 block_;
  BlockObserver* observer_ = nullptr;
  std::unique_ptr<BlockChecker> checker_;
  std::vector<Fault> faults_;
  uint64_t accessFaults_ = 0;
  bool broken_ = false;
};

}  // namespace tilestep::simt
