// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"
#include "compile/kernel.h"
#include "device/device.h"
#include "lab/uncertain_counts.h"
#include "trace/block_trace.h"
#include "trace/counters.h"
#include "trace/timeline.h"

namespace tilestep::lab {

/// The contents of a kernel's input, which replace its fill.
struct GivenInput {
  ElementType type = ElementType::f32;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};

/// Everything that determines a result. A value: equal experiments give equal results, except for
/// times. Unlike a device's job, it measures unless disabled.
struct Experiment : device::RunOptions {
  compile::KernelSource source;
  /// One launch of a whole program, which runs instead of the source's kernel, with its own sizes,
  /// tunables and seed. Null: the kernel of `source` runs.
  std::shared_ptr<const device::CapturedLaunch> captured;
  /// A program's launch that reads as many buffers of the same types and sizes as the kernel. The
  /// kernel gets their contents, and clang compiles it, as it does programs. Absent: the kernel's
  /// buffers are filled from `seed`.
  std::optional<compile::KernelSource> dataOf;
  /// The contents of these buffers, in the kernel's order; the worker copies them from the launch.
  std::vector<GivenInput> data;
  compile::Bindings sizes;     ///< Missing names get the kernel's defaults.
  compile::Bindings tunables;  ///< Likewise.
  /// "auto", "simt", "cuda:N", "recorded:NAME"; "auto:I" for the I-th of several workers that share
  /// the work.
  std::string device = "auto";
  /// Longest side of the picture returned for each output; 0: no pictures.
  uint32_t pictureSide = 0;
  /// The most host memory that the run may use, in bytes; 0: no limit of its own. The need is
  /// computed before the run starts (lab/run/memory_need.h); exceeding the limit is an Error. A
  /// trace is cut to the remaining memory. A compiler may use as much, but not less than 512 MiB.
  uint64_t memoryBytes = 0;
  /// On a recording: omit data that the recording does not hold, instead of running the
  /// interpreter.
  bool onlyRecorded = false;
  /// For a captured launch: the operation that it is meant to compute ("product", …); a different
  /// result is then a fault. Empty: not specified.
  std::string operation;

  // Defined in experiment.cpp: inline, they would be compiled into every file that holds one.
  Experiment();
  Experiment(const Experiment& other);
  Experiment(Experiment&& other) noexcept;
  Experiment& operator=(const Experiment& other);
  Experiment& operator=(Experiment&& other) noexcept;
  ~Experiment();
};

struct CompilerInfo {
  std::string name, version, arch;
  double ms = 0;        ///< Duration of the compile, whenever it took place.
  bool cached = false;  ///< Not compiled for this run.
};

/// A wrong output element.
struct WrongElement {
  uint32_t operand = 0;
  uint64_t element = 0;
  bool written = true;  ///< Whether the element was stored; if not, `got` is not meaningful.
  double got = 0, expected = 0;
};

struct Check {
  std::string reference;  ///< "float64", or empty if the kernel names none.
  double scaledError = 0;
  double bound = 0;
  uint64_t unwritten = 0;
  bool ok = false;
  uint64_t nonFinite = 0;  ///< Compared elements that are NaN or infinite; scaledError is finite.
  /// If the result is wrong and the outputs are small enough to compare each element
  /// (lab/expected.h): the first wrong element, and the number of wrong ones among `compared`.
  std::optional<WrongElement> firstWrong;
  uint64_t wrong = 0, compared = 0;
};

/// A matrix small enough to draw: each value is the mean of a rectangle of the operand; all
/// rectangles have the same size.
struct Picture {
  uint32_t operand = 0;
  uint64_t rows = 0, columns = 0;  ///< The operand's size.
  uint32_t height = 0, width = 0;  ///< The picture's size.
  std::vector<float> values;       ///< height * width, row-major.
};

/// The nearest recorded point, if a recording does not hold the requested one. Its values do not
/// belong to this experiment.
struct Nearest {
  std::string why;     ///< Why the requested point is missing, in a sentence.
  bool known = false;  ///< A nearest point exists; if not, the other fields are empty.
  compile::Bindings sizes, tunables;
  bool operator==(const Nearest&) const = default;
};

/// The result of an experiment: the device's observations, and values derived from them.
struct RunResult : device::Observations {
  std::string kernel, source;
  std::vector<compile::Assumption> assumed;  ///< Facts that the kernel's file does not state.
  device::DeviceInfo device;
  CompilerInfo compiler;
  compile::Plan plan;  ///< Sizes, tunables, operands and launches, as used.
  std::optional<Check> check;
  std::string checkNote;  ///< Why a requested check was not made; else empty.
  /// With `checkNote`: the kernel specifies nothing that its outputs could be compared with.
  bool nothingToCompare = false;
  /// 0: no outputs, or the time limit was reached before they were read.
  uint64_t outputHash = 0;
  std::vector<Picture> pictures;
  /// On a recording without the requested measurement.
  std::optional<Nearest> nearest;
  /// On a recording, with counters: "simt" if the interpreter counted because the recording holds
  /// no counters; else empty.
  std::string countersFrom;
  /// RunOptions::blockAlone was applied: the outputs were not compared and have no hash.
  bool blockAlone = false;
  /// On a recording: the ceilings of the machine that measured the point. Absent if they were not
  /// measured or the machine is unknown.
  std::optional<device::Ceilings> machineCeilings;
  /// The counters exclude some asynchronous copies: cp.async.bulk, and all of them in old
  /// recordings.
  bool asyncCopies = false;
  /// With counters or a trace: the counts that may differ on hardware, and why.
  std::vector<UncertainCounts> uncertain;
  /// With counters: the names of those that exclude the loads and stores of atomic operations.
  std::vector<std::string> withoutAtomics;
  bool isLaunch = false;       ///< The result of a captured launch of a program.
  bool hasCostlyWork = false;  ///< ptx::hasCostlyWork of a launched kernel.
  /// For a program's launch whose kernel is not in `source`: the text of the kernel's file.
  std::string kernelText;
  /// The inputs came from a captured launch, not from a seed.
  bool hasGivenData = false;
  /// If a block of a captured launch was traced, or of a kernel that runs on its data: the contents
  /// before the launch of the operands that it reads, if they have at most 2^20 elements.
  std::vector<Picture> given;
  /// For a captured launch: the operation that it seems to compute ("product", …); empty: unknown.
  std::string operation;
  /// How the outputs differ from that operation, as a question; empty if they agree.
  std::string question;

  /// True if there is no fault, no hazard and no failed check.
  [[nodiscard]] bool clean() const;

  // Defined in experiment.cpp: inline, they would be compiled into every file that holds one.
  RunResult();
  RunResult(const RunResult& other);
  RunResult(RunResult&& other) noexcept;
  RunResult& operator=(const RunResult& other);
  RunResult& operator=(RunResult&& other) noexcept;
  ~RunResult();
};
/// A complete result, passed by pointer so that it is never copied with its trace.
using ResultPointer = std::shared_ptr<const RunResult>;
[[nodiscard]] ResultPointer shared(RunResult result);

}  // namespace tilestep::lab
