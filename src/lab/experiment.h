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

/// Everything that determines a result: equal experiments give equal results, except for times.
/// Unlike a device's job, an experiment measures unless disabled.
struct Experiment : device::RunOptions {
  compile::KernelSource source;
  /// A captured launch of a whole program. It runs instead of the source's kernel, with its own
  /// sizes, tunables and seed. Null if the kernel of `source` runs.
  std::shared_ptr<const device::CapturedLaunch> captured;
  /// A program's launch whose input buffers match the kernel's in number, type and size. The kernel
  /// runs on their contents and is compiled by clang, as programs are. If absent, the kernel's
  /// buffers are filled from `seed`.
  std::optional<compile::KernelSource> dataOf;
  /// The contents of the buffers of `dataOf`, in the kernel's order. Filled by the worker.
  std::vector<GivenInput> data;
  compile::Bindings sizes;  ///< Missing sizes and tunables get the kernel's defaults.
  compile::Bindings tunables;
  /// "auto", "simt", "cuda:N", "recorded:NAME"; "auto:I" for the I-th of several workers that share
  /// the work.
  std::string device = "auto";
  /// Longest side of the picture returned for each output; 0 for no pictures.
  uint32_t pictureSide = 0;
  /// The most host memory that the run may use, in bytes; 0 for no limit in addition to the lab's.
  /// The need is computed before the run starts (lab/run/memory_need.h), and exceeding the limit is
  /// an Error. A trace is cut to the remaining memory. A compiler may use as much, and at least 512
  /// MiB.
  uint64_t memoryBytes = 0;
  /// On a recording, omits missing data instead of running the interpreter.
  bool onlyRecorded = false;
  /// The operation that a captured launch is meant to compute ("product", …); empty if unspecified.
  /// A different result is a fault.
  std::string operation;

  // Defined in experiment.cpp, because inline definitions would be compiled in every file.
  Experiment();
  Experiment(const Experiment& other);
  Experiment(Experiment&& other) noexcept;
  Experiment& operator=(const Experiment& other);
  Experiment& operator=(Experiment&& other) noexcept;
  ~Experiment();
};

struct CompilerInfo {
  std::string name, version, arch;
  double ms = 0;        ///< Duration of the compilation, even if an earlier run made it.
  bool cached = false;  ///< Not compiled for this run.
};

struct WrongElement {
  uint32_t operand = 0;
  uint64_t element = 0;
  bool written = true;  ///< Whether the element was stored; if not, `got` is not meaningful.
  double got = 0, expected = 0;
};

struct Check {
  std::string reference;  ///< "float64", or empty if the kernel names no reference.
  double scaledError = 0;
  double bound = 0;
  uint64_t unwritten = 0;
  bool ok = false;
  uint64_t nonFinite = 0;  ///< Compared elements that are NaN or infinite; scaledError is finite.
  /// The first wrong element, and the number of wrong elements among `compared`. Set only if the
  /// result is wrong and the outputs are small enough to compare each element (lab/expected.h).
  std::optional<WrongElement> firstWrong;
  uint64_t wrong = 0, compared = 0;
};

/// A matrix, reduced for drawing. Each value is the mean of a rectangle of the operand. The
/// rectangles' sides differ by at most one row or column.
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
  bool known = false;  ///< Whether there is a nearest point; if not, sizes and tunables are empty.
  compile::Bindings sizes, tunables;
  bool operator==(const Nearest&) const = default;
};

/// The result of an experiment: the device's observations, and values derived from them.
struct RunResult : device::Observations {
  std::string kernel, source;
  /// Inferred facts that the kernel's file does not state.
  std::vector<compile::Assumption> assumed;
  device::DeviceInfo device;
  CompilerInfo compiler;
  compile::Plan plan;  ///< Sizes, tunables, operands and launches, as used.
  std::optional<Check> check;
  std::string checkNote;  ///< Why a requested check was not made; otherwise empty.
  /// Whether `checkNote` is set because the kernel specifies nothing to compare its outputs with.
  bool nothingToCompare = false;
  /// 0 if there are no outputs, or if the time limit was reached before they were read.
  uint64_t outputHash = 0;
  std::vector<Picture> pictures;
  /// Set on a recording that does not hold the requested measurement.
  std::optional<Nearest> nearest;
  /// "simt" if the interpreter counted because the recording holds no counters; otherwise empty.
  std::string countersFrom;
  /// Whether RunOptions::blockAlone was applied. Outputs were then neither compared nor hashed.
  bool blockAlone = false;
  /// The ceilings of the machine that measured a recorded point. Absent if they were not measured
  /// or the machine is unknown.
  std::optional<device::Ceilings> machineCeilings;
  /// Whether the counters exclude cp.async.bulk or, in old recordings, all asynchronous copies.
  bool asyncCopies = false;
  /// The counts that may differ on hardware, and why. Filled only with counters or a trace.
  std::vector<UncertainCounts> uncertain;
  /// The names of the counters that exclude the loads and stores of atomic operations.
  std::vector<std::string> withoutAtomics;
  bool isLaunch = false;       ///< The result of a captured launch of a program.
  bool hasCostlyWork = false;  ///< ptx::hasCostlyWork of a launched kernel.
  /// The contents of the kernel's file, if the kernel of a program's launch is not in `source`.
  std::string kernelText;
  /// The inputs came from a captured launch, not from a seed.
  bool hasGivenData = false;
  /// The contents, before the launch, of each operand that the launch reads and that has at most
  /// 2^20 elements. Filled only if a block was traced, and only for a captured launch or a kernel
  /// on its data.
  std::vector<Picture> given;
  /// The operation that a captured launch seems to compute ("product", …); empty if unknown.
  std::string operation;
  /// How the outputs differ from `operation`, as a question; empty if they agree.
  std::string question;

  /// True if there is no fault, no hazard and no failed check.
  [[nodiscard]] bool clean() const;

  // Defined in experiment.cpp, because inline definitions would be compiled in every file.
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
