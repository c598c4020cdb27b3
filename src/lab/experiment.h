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
#include "trace/counters.h"
#include "trace/recording.h"
#include "trace/timeline.h"

namespace tilestep::lab {

/// The contents of a kernel's input, in place of its fill.
struct GivenInput {
  ElementType type = ElementType::f32;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};

/// Everything that decides a result. A value: equal experiments give equal results, except for
/// times. Unlike a device's job, it measures unless told otherwise.
struct Experiment : device::RunOptions {
  compile::KernelSource source;
  /// One launch of a whole program, which is run instead of the source's kernel: sizes, tunables
  /// and seed are its own. Null: the kernel of `source`.
  std::shared_ptr<const device::CapturedLaunch> captured;
  /// A launch of a program that reads as many buffers of the same types and sizes as the kernel
  /// does: the kernel gets what they hold, and clang compiles it, as it does programs. Nothing: the
  /// kernel's buffers are filled from `seed`.
  std::optional<compile::KernelSource> dataOf;
  /// The contents of these buffers, in the kernel's order; the worker takes them from the launch.
  std::vector<GivenInput> data;
  compile::Bindings sizes;     ///< Missing names take the kernel's defaults.
  compile::Bindings tunables;  ///< Likewise.
  /// "auto", "simt", "cuda:N", "recorded:NAME"; "auto:I" for the I-th of workers that share work.
  std::string device = "auto";
  /// Longest side of the picture of each output that comes back; 0: none.
  uint32_t pictureSide = 0;
  /// The most memory of its machine that the run may take, in bytes; 0: no limit of its own. What
  /// it takes is counted before it starts (lab/run/memory_need.h), and more than that is an Error.
  /// A trace is cut to what is left. A compiler gets as much, but not less than 512 MiB.
  uint64_t memoryBytes = 0;
  /// On a recording: leave out what the recording lacks instead of running it in the interpreter.
  bool onlyRecorded = false;
  /// Of a captured launch: what it is meant to compute ("product", …), so that another result is a
  /// fault; empty: nobody said it.
  std::string operation;

  // In experiment.cpp alone: inline they would be compiled into every file that holds one.
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
  bool cached = false;  ///< It was not compiled for this run.
};

/// An output element that is not what it must be.
struct WrongElement {
  uint32_t operand = 0;
  uint64_t element = 0;
  bool written = true;  ///< Whether anything was stored there; `got` is then a value.
  double got = 0, expected = 0;
};

struct Check {
  std::string reference;  ///< "float64", or empty where the kernel names none.
  double scaledError = 0;
  double bound = 0;
  uint64_t unwritten = 0;
  bool ok = false;
  uint64_t nonFinite = 0;  ///< Compared elements that are NaN or infinite; scaledError is finite.
  /// Where the result is wrong and the outputs are small enough to be looked at one by one
  /// (lab/expected.h): the first wrong element, and how many of `compared` elements are wrong.
  std::optional<WrongElement> firstWrong;
  uint64_t wrong = 0, compared = 0;
};

/// A matrix small enough to draw: means of equal rectangles of the operand.
struct Picture {
  uint32_t operand = 0;
  uint64_t rows = 0, columns = 0;  ///< The operand's.
  uint32_t height = 0, width = 0;  ///< The picture's.
  std::vector<float> values;       ///< height * width, row-major.
};

/// The nearest point of a recording that lacks the wanted one. Its figures are not this
/// experiment's.
struct Nearest {
  std::string why;     ///< Why the point itself is not there, in a sentence.
  bool known = false;  ///< There is one; else the rest is empty.
  compile::Bindings sizes, tunables;
  bool operator==(const Nearest&) const = default;
};

/// The result of an experiment: what the device observed, and what follows from it.
struct RunResult : device::Observations {
  std::string kernel, source;
  std::vector<compile::Assumption> assumed;  ///< What the kernel's file does not say.
  device::DeviceInfo device;
  CompilerInfo compiler;
  compile::Plan plan;  ///< Sizes, tunables, operands and launches as they were used.
  std::optional<Check> check;
  std::string checkNote;  ///< Why outputs that were to be checked are not judged; else empty.
  /// With `checkNote`: the kernel says nothing of its result that outputs could be compared with.
  bool nothingToCompare = false;
  /// 0: there are no outputs, or the time was over before they were read.
  uint64_t outputHash = 0;
  std::vector<Picture> pictures;
  /// On a recording that lacks the measurement that was asked for.
  std::optional<Nearest> nearest;
  /// On a recording, with counters: "simt" where it holds none and the interpreter counted; else
  /// empty.
  std::string countersFrom;
  /// RunOptions::blockAlone was obeyed: outputs were not compared and have no hash.
  bool blockAlone = false;
  /// On a recording: the ceilings of the machine that took the point. Absent if they were not
  /// measured, or if the machine is not known.
  std::optional<device::Ceilings> machineCeilings;
  /// The counters leave out what some asynchronous copies move: cp.async.bulk, and all of them in
  /// old recordings.
  bool asyncCopies = false;
  /// With counters or a trace: which counts the hardware may give differently, and why.
  std::vector<UncertainCounts> uncertain;
  /// With counters: those that leave out what the kernel loads or stores with atomic operations.
  std::vector<std::string> withoutAtomics;
  bool isLaunch = false;       ///< Of a captured launch of a program.
  bool hasCostlyWork = false;  ///< ptx::hasCostlyWork a kernel of the launches.
  /// Of a launch of a program whose kernel stands in another file than `source`: that file's text.
  std::string kernelText;
  /// The inputs were no seed's: those of a captured launch, or of a kernel on the data of one.
  bool hasGivenData = false;
  /// Where a block of a captured launch was traced, or of a kernel on the data of one: what the
  /// operands that it reads held before it, those of at most 2^20 elements.
  std::vector<Picture> given;
  /// Of a captured launch: what it seems to compute ("product", …); empty: nothing that is known.
  std::string operation;
  /// What the outputs differ in from that, as a question; empty where they agree.
  std::string question;

  /// Nothing is wrong: no fault, no hazard, no failed check.
  [[nodiscard]] bool clean() const;

  // In experiment.cpp alone: inline they would be compiled into every file that holds one.
  RunResult();
  RunResult(const RunResult& other);
  RunResult(RunResult&& other) noexcept;
  RunResult& operator=(const RunResult& other);
  RunResult& operator=(RunResult&& other) noexcept;
  ~RunResult();
};
/// How a result travels once it is complete, so that it is never copied with its trace.
using ResultPointer = std::shared_ptr<const RunResult>;
[[nodiscard]] ResultPointer shared(RunResult result);

}  // namespace tilestep::lab
