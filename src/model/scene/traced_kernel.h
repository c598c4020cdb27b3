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

/// The elements of one operand that something touches: the smallest rectangle around them.
struct Area {
  int16_t operand = -1;
  uint32_t row = 0, column = 0, rows = 0, columns = 0;
  bool dense = false;  ///< Every element in it is touched.
};

/// The areas of some accesses to global memory, by operand; operands without rows are left out.
[[nodiscard]] std::vector<Area> areasOf(const compile::Plan& plan,
                                        const std::vector<trace::Access>& accesses);

/// A traced experiment as a scene shows it: the result, cut into steps. Never changes.
struct TracedKernel {
  std::string kernel;     ///< "matmul_tiled"
  std::string shortName;  ///< "tiled"
  compile::KernelSpec spec;
  std::string sourceText;
  uint32_t removedLine = 0;  ///< Of a barrier that was taken away from the source; 0: as it is.
  std::shared_ptr<const lab::RunResult> result;
  std::shared_ptr<const trace::Replay> replay;
  trace::PhaseTallies tallies;
  trace::Tally whole;  ///< Of all that the block did.
  uint64_t seed = 1;   ///< That the inputs are made from.
  /// Values of each operand that the kernel only reads, row-major; null for the others, and for
  /// larger ones than 2^20 elements (model/scene/seeded_values.h makes those).
  std::vector<std::shared_ptr<const std::vector<float>>> inputs;
  std::vector<Area> blockAreas;               ///< All that the block loads and stores.
  std::vector<std::vector<Area>> phaseLoads;  ///< What it loads, by step of the phase grain.
  std::vector<PhaseFacts> facts;              ///< By step of the phase grain.
  trace::BlockState end;                      ///< After the last step.
  /// By accumulator, then thread: whether the thread stores it to global memory. Of an accumulator
  /// whose stores are not known it is empty.
  std::vector<std::vector<bool>> sumsStored;
  /// By PTX instruction that the recording holds: its line in the source. One that the compiler
  /// gave no line, as a store that several branches share, takes that of the load that feeds it,
  /// else of the recorded instruction before it.
  std::map<uint32_t, uint32_t> lines;
  /// Of the kernel's run, also where the trace was cut before the last.
  [[nodiscard]] uint32_t phases() const;
  [[nodiscard]] uint32_t lineOf(const trace::TraceEvent& event) const;
};

/// How a kernel's recording is cut: by its own phase loop, else for a product at every
/// `phaseLength` of k, else not at all.
[[nodiscard]] trace::Cut cutFor(const compile::KernelSpec& spec, const compile::Plan& plan,
                                int64_t phaseLength);

/// "matmul_tiled" to "tiled", "matrix_sum" to "matrix sum".
[[nodiscard]] std::string shortNameOf(const std::string& kernel);
/// "NVIDIA H200"; of a recording "NVIDIA H200, recorded 2026-11-21".
[[nodiscard]] std::string deviceText(const device::DeviceInfo& device);

/// Null when the result holds no trace, one that names operands that are not there, or one that was
/// cut before any epoch was whole. Of one that was cut the whole epochs are kept.
[[nodiscard]] std::shared_ptr<const TracedKernel> traceKernel(const compile::CatalogueEntry& entry,
                                                              lab::RunResult result, uint64_t seed,
                                                              int64_t phaseLength,
                                                              uint32_t removedLine = 0);

/// As it is called by itself: "tiled", "tiled without line 86".
[[nodiscard]] std::string plainNameOf(const TracedKernel& side);
/// The same, called by another name.
[[nodiscard]] std::shared_ptr<const TracedKernel> withName(const TracedKernel& side,
                                                           std::string shortName);

/// Elements along k in a phase: of its own loop, else as it was cut; 0 where that is not known.
[[nodiscard]] uint64_t phaseLengthOf(const TracedKernel& side);
/// Elements of the outputs that the block makes.
[[nodiscard]] uint64_t elementsMade(const TracedKernel& side);

/// Where the value of a store to global memory came from, unchanged: the slot or the element that
/// its thread read.
struct StoreSource {
  bool shared = false;
  trace::Place place;  ///< Its buffer is -1 where nothing is known, as of a sum.
};

/// What happens at one step of a side, ready to draw; or at several that are taken as one. Never
/// changes.
struct TracedStep {
  std::shared_ptr<const TracedKernel> side;
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  size_t index = 0;
  size_t first = 0;  ///< The steps from here to `index` are one; mostly equal to it.
  std::optional<uint32_t> firstPhase;  ///< Of `first`.
  trace::Step step;
  trace::Activity activity;
  trace::BlockState state;
  std::vector<StoreSource> storeSources;  ///< Of activity.outputStores, one each.
  trace::Tally tally;  ///< Of the whole phase that the step lies in; outside phases of the step.
};
[[nodiscard]] std::shared_ptr<const TracedStep> makeStep(std::shared_ptr<const TracedKernel> side,
                                                         trace::StepGranularity grain,
                                                         size_t index);
/// Steps `first` to `last` as one: all that they do, and the state after the last.
[[nodiscard]] std::shared_ptr<const TracedStep> makeSteps(std::shared_ptr<const TracedKernel> side,
                                                          trace::StepGranularity grain,
                                                          size_t first, size_t last);

}  // namespace tilestep::model
