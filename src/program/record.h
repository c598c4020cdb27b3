// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/launch.h"
#include "device/captured.h"
#include "lab/launch/operation.h"
#include "lab/launch/orders.h"
#include "program/history/work.h"
#include "simt/check/hazards.h"
#include "simt/fault.h"
#include "simt/use.h"
#include "trace/counters.h"

/// The record of a program's run.
namespace tilestep::program {

struct CallRecord {
  std::string name;
  uint64_t moment = 0;  ///< In the common numbering of calls, launches and clock reads.
  Place place;
  uint64_t bytes = 0;
  std::string direction;  ///< "host to device"; empty if nothing is copied.
  uint64_t stream = 0;
  int result = 0;                      ///< A cudaError.
  std::optional<double> milliseconds;  ///< The time on a GPU.
  bool asksForErrors = false;  ///< Its result is an earlier error that the program asked for.
  bool waits = false;          ///< The call only waits for the device, a stream or an event.
};

/// A parameter of a kernel, as passed to the launch.
struct Argument {
  uint64_t bits = 0;  ///< Its first eight bytes.
  uint64_t bytes = 0;
  bool isFloat = false;
};

/// The requests of one line's loads or stores of elements of one size in one memory range.
struct LineCost {
  uint32_t line = 0;
  bool isStore = false;
  uint32_t elementBytes = 0;
  simt::RequestUse use;
  uint64_t memory = 0;  ///< The allocation's address; 0 for shared memory, or for a variable.
};

/// A range of memory that the program allocated, or a variable of its device code.
struct MemoryRecord {
  uint64_t address = 0, bytes = 0;
  std::string name;
  Place place;
  uint64_t moment = 0;
  bool isVariable = false;
  bool isShared = false;  ///< Whether host and device can both use it.
  bool isFreed = false;
};

/// A host address that a kernel dereferenced.
struct HostPointer {
  uint64_t value = 0;
  uint64_t holder = 0;  ///< Address of the device memory that held it; 0 for a parameter.
};

struct LaunchRecord {
  std::string kernel;  ///< As the author wrote it.
  uint64_t moment = 0;
  Place place;
  /// The file with the kernel's source; empty if it is the launch's file, or unknown.
  std::string kernelFile;
  Launch launch;
  uint64_t stream = 0;
  int result = 0;             ///< A cudaError, of the call or of the kernel's execution.
  std::string refusal;        ///< Why the launch was refused, in a sentence; otherwise empty.
  std::string trouble;        ///< Why the interpreter could not run the launch; otherwise empty.
  bool followsFault = false;  ///< Whether it was refused because an earlier launch failed.
  bool ran = false;           ///< Also false if an earlier fault ended the device's work.
  std::vector<simt::Fault> faults;
  std::vector<simt::Hazard> hazards;
  std::vector<uint32_t> equalWriteLines;  ///< As in simt::GridResult.
  std::optional<trace::GridCounters> counters;
  std::optional<HostPointer> hostPointer;
  uint32_t floatAtomicLine = 0;  ///< See followed.h; 0 if there is no such line.
  std::vector<Argument> arguments;
  std::vector<LineCost> costs;  ///< With --check.
  simt::SharedUse sharedUse;    ///< With --check.
  /// The operation that the launch seems or is meant to compute; absent if unknown.
  std::optional<lab::Operation> operation;
  bool isMeant = false;  ///< Whether the user specified the operation.
  /// Whether the launch's races change its results; absent if not examined.
  std::optional<lab::OrderSearch> orders;
  std::string notLooked;               ///< Why the launch was not examined; otherwise empty.
  double seconds = 0;                  ///< Measured on this machine; not a GPU's time.
  std::optional<double> milliseconds;  ///< The time on a GPU.
};

struct ClockReading {
  Place place;
  uint64_t moment = 0;
  /// The latest launch that the host had not yet waited for.
  std::optional<size_t> open;
};

/// The time between two events that the host asked for.
struct EventTiming {
  Place place;                  ///< Where the first event was recorded.
  uint64_t begin = 0, end = 0;  ///< The moments at which the two events were recorded.
};

struct LaunchProgress {
  std::string kernel;
  Place place;
  double seconds = 0;      ///< Since it began.
  double ended = 0;        ///< The share of the launch's blocks that have ended.
  double secondsLeft = 0;  ///< The time until the program reaches its time limit.

  /// The estimated total duration, if known. Unfinished blocks may take longer.
  [[nodiscard]] std::optional<double> estimate() const {
    constexpr double kLeast = 1e-6;
    return ended > kLeast ? std::optional(seconds / ended) : std::nullopt;
  }
};

enum class Severity : uint8_t { fault, remark };

struct Finding {
  std::string kind;  ///< "never-freed"; docs/programs.md lists all kinds.
  Severity severity = Severity::fault;
  Place place;
  std::string message;  ///< The mistake, with values, and the remedy.
};

struct ProgramRun {
  std::string device;
  int gpu = -1;          ///< The number of the GPU that ran the program; -1 for the interpreter.
  std::string compiler;  ///< "clang 14.0.6"
  int exitStatus = 0;
  int signal = 0;  ///< The signal that ended the program; 0 if none did.
  bool timedOut = false;
  double limitSeconds = 0;                   ///< The time limit.
  bool pinsMemory = false;                   ///< Whether the program calls cudaHostRegister.
  std::set<std::string> libraries;           ///< The libraries used: "cuBLAS", "cuRAND".
  std::optional<LaunchProgress> unfinished;  ///< The launch that was running at the time limit.
  std::string output;                        ///< If kept, stdout and stderr, in order.
  bool outputTruncated = false;
  std::vector<CallRecord> calls;
  std::vector<LaunchRecord> launches;
  std::vector<ClockReading> clocks;
  std::vector<EventTiming> timings;
  std::optional<size_t> openLaunch;  ///< The latest launch, if the host never waited for it.
  std::vector<Work> works;           ///< In the order of issue.
  std::vector<MemoryRecord> memory;  ///< By address.
  std::vector<Finding> findings;
  /// The launch to be captured; null if there was none.
  std::shared_ptr<const device::CapturedLaunch> captured;
};

}  // namespace tilestep::program
