// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <span>

#include "simt/check/block_checker.h"
#include "simt/device_copies.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// Sees one block run. Called on the worker's thread; knows the core, which does not know it.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void before(const Context& context, const Instr& instr) = 0;
  virtual void after(const Context& context, const Instr& instr) = 0;
  /// Lanes of a warp (Warp::barrierLanes) arrive at a barrier; its epoch is still the one before.
  virtual void barrier(const Warp& warp, uint32_t instruction) = 0;
  /// These warps pass a barrier of the block together; their epochs are counted up already.
  virtual void released(const std::vector<uint32_t>& warps) { static_cast<void>(warps); }
  /// Lanes that waited for each other go on from bar.warp.sync, or from shfl.sync and its like.
  virtual void warpBarrier(const Warp& warp, uint32_t instruction, uint32_t lanes) {
    static_cast<void>(warp), static_cast<void>(instruction), static_cast<void>(lanes);
  }
  virtual void uneven() = 0;
};

/// Runs blocks one after the other on its thread: registers, shared memory, counters and memos.
class Worker {
 public:
  /// `shadows`: of the launch, where it is checked; else null.
  explicit Worker(Setup& setup, GlobalShadows* shadows = nullptr);

  /// `observer` may be null.
  void runBlock(Dim3 block, BlockObserver* observer);

  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// One of them is such that the launch should end.
  [[nodiscard]] bool broken() const { return broken_; }
  /// Null where nothing is checked.
  [[nodiscard]] const BlockChecker* checker() const { return checker_.get(); }
  /// What was printed, in the order of each warp.
  [[nodiscard]] const std::vector<Printed>& printed() const { return printed_; }
  [[nodiscard]] bool printedAll() const { return printedAll_; }
  /// A warp of the block that was under way when a stop was asked for; null: none was.
  [[nodiscard]] const std::optional<Fault>& interrupted() const { return interrupted_; }

  // For what device code asks of the host (device_calls.h), about a lane of the running warp:
  [[nodiscard]] const Program& program() const { return setup_.program; }
  [[nodiscard]] DeviceHeap& heap() { return setup_.heap; }
  [[nodiscard]] AsyncCopies& copies() { return copies_; }
  /// Null: these bytes of global memory are not all there.
  [[nodiscard]] const uint8_t* globalAt(uint64_t address, uint64_t bytes) const;
  /// Reports a fault at an instruction and ends the launch. `message` is a sentence without its
  /// end.
  void fail(const char* kind, uint32_t source, uint32_t lane, const std::string& message);
  void print(uint32_t source, uint32_t lane, std::string text);
  /// What is printed from now on is kept; false is remembered in printedAll.
  [[nodiscard]] bool prints();
  /// From a generic address to the end of its memory; empty where there is none.
  [[nodiscard]] std::span<const uint8_t> memoryAt(uint32_t lane, uint64_t address) const;
  /// `bytes` from a generic address; false: they are not all there.
  bool read(uint32_t lane, uint64_t address, void* to, size_t bytes) const;
  /// A string that ends with 0, cut after `most`; nothing where there is none.
  [[nodiscard]] std::optional<std::string> textAt(uint32_t lane, uint64_t address,
                                                  size_t most) const;
  [[nodiscard]] const std::deque<Counts>& epochs() const { return epochs_; }
  [[nodiscard]] bool epochsTruncated() const { return epochsTruncated_; }

 private:
  enum class State : uint8_t { ready, waiting, done };

  void fillRows(uint8_t* registers, uint32_t warp) const;
  void startBlock(Dim3 block, BlockObserver* observer);
  void startWarp(uint32_t warp);
  void runWarp(uint32_t warp);
  [[nodiscard]] uint32_t nextQuantum();
  bool releaseBarriers();
  [[nodiscard]] uint32_t barriersInUse() const;
  [[nodiscard]] bool isComplete(uint32_t barrier);
  void releaseBarrier(uint32_t barrier);
  void reduceAtBarrier(uint32_t barrier);
  void arrive(const Warp& warp);
  void noteUneven();
  [[nodiscard]] uint32_t waitingAt(const Warp& warp, uint32_t barrier) const;
  [[nodiscard]] Counts* countsOf(uint32_t epoch);
  void stuck();
  void noteInterrupted();
  [[nodiscard]] uint32_t lineOfBlock(uint32_t block) const;
  [[nodiscard]] uint32_t lanesOf(uint32_t warp) const;
  [[nodiscard]] std::string placeText(const Fault& fault) const;
  void addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address);
  static void onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                      uint64_t address);
  static void onConflict(Context& context, const Instr& instr, const Conflict& conflict);
  void watch();
  static void onBefore(Context& context, const Instr& instr);
  static void onAfter(Context& context, const Instr& instr);
  static void onMet(Context& context, const BasicBlock& block, uint32_t lanes);

  Setup& setup_;
  uint32_t warps_;
  struct FreeAligned {
    void operator()(uint8_t* memory) const;
  };
  using Memory = std::unique_ptr<uint8_t, FreeAligned>;
  static Memory allocate(size_t bytes);

  struct Free {
    void operator()(uint8_t* memory) const;
  };
  Memory registers_, shared_;
  std::unique_ptr<uint8_t, Free> local_;  ///< Pages of stacks that nobody uses take no memory.
  std::unique_ptr<Path[]> paths_;
  std::unique_ptr<Memo[]> memos_;
  std::vector<Warp> warp_;
  std::vector<State> state_;
  std::vector<uint32_t> turns_;  ///< Order of the warps.
  static constexpr uint32_t kBarriers = 16;
  struct Arrivals {
    uint32_t threads = 0, wanted = 0;
  };
  std::array<Arrivals, kBarriers> arrivals_;  ///< Of those that do not wait.
  std::vector<uint32_t> released_;            ///< Warps that pass a barrier; kept for its memory.
  AsyncCopies copies_;
  uint64_t random_ = 0;
  std::vector<Printed> printed_;
  size_t printedBytes_ = 0;
  bool printedAll_ = true;
  std::optional<Fault> interrupted_;
  std::deque<Counts> epochs_;  ///< A deque keeps its elements in place.
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
