// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"

/// What a run of a whole program came to, as people read it: a value without traces, memory or
/// counters, which may come from another process.
namespace tilestep::lab {

/// Something wrong, or a remark. What several launches share is one finding.
struct ProgramFinding {
  bool isFault = true;     ///< False: a remark.
  std::string kind;        ///< "out-of-bounds"; empty: `message` says it all.
  std::string kernel;      ///< As its author wrote it; empty: the finding is about the host.
  std::string file;        ///< Empty: the program's own, or not known.
  uint32_t line = 0;       ///< 0: not known.
  uint32_t otherLine = 0;  ///< Of a race: the line of the first of the two accesses.
  std::string message;     ///< Without a full stop.
  uint64_t times = 1;
  uint64_t launch = 0;  ///< The first launch in which it was found, from 1; 0: it is of none.
  std::optional<Dim3> block, thread;
  /// How many barriers the thread's warp had passed, at the second access of a race; nothing where
  /// that is not known.
  std::optional<uint32_t> epoch;
  uint64_t order = 0;  ///< The order of blocks and warps in which it shows; 0: the usual one.
};

enum class ProgramStepKind : uint8_t { allocate, free, copy, fill, launch, wait, other };

/// One call of the CUDA runtime or one launch, or several equal ones, one after the other.
struct ProgramStep {
  ProgramStepKind kind = ProgramStepKind::other;
  std::string name;       ///< "cudaMemcpy", or the kernel's name as its author wrote it.
  std::string file;       ///< Where the program asks for it.
  uint32_t line = 0;      ///< 0: not known.
  std::string memory;     ///< The device memory that is allocated, filled or copied: "d_A".
  std::string direction;  ///< Of a copy: "host to device".
  uint64_t bytes = 0;
  uint64_t stream = 0;
  bool failed = false;  ///< The call's result is an error, or the launch did something wrong.
  std::string note;     ///< Why a launch was refused or could not be run; else empty.
  /// What a launch seems to compute, and the operand that holds it: "A · B", "C"; else empty.
  std::string formula, result;
  uint64_t launch = 0;  ///< The launch's number, from 1; 0: it is none.
  bool ran = false;     ///< The launch ran, so that its steps can be looked at.
  Dim3 grid, block;
  std::optional<double> milliseconds;  ///< Of a GPU.
  uint64_t times = 1;
};

struct ProgramSummary {
  std::string ending;   ///< How it ended where that is not status 0, in sentences; else empty.
  std::string ran;      ///< "3 launches of add on the SIMT interpreter, as an NVIDIA H200"
  std::string verdict;  ///< What was looked for where no fault was found; else empty.
  std::vector<ProgramFinding> findings;  ///< Faults first, in the order of their cause.
  std::vector<std::string> results;      ///< What launches seem to compute, and how far they agree.
  std::vector<std::string> notes;        ///< What was not looked at or not judged, in sentences.
  std::vector<ProgramStep> steps;        ///< In the order in which the host asked for them.
  uint64_t stepsLeftOut = 0;             ///< There were more than are kept.
  uint64_t launches = 0;
  bool timedOut = false;

  /// Without what is only said of another one: that another order shows a race.
  [[nodiscard]] uint64_t faults() const;
};

/// "in add: out-of-bounds: thread (3, 0, 0) …", or "hw1.cu:12: unchecked-error: …".
[[nodiscard]] std::string textOf(const ProgramFinding& finding);

}  // namespace tilestep::lab
