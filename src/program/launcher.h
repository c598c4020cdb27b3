// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "metrics/occupancy.h"
#include "program/history/accesses.h"
#include "program/memory.h"
#include "program/modules.h"
#include "program/record.h"

namespace tilestep::program {

/// The row length of a piece of memory that holds a matrix.
struct Rows {
  uint64_t columns = 0;
  uint32_t elementBytes = 0;
};

struct LaunchRules {
  bool check = false;
  bool counters = false;
  /// The number (from 1) of the launch to capture, after which the program is ended; 0 for none.
  uint64_t capture = 0;
  std::string operation;  ///< The intended operation (lab::kOperations); empty if unspecified.
  uint64_t order = 0;
  std::map<uint64_t, Rows> rows;  ///< The shapes of the launch's matrices, by address.
  unsigned threads = 1;
  double timeoutSeconds = 60;
  std::function<bool()> hostMayWrite;    ///< As GridRequest::othersMayWrite.
  std::function<void(double)> progress;  ///< As GridRequest::progress.
};

struct LaunchOutcome {
  int error = 0;  ///< A cudaError.
  std::string printed;
  Uses uses;  ///< Recorded if the rules' `check` is set.
  /// Accesses that leave their row but not their memory. They may be intended.
  std::vector<simt::Fault> outsideRows;
};

/// Runs a launch in the interpreter, over all of the program's memory. `parameters` is the kernel's
/// parameter block. `mutex` guards the list of memory. Fills the results in `record`.
LaunchOutcome runLaunch(const Kernel& kernel, std::span<const uint8_t> parameters, Memory& memory,
                        std::mutex& mutex, const LaunchRules& rules,
                        const std::function<bool()>& cancelled, LaunchRecord& record);

/// Why a device rejects the launch: a cudaError and a sentence. The error is 0 if the launch is
/// accepted. Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
struct Refusal {
  int error = 0;
  std::string why;
};
[[nodiscard]] metrics::Multiprocessor multiprocessorOf(const guest::DeviceFacts& device);
[[nodiscard]] Refusal refusalOf(const Kernel& kernel, const Launch& launch,
                                const guest::DeviceFacts& device);

}  // namespace tilestep::program
