// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <span>

#include "simt/run/resident.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// The number of paths allocated per warp.
[[nodiscard]] size_t pathsOf(const Program& program);

/// Observes one block. Called on the worker's thread.
class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  virtual void before(const Context& context, const Instr& instr) = 0;
  virtual void after(const Context& context, const Instr& instr) = 0;
  /// Lanes of a warp (Warp::barrierLanes) arrive at a barrier. Warp::epoch is not incremented yet.
  virtual void barrier(const Warp& warp, uint32_t instruction) = 0;
  /// These warps pass a barrier of the block together. Their epochs are already incremented.
  virtual void released(const std::vector<uint32_t>& warps) { static_cast<void>(warps); }
  /// Lanes that waited for each other continue after bar.warp.sync, shfl.sync or the like.
  virtual void warpBarrier(const Warp& warp, uint32_t instruction, uint32_t lanes) {
    static_cast<void>(warp), static_cast<void>(instruction), static_cast<void>(lanes);
  }
  /// A wait has completed these copies of a warp. `shared` is the block's shared memory.
  virtual void arrived(const Warp& warp, const std::vector<AsyncCopies::Copy>& copies,
                       const uint8_t* shared) {
    static_cast<void>(warp), static_cast<void>(copies), static_cast<void>(shared);
  }
  virtual void uneven() = 0;
};

/// Runs blocks on one host thread. Owns registers, shared memory, counters and address patterns.
class Worker {
 public:
  /// `shadows` is null unless the launch is checked.
  explicit Worker(Setup& setup, GlobalShadows* shadows = nullptr);

  /// How a block's turn ended. `ended`: the block has ended. `waits`: all warps wait or repeat
  /// loops in which they wait. `rests`: the block lets others run (Setup::interleaves).
  enum class Turn : uint8_t { ended, waits, rests };
  /// `observer` may be null. Unless the block has ended, putAside() must be called next.
  Turn runBlock(Dim3 block, BlockObserver* observer);
  void putAside();  ///< Suspends the current block, which has not ended.
  [[nodiscard]] size_t aside() const { return aside_.size(); }
  /// Gives each suspended block one turn. Returns true if any of them did more than wait.
  bool takeTurns();
  /// Where the first suspended block waits.
  [[nodiscard]] std::optional<Fault> placeOfWaiting();

  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  /// Whether a fault must end the launch.
  [[nodiscard]] bool broken() const { return broken_; }
  void addHazards(HazardTable& to) const;
  [[nodiscard]] const std::vector<RequestUse>& requests() const { return requests_; }
  [[nodiscard]] const SharedUse& sharedUse() const { return sharedUse_; }
  /// The output of printf, in order for each warp.
  [[nodiscard]] const std::vector<Printed>& printed() const { return printed_; }
  [[nodiscard]] bool printedAll() const { return printedAll_; }
  /// Where the running block was when a stop was requested; empty if none was running.
  [[nodiscard]] const std::optional<Fault>& interrupted() const { return interrupted_; }

  // For functions that the host executes (device_calls.h). `lane` is a lane of the running warp.
  [[nodiscard]] const Program& program() const { return setup_.program; }
  [[nodiscard]] bool isCooperative() const { return setup_.request->launch.cooperative; }
  [[nodiscard]] DeviceHeap& heap() { return setup_.heap; }
  /// Allocates heap memory and makes the checkers treat it as new. Returns 0 if no memory is left.
  uint64_t allocateInHeap(uint64_t bytes);
  [[nodiscard]] AsyncCopies& copies() { return now_->copies; }
  /// Null unless all of these bytes of global memory are mapped.
  [[nodiscard]] const uint8_t* globalAt(uint64_t address, uint64_t bytes) const;
  /// Reports a fault at an instruction and ends the launch. `message` has no full stop.
  void fail(const char* kind, uint32_t source, uint32_t lane, const std::string& message);
  void print(uint32_t source, uint32_t lane, std::string text);
  /// Whether further output is kept. If not, printedAll() becomes false.
  [[nodiscard]] bool prints();
  /// The bytes from a generic address to the end of its memory; empty if nothing is mapped.
  [[nodiscard]] std::span<const uint8_t> memoryAt(uint32_t lane, uint64_t address) const;
  /// Reads `bytes` bytes from a generic address. Returns false unless all of them are mapped.
  bool read(uint32_t lane, uint64_t address, void* to, size_t bytes) const;
  /// The null-terminated string at an address, truncated to `most` characters; nothing if none.
  [[nodiscard]] std::optional<std::string> textAt(uint32_t lane, uint64_t address,
                                                  size_t most) const;
  [[nodiscard]] const std::deque<Counts>& epochs() const { return epochs_; }
  [[nodiscard]] bool epochsTruncated() const { return epochsTruncated_; }
  /// By basic block: kReached and kParted of its branch.
  [[nodiscard]] const std::vector<uint8_t>& branched() const { return branched_; }

 private:
  using State = Resident::State;

  void fillRows(uint8_t* registers, uint32_t warp) const;
  [[nodiscard]] std::unique_ptr<Resident> furnish();
  void enter(std::unique_ptr<Resident> room);
  void startBlock(Dim3 block, BlockObserver* observer);
  Turn goOn();
  [[nodiscard]] bool onlyWaits();
  [[nodiscard]] bool makesRoom();
  void dropSpare();
  [[nodiscard]] uint64_t stateOf(const Warp& warp) const;
  void startWarp(uint32_t warp);
  void runWarp(uint32_t warp);
  void failAt(const Warp& warp, Pause pause);
  static uint32_t laneWithoutLabel(const Warp& warp, uint32_t lanes, const DecodedBlock& block);
  void countInstructions(const Warp& warp, uint64_t count);
  [[nodiscard]] uint32_t nextQuantum();
  bool releaseBarriers();
  [[nodiscard]] uint32_t barriersInUse() const;
  [[nodiscard]] bool isComplete(uint32_t barrier);
  void releaseBarrier(uint32_t barrier);
  void reduceAtBarrier(uint32_t barrier);
  void lookForParting(const Warp& warp, uint32_t barrier);
  void arrive(const Warp& warp);
  void noteUneven();
  [[nodiscard]] uint32_t waitingAt(const Warp& warp, uint32_t barrier) const;
  [[nodiscard]] Counts* countsOf(uint32_t epoch);
  void stuck();
  void noteInterrupted();
  [[nodiscard]] uint32_t lineOfBlock(uint32_t block) const;
  [[nodiscard]] uint32_t lanesOf(uint32_t warp) const;
  [[nodiscard]] std::string placeText(const Fault& fault) const;
  [[nodiscard]] bool isInput(uint64_t address) const;
  void addFault(const Instr& instr, uint32_t lane, AccessFault kind, uint64_t address);
  static void onFault(Context& context, const Instr& instr, uint32_t lane, AccessFault kind,
                      uint64_t address);
  static void onConflict(Context& context, const Instr& instr, const Conflict& conflict);
  void watch(Resident& room);
  static void onBefore(Context& context, const Instr& instr);
  static void onAfter(Context& context, const Instr& instr);
  static void onCalled(Context& context, const DecodedBlock& block, uint32_t lanes);
  static void onMet(Context& context, const DecodedBlock& block, uint32_t lanes);
  /// Reports a lane that calls shfl.sync or the like with a mask that does not include the lane.
  void lookAtMembers(const Context& context, const DecodedBlock& block, uint32_t lanes);

  Setup& setup_;
  GlobalShadows* shadows_;
  PendingStores::Slot* pending_;  ///< Null without shadows.
  uint32_t warps_;
  static Resident::Memory allocate(size_t bytes);

  std::unique_ptr<Resident> now_;                 ///< The running block.
  std::deque<std::unique_ptr<Resident>> aside_;   ///< Suspended blocks.
  std::vector<std::unique_ptr<Resident>> spare_;  ///< Memory of blocks that have ended.
  HazardTable dropped_;                           ///< Hazards from released spare memory.
  std::unique_ptr<AddressPattern[]> memos_;
  static constexpr uint32_t kBarriers = Resident::kBarriers;
  using Arrivals = Resident::Arrivals;
  std::vector<uint32_t> released_;  ///< Used by releaseBarrier(); a member to reuse its memory.
  std::vector<Printed> printed_;
  size_t printedBytes_ = 0;
  bool printedAll_ = true;
  std::optional<Fault> interrupted_;
  uint64_t executedInTurn_ = 0;  ///< Instructions since the block's latest turn began.
  std::deque<Counts> epochs_;    ///< A deque, because elements must keep their addresses.
  bool epochsTruncated_ = false;
  std::vector<uint8_t> branched_;
  std::vector<RequestUse> requests_;  ///< By site, if the launch is checked.
  SharedUse sharedUse_;
  std::unique_ptr<Context> context_;
  std::vector<Fault> faults_;
  uint64_t accessFaults_ = 0;
  bool broken_ = false;
};

[[nodiscard]] inline Worker& workerOf(Context& context) {
  return *static_cast<Worker*>(context.owner);
}

template <class Visit>
void forEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(__builtin_ctz(mask)));
}

}  // namespace tilestep::simt
