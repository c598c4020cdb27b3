// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/experiment.h"
#include "model/scene/phase_facts.h"
#include "trace/replay.h"
#include "trace/tally.h"

namespace tilestep::model {

/// The bounding rectangle of the accessed elements of one operand.
struct Area {
  int16_t operand = -1;
  uint32_t row = 0, column = 0, rows = 0, columns = 0;
  bool dense = false;  ///< Every element in the rectangle is accessed.
};

/// One accessed element of an operand, by its index in row-major order.
struct TouchedElement {
  uint64_t element = 0;
  uint32_t times = 0;  ///< The number of accesses, at least 1.
};
/// The number of occurrences of each of `elements`, in ascending order of elements.
[[nodiscard]] std::vector<TouchedElement> countElements(std::vector<uint64_t> elements);
/// The area of an operand's accessed elements, which are in ascending order. `columns` > 0, and
/// `touched` is not empty.
[[nodiscard]] Area areaOf(int16_t operand, uint64_t columns,
                          const std::vector<TouchedElement>& touched);
/// The areas of accesses to global memory, by operand. Operands without rows are omitted.
[[nodiscard]] std::vector<Area> areasOf(const compile::Plan& plan,
                                        const std::vector<trace::Access>& accesses);

/// A traced experiment, divided into steps for the scene. Immutable.
struct TracedKernel {
  std::string kernel;     ///< "matmul_tiled"
  std::string shortName;  ///< "tiled"
  compile::KernelSpec spec;
  std::string sourceText;
  /// The line of a removed barrier in the source; 0 if none was removed.
  uint32_t removedLine = 0;
  std::shared_ptr<const lab::RunResult> result;
  std::shared_ptr<const trace::Replay> replay;
  trace::PhaseTallies tallies;
  trace::Tally whole;   ///< Tally of the whole block.
  std::string sumName;  ///< The name of a thread's running sum in the source: "Pvalue".
  uint64_t seed = 1;    ///< Seed of the inputs.
  /// Row-major values of each operand that the kernel only reads. Null for other operands, and for
  /// operands of more than 2^20 elements, which model/scene/seeded_values.h computes.
  std::vector<std::shared_ptr<const std::vector<float>>> inputs;
  std::vector<Area> blockAreas;               ///< Everything that the block loads and stores.
  std::vector<std::vector<Area>> phaseLoads;  ///< The loads, by step at phase granularity.
  std::vector<PhaseFacts> facts;              ///< By step at phase granularity.
  trace::BlockState end;                      ///< After the last step.
  std::vector<trace::Place> wrong;            ///< The incorrect output elements (wrongOutputsOf).
  /// Indexed by accumulator, then by thread: whether the thread stores the sum to global memory.
  /// Empty for an accumulator whose stores are not known.
  std::vector<std::vector<bool>> sumsStored;
  /// The source line of each recorded PTX instruction. An instruction without a line, such as a
  /// store that several branches share, has the line of the load that feeds it or, without such a
  /// load, that of the preceding recorded instruction.
  std::map<uint32_t, uint32_t> lines;
  /// The phases of the whole run, even if the trace was cut off earlier.
  [[nodiscard]] uint32_t phases() const;
  [[nodiscard]] uint32_t lineOf(const trace::TraceEvent& event) const;
};

/// How a kernel's recording is divided into phases: by its own phase loop; without one, a product
/// is divided at every `phaseLength` of k, and any other kernel is not divided.
[[nodiscard]] trace::Cut cutFor(const compile::KernelSpec& spec, const compile::Plan& plan,
                                int64_t phaseLength);

/// "tiled" for "matmul_tiled", "matrix sum" for "matrix_sum".
[[nodiscard]] std::string shortNameOf(const std::string& kernel);
/// "NVIDIA H200"; for a recording "NVIDIA H200, recorded 2026-11-21".
[[nodiscard]] std::string deviceText(const device::DeviceInfo& device);

/// Null if the result has no trace, if the trace refers to missing operands, or if it ends before
/// its first epoch is complete. If the trace is truncated, only its complete epochs are kept.
[[nodiscard]] std::shared_ptr<const TracedKernel> traceKernel(const compile::CatalogueEntry& entry,
                                                              const lab::ResultPointer& result,
                                                              uint64_t seed, int64_t phaseLength,
                                                              uint32_t removedLine = 0);

/// The kernel's name without regard to a companion: "tiled", "tiled without line 86".
[[nodiscard]] std::string plainNameOf(const TracedKernel& side);
/// The same traced kernel under another name.
[[nodiscard]] std::shared_ptr<const TracedKernel> withName(const TracedKernel& side,
                                                           std::string shortName);

/// The number of elements along k in a phase of the kernel's own loop or, without one, of the
/// division; 0 if unknown.
[[nodiscard]] uint64_t phaseLengthOf(const TracedKernel& side);
[[nodiscard]] uint64_t elementsMade(const TracedKernel& side);

/// The slot or element from which a thread read the value that it stores to global memory, if the
/// value is unchanged.
struct StoreSource {
  bool shared = false;
  trace::Place place;  ///< Its buffer is -1 if the source is unknown, as for a sum.
};

/// One step of a traced kernel, or several taken as one, ready to draw. Immutable.
struct TracedStep {
  std::shared_ptr<const TracedKernel> side;
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  size_t index = 0;
  /// The first of the combined steps, which end at `index`; usually equal to `index`.
  size_t first = 0;
  std::optional<uint32_t> firstPhase;  ///< The phase of `first`.
  trace::Step step;
  trace::Activity activity;
  trace::BlockState state;
  std::vector<StoreSource> storeSources;  ///< One for each of activity.outputStores.
  /// The tally of the whole phase that contains the step, or of the step if it is outside of
  /// phases.
  trace::Tally tally;
};
[[nodiscard]] std::shared_ptr<const TracedStep> makeStep(std::shared_ptr<const TracedKernel> side,
                                                         trace::StepGranularity grain,
                                                         size_t index);
/// Steps `first` to `last` combined: all their activity, and the state after the last.
[[nodiscard]] std::shared_ptr<const TracedStep> makeSteps(std::shared_ptr<const TracedKernel> side,
                                                          trace::StepGranularity grain,
                                                          size_t first, size_t last);

}  // namespace tilestep::model
