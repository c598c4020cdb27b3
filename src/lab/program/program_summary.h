// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"

/// The outcome of a run of a whole program, for people. It has no traces, memory or counters, and
/// may come from another process.
namespace tilestep::lab {

/// A fault or a remark. Launches with the same finding share one entry.
struct ProgramFinding {
  bool isFault = true;     ///< False for a remark.
  std::string kind;        ///< "out-of-bounds"; empty if only `message` describes the finding.
  std::string kernel;      ///< As the author wrote it; empty if the finding is about the host.
  std::string file;        ///< Empty for the program's own file, or if unknown.
  uint32_t line = 0;       ///< 0 if unknown.
  uint32_t otherLine = 0;  ///< The line of the first of the two accesses of a race.
  std::string message;     ///< Without a full stop.
  uint64_t times = 1;
  uint64_t launch = 0;  ///< The first launch with this finding, from 1; 0 if there is none.
  std::optional<Dim3> block, thread;
  /// How many barriers the thread's warp had passed before the access, or before the second access
  /// of a race; absent if unknown.
  std::optional<uint32_t> epoch;
  /// The order of blocks and warps that shows the finding; 0 for the usual order.
  uint64_t order = 0;
};

enum class ProgramStepKind : uint8_t { allocate, free, copy, fill, launch, wait, other };

/// One call of the CUDA runtime or one launch, or several equal steps in succession.
struct ProgramStep {
  ProgramStepKind kind = ProgramStepKind::other;
  std::string name;  ///< "cudaMemcpy", or the kernel's name as its author wrote it.
  std::string file;
  uint32_t line = 0;      ///< 0 if unknown.
  std::string memory;     ///< The device memory that is allocated, filled or copied: "d_A".
  std::string direction;  ///< The direction of a copy: "host to device".
  uint64_t bytes = 0;
  uint64_t stream = 0;
  bool failed = false;  ///< The call returned an error, or the launch had a fault.
  std::string note;     ///< Why a launch was rejected or did not run; otherwise empty.
  /// The operation that a launch seems to compute, "A · B", and the operand that holds its result,
  /// "C"; otherwise empty.
  std::string formula, result;
  uint64_t launch = 0;  ///< The launch's number, from 1; 0 if the step is no launch.
  bool ran = false;     ///< The launch ran, so its steps can be viewed.
  Dim3 grid, block;
  std::optional<double> milliseconds;  ///< The time on a GPU.
  uint64_t times = 1;
};

struct ProgramSummary {
  std::string ending;   ///< How the program ended, in sentences; empty if its exit status was 0.
  std::string ran;      ///< "3 launches of add on the SIMT interpreter, as an NVIDIA H200"
  std::string verdict;  ///< The checks that were made, if they found no fault; otherwise empty.
  std::vector<ProgramFinding> findings;  ///< Faults first. Likely causes precede their effects.
  std::vector<std::string> results;      ///< Operations that launches seem to compute.
  std::vector<std::string> notes;  ///< Things that were not inspected or not judged, in sentences.
  std::vector<ProgramStep> steps;  ///< In the order of the host's calls.
  uint64_t stepsLeftOut = 0;       ///< The number of further steps that were not kept.
  uint64_t launches = 0;
  bool timedOut = false;

  /// The number of faults, without those that only show a reported race in another order.
  [[nodiscard]] uint64_t faults() const;
};

/// "in add: out-of-bounds: thread (3, 0, 0) …", or "hw1.cu:12: unchecked-error: …".
[[nodiscard]] std::string textOf(const ProgramFinding& finding);

}  // namespace tilestep::lab
