// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/launch.h"
#include "simt/check/hazards.h"
#include "simt/fault.h"
#include "trace/counters.h"

/// What a run of a program came to.
namespace tilestep::program {

/// A place in the author's text.
struct Place {
  std::string file;
  uint32_t line = 0;  ///< 0: not known.
};

/// One call of the CUDA runtime.
struct CallRecord {
  std::string name;
  Place place;
  uint64_t bytes = 0;
  std::string direction;  ///< "host to device"; empty where nothing is copied.
  uint64_t stream = 0;
  int result = 0;  ///< A cudaError.
};

struct LaunchRecord {
  std::string kernel;  ///< As the author wrote it.
  Place place;
  Launch launch;
  uint64_t stream = 0;
  int result = 0;       ///< A cudaError: of the call, or of what the kernel did.
  std::string refusal;  ///< Why it was refused, in a sentence; else empty.
  bool ran = false;     ///< False too where an earlier fault ended the device's work.
  std::vector<simt::Fault> faults;
  std::vector<simt::Hazard> hazards;
  std::optional<trace::GridCounters> counters;
  double seconds = 0;  ///< On this machine; no GPU's time.
};

enum class Severity : uint8_t { fault, remark };

struct Finding {
  std::string kind;  ///< "never-freed": see docs/programs.md
  Severity severity = Severity::fault;
  Place place;
  std::string message;  ///< What is wrong, with values, and what to do.
};

struct ProgramRun {
  std::string device;
  int exitStatus = 0;
  int signal = 0;  ///< That ended it; 0: none.
  bool timedOut = false;
  std::string output;  ///< Where it was kept: standard output and error, as they came.
  bool outputTruncated = false;
  std::vector<CallRecord> calls;
  std::vector<LaunchRecord> launches;
  std::vector<Finding> findings;
};

}  // namespace tilestep::program
