// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "trace/block_trace.h"

/// The stepper's data, derived from a recording alone and never from a formula of the kernel.
namespace tilestep::trace {

/// Threads of a block are numbered x + y * shape.x + z * shape.x * shape.y, as CUDA does.
[[nodiscard]] constexpr uint32_t numberOf(const Dim3& thread, const Dim3& shape) {
  return thread.x + shape.x * (thread.y + shape.y * thread.z);
}
[[nodiscard]] constexpr Dim3 threadOf(uint32_t number, const Dim3& shape) {
  return {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
}

/// How a recording is divided into phases.
///  - By epochs (epochsPerPhase > 0): phase p is the epochsPerPhase epochs that begin at
///    firstEpoch + p * epochsPerPhase. Epochs before the first or after the last of `phases` are in
///    no phase.
///  - By k (phaseLength > 0), for kernels without a phase loop. A load belongs to phase
///    k / phaseLength, lane by lane, where k is its row or column in the operand. An accumulate
///    belongs to the phase of the latest load that feeds it, or of the latest load if none is known
///    to feed it. Stores to global memory and loads without a k belong to no phase.
///  - Neither: there are no phases, and stepping by phase is stepping by epoch.
struct Cut {
  enum class K : uint8_t { none, row, column };
  struct Operand {
    K k = K::none;         ///< Which coordinate of an element of this operand is k.
    uint64_t columns = 0;  ///< Elements per row.
    uint32_t elementBytes = 4;
  };
  uint32_t epochsPerPhase = 0;
  uint32_t firstEpoch = 0;
  uint32_t phases = 0;
  uint64_t phaseLength = 0;
  std::vector<Operand> operands;  ///< By operand index; an operand beyond the end has no k.
};

enum class StepGranularity : uint8_t { phase, epoch, event };

/// The kind of work in a step, derived from its events.
enum class StepKind : uint8_t {
  load,       ///< Reads global memory or fills shared memory.
  compute,    ///< Accumulates or reads shared memory.
  writeBack,  ///< Stores to global memory.
  whole,      ///< Several of these, or none.
};
[[nodiscard]] std::string_view toText(StepKind kind);

struct Step {
  std::optional<uint32_t> phase;
  uint32_t epoch = 0;      ///< The first epoch that it touches.
  uint32_t lastEpoch = 0;  ///< The last epoch that it touches.
  StepKind kind = StepKind::whole;
  std::vector<uint32_t> lines;  ///< Source lines, ascending, each once.
  /// Events of the recording, both included. With phases by k, a step holds only some of the events
  /// between them.
  uint32_t firstEvent = 0, lastEvent = 0;
};

/// One element that one lane touches. A wider access (a vector) is split into elements: the
/// narrowest width that the recording shows for that array or operand.
struct Access {
  uint32_t event = 0;
  uint32_t thread = 0;  ///< numberOf
  uint16_t warp = 0;
  uint8_t lane = 0;
  uint8_t width = 0;    ///< Bytes.
  int16_t buffer = -1;  ///< Operand, shared array or accumulator, as in TraceEvent.
  uint32_t offset = 0;  ///< Bytes into it.
  uint64_t bits = 0;    ///< The value, zero-extended.
  bool operator==(const Access&) const = default;
};

/// A place in a buffer: an element of an operand or a slot of a shared array.
struct Place {
  int16_t buffer = -1;
  uint32_t offset = 0;  ///< Bytes.
  bool operator==(const Place&) const = default;
};

struct GlobalLoad {
  Access from;
  /// The shared slot to which the value is stored within the step, if any; in the step of a single
  /// access, before the warp's next barrier. For an asynchronous copy: the slot at which its data
  /// arrives, in any step.
  std::optional<Place> to;
  bool isCopy = false;  ///< By cp.async: the thread does not wait for the data here.
};

/// The accesses in a step.
struct Activity {
  std::vector<GlobalLoad> globalLoads;
  std::vector<Access> sharedWrites, sharedReads, accumulates, outputStores;
  std::vector<Access> atomics;  ///< Shared and global ones; `bits` as the device recorded them.
};

/// One element of a shared array. Every element that occurs in the recording is listed.
struct SharedSlot {
  Place place;
  uint8_t width = 0;  ///< Bytes.
  bool written = false;
  bool known = false;  ///< False after an atomic operation whose result no later load shows.
  uint64_t bits = 0;
  uint32_t writer = 0;          ///< Thread that wrote it last.
  uint32_t epoch = 0;           ///< The epoch of that write.
  std::optional<Place> origin;  ///< Its operand element, if BlockTrace::feeds and values show it.
  bool operator==(const SharedSlot&) const = default;
};

struct Accumulator {
  uint32_t thread = 0;
  int16_t index = 0;
  uint8_t width = 0;
  uint64_t bits = 0;
  uint32_t updates = 0;  ///< 0: not yet updated, so its value is unknown.
  bool operator==(const Accumulator&) const = default;
};

/// An element of global memory to which the block stores at some point.
struct OutputElement {
  Place place;
  uint8_t width = 0;
  bool written = false;
  bool known = false;
  uint64_t bits = 0;
  uint32_t writer = 0;
  bool operator==(const OutputElement&) const = default;
};

/// The block after a step. Lists are sorted: slots and outputs by place, accumulators by thread
/// and index; they hold the same entries at every step.
struct BlockState {
  std::vector<SharedSlot> shared;
  std::vector<Accumulator> accumulators;
  std::vector<OutputElement> outputs;

  [[nodiscard]] const SharedSlot* findShared(Place place) const;
  [[nodiscard]] const Accumulator* findAccumulator(uint32_t thread, int16_t index = 0) const;
  bool operator==(const BlockState&) const = default;
};

/// A finished recording divided into steps. Immutable after construction and safe to read from any
/// thread. Keeps the recording alive. Construction reads every event once or twice. Checkpoints
/// bound the cost of any state, forward or backward.
class Replay {
 public:
  Replay(std::shared_ptr<const BlockTrace> recording, Cut cut);
  ~Replay();
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;

  [[nodiscard]] const BlockTrace& recording() const;
  [[nodiscard]] const Cut& cut() const;

  /// The number of steps at a granularity; 0 for an empty recording.
  [[nodiscard]] size_t size(StepGranularity grain) const;
  /// `index` < size(grain).
  [[nodiscard]] Step step(StepGranularity grain, size_t index) const;
  /// The step at granularity `to` in which step `index` at granularity `from` ends.
  [[nodiscard]] size_t sameMoment(StepGranularity from, size_t index, StepGranularity to) const;
  /// The first step at `grain` that lies in `phase`, if there is one.
  [[nodiscard]] std::optional<size_t> firstOfPhase(StepGranularity grain, uint32_t phase) const;

  [[nodiscard]] Activity activityOf(StepGranularity grain, size_t index) const;
  /// Replaces `to` with the elements that the lanes of an event touch.
  void readAccesses(uint32_t event, std::vector<Access>& to) const;
  /// Before the first step: nothing written.
  [[nodiscard]] BlockState start() const;
  [[nodiscard]] BlockState stateAfter(StepGranularity grain, size_t index) const;

  /// The part of an event that belongs to a step.
  struct Piece {
    uint32_t event = 0;
    uint32_t mask = 0;  ///< Lanes of the event that are in the step.
  };
  [[nodiscard]] std::vector<Piece> piecesOf(StepGranularity grain, size_t index) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace tilestep::trace
