// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/test_process.h"

namespace tilestep::runner {

struct PoolSettings {
  size_t jobs = 1;                      ///< Processes at a time; 1 or more.
  Seconds limit{0};                     ///< The time limit of one test.
  std::string folder;                   ///< For temporary files; it must exist.
  std::function<bool()> isInterrupted;  ///< Ends the run early, and kills running processes.
};

/// Runs all batches in processes, and passes each test's outcome to `ended` when it is known. After
/// a test that crashes or exceeds the limit, the remaining tests run in a new process. If a process
/// cannot be started, its tests fail.
void runAll(const std::vector<Program>& programs, std::vector<Batch> batches,
            const PoolSettings& settings, const std::function<void(Outcome)>& ended);

}  // namespace tilestep::runner
