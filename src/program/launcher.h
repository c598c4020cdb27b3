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

/// The known shape of a piece of memory as a matrix.
struct Rows {
  uint64_t columns = 0;
  uint32_t elementBytes = 0;
};

/// How launches are run.
struct LaunchRules {
  bool check = false;
  bool counters = false;
  /// ///< The launch, from 1, that is captured; the program is ended after it. 0: none.
  uint64_t capture = 0;
  std::string operation;  ///< The intended operation (lab::kOperations); or empty.
  uint64_t order = 0;
  std::map<uint64_t, Rows> rows;  ///< By address: the shapes of the launch's matrices.
  unsigned threads = 1;
  double timeoutSeconds = 60;
  std::function<bool()> hostMayWrite;    ///< As GridRequest::othersMayWrite.
  std::function<void(double)> progress;  ///< As GridRequest::progress.
};

/// The result of a launch.
struct LaunchOutcome {
  int error = 0;  ///< A cudaError.
  std::string printed;
  Uses uses;  ///< With the rules' `check`.
  /// Accesses that stay in their memory but leave their row, which may be intended.
  std::vector<simt::Fault> outsideRows;
};

/// Runs a launch on the interpreter, over all of the program's memory. `parameters` is the block of
/// the kernel's parameters; `mutex` guards the memory's list. Fills the record's results.
LaunchOutcome runLaunch(const Kernel& kernel, std::span<const uint8_t> parameters, Memory& memory,
                        std::mutex& mutex, const LaunchRules& rules,
                        const std::function<bool()>& cancelled, LaunchRecord& record);

/// Why a device rejects the launch: a cudaError and a sentence; 0 if it does not. Source: CUDA C++
/// Programming Guide, "Technical Specifications per Compute Capability".
struct Refusal {
  int error = 0;
  std::string why;
};
[[nodiscard]] metrics::Multiprocessor multiprocessorOf(const guest::DeviceFacts& device);
[[nodiscard]] Refusal refusalOf(const Kernel& kernel, const Launch& launch,
                                const guest::DeviceFacts& device);

}  // namespace tilestep::program
