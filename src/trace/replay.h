// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "trace/block_trace.h"

/// The stepper's data, derived only from a recording, never from a formula about the kernel.
namespace tilestep::trace {

/// The linear thread index of CUDA, x + y * shape.x + z * shape.x * shape.y.
[[nodiscard]] constexpr uint32_t numberOf(const Dim3& thread, const Dim3& shape) {
  return thread.x + shape.x * (thread.y + shape.y * thread.z);
}
[[nodiscard]] constexpr Dim3 threadOf(uint32_t number, const Dim3& shape) {
  return {number % shape.x, number / shape.x % shape.y, number / shape.x / shape.y};
}

/// How a recording is divided into phases.
///  - By epochs (epochsPerPhase > 0). Phase p, below `phases`, consists of epochsPerPhase epochs
///    from firstEpoch + p * epochsPerPhase on. All other epochs are in no phase.
///  - By k (phaseLength > 0), for kernels without a phase loop. Each lane's load belongs to phase
///    k / phaseLength, where k is the row or column of the loaded element. An accumulate belongs to
///    the phase of the latest load that feeds it or, if no load is known to feed it, of the latest
///    load. Stores to global memory and loads without a k belong to no phase.
///  - Otherwise, there are no phases, and stepping by phase is the same as stepping by epoch.
struct Cut {
  enum class K : uint8_t { none, row, column };
  struct Operand {
    K k = K::none;         ///< The coordinate of an element that is k.
    uint64_t columns = 0;  ///< Elements per row.
    uint32_t elementBytes = 4;
  };
  uint32_t epochsPerPhase = 0;
  uint32_t firstEpoch = 0;
  uint32_t phases = 0;
  uint64_t phaseLength = 0;
  std::vector<Operand> operands;  ///< By operand index; operands beyond the end have no k.
};

enum class StepGranularity : uint8_t { phase, epoch, event };

/// The kind of a step's work, derived from its events.
enum class StepKind : uint8_t {
  load,       ///< Reads global memory or fills shared memory.
  compute,    ///< Accumulates or reads shared memory.
  writeBack,  ///< Stores to global memory.
  whole,      ///< Several of these kinds, or none of them.
};
[[nodiscard]] std::string_view toText(StepKind kind);

struct Step {
  std::optional<uint32_t> phase;
  uint32_t epoch = 0;      ///< The epoch of the earliest event.
  uint32_t lastEpoch = 0;  ///< The epoch of the latest event.
  StepKind kind = StepKind::whole;
  std::vector<uint32_t> lines;  ///< Distinct source lines, ascending.
  /// First and last event. With phases by k, a step contains only some of the events between them.
  uint32_t firstEvent = 0, lastEvent = 0;
};

/// One lane's access to one element. Vector accesses are split into elements (see Elements).
struct Access {
  uint32_t event = 0;
  uint32_t thread = 0;  ///< As returned by numberOf().
  uint16_t warp = 0;
  uint8_t lane = 0;
  uint8_t width = 0;    ///< Bytes.
  int16_t buffer = -1;  ///< Operand, shared array or accumulator, as in TraceEvent.
  uint32_t offset = 0;  ///< Byte offset in the buffer.
  uint64_t bits = 0;    ///< The value, zero-extended.
  bool operator==(const Access&) const = default;
};

/// Where an element of an operand or shared array is.
struct Place {
  int16_t buffer = -1;
  uint32_t offset = 0;  ///< Bytes.
  bool operator==(const Place&) const = default;
};

struct GlobalLoad {
  Access from;
  /// The shared element to which the value is stored within the step or, if the step is a single
  /// access, before the warp's next barrier. Absent if it is not stored. For an asynchronous copy,
  /// the element at which the data arrive, in any step.
  std::optional<Place> to;
  bool isCopy = false;  ///< By cp.async, so the thread does not wait for the data.
};

struct Activity {
  std::vector<GlobalLoad> globalLoads;
  std::vector<Access> sharedWrites, sharedReads, accumulates, outputStores;
  std::vector<Access> atomics;  ///< In shared and global memory; `bits` as recorded by the device.
};

struct SharedSlot {
  Place place;
  uint8_t width = 0;  ///< Bytes.
  bool written = false;
  /// False after an atomic operation whose result is not known from a later load.
  bool known = false;
  uint64_t bits = 0;
  uint32_t writer = 0;          ///< The thread of the latest write.
  uint32_t epoch = 0;           ///< The epoch of the latest write.
  std::optional<Place> origin;  ///< The operand element that was stored, if known (see Origins).
  bool operator==(const SharedSlot&) const = default;
};

struct Accumulator {
  uint32_t thread = 0;
  int16_t index = 0;
  uint8_t width = 0;
  uint64_t bits = 0;
  uint32_t updates = 0;  ///< 0 if not yet updated; the value is then unknown.
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

/// The state of the block after a step. `shared` and `outputs` are sorted by place, and
/// `accumulators` by thread and index. Every state lists all recorded elements.
struct BlockState {
  std::vector<SharedSlot> shared;
  std::vector<Accumulator> accumulators;
  std::vector<OutputElement> outputs;

  [[nodiscard]] const SharedSlot* findShared(Place place) const;
  [[nodiscard]] const Accumulator* findAccumulator(uint32_t thread, int16_t index = 0) const;
  bool operator==(const BlockState&) const = default;
};

/// A finished recording divided into steps. Immutable after construction and safe to read from any
/// thread. Keeps the recording alive. Checkpoints limit the cost of stepping to any state, forward
/// or backward.
class Replay {
 public:
  Replay(std::shared_ptr<const BlockTrace> recording, Cut cut);
  ~Replay();
  Replay(Replay&&) noexcept;
  Replay& operator=(Replay&&) noexcept;

  [[nodiscard]] const BlockTrace& recording() const;
  [[nodiscard]] const Cut& cut() const;

  [[nodiscard]] size_t size(StepGranularity grain) const;
  /// `index` < size(grain).
  [[nodiscard]] Step step(StepGranularity grain, size_t index) const;
  /// The step at granularity `to` that contains the end of step `index` at granularity `from`.
  [[nodiscard]] size_t sameMoment(StepGranularity from, size_t index, StepGranularity to) const;
  /// The first step at granularity `grain` that is in `phase`, if there is one.
  [[nodiscard]] std::optional<size_t> firstOfPhase(StepGranularity grain, uint32_t phase) const;

  [[nodiscard]] Activity activityOf(StepGranularity grain, size_t index) const;
  /// Replaces the content of `to` by the elements that the lanes of an event access.
  void readAccesses(uint32_t event, std::vector<Access>& to) const;
  /// The state before the first step, in which nothing is written.
  [[nodiscard]] BlockState start() const;
  [[nodiscard]] BlockState stateAfter(StepGranularity grain, size_t index) const;

  /// The part of an event that belongs to a step.
  struct Piece {
    uint32_t event = 0;
    uint32_t mask = 0;  ///< The lanes of the event that are in the step.
  };
  [[nodiscard]] std::vector<Piece> piecesOf(StepGranularity grain, size_t index) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace tilestep::trace
