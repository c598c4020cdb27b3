// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/test_process.h"

namespace tilestep::runner {

struct PoolSettings {
  size_t jobs = 1;                      ///< Processes at a time, 1 or more.
  Seconds limit{0};                     ///< The longest time of one test.
  std::string folder;                   ///< For temporary files; it must exist.
  std::function<bool()> isInterrupted;  ///< Ends the run early, killing what runs.
};

/// Runs all batches in processes and hands each test's outcome to `ended` as it comes. The tests
/// after one that crashes or exceeds the limit run in a new process. Where a process cannot be
/// started, its tests have failed.
void runAll(const std::vector<Program>& programs, std::vector<Batch> batches,
            const PoolSettings& settings, const std::function<void(Outcome)>& ended);

}  // namespace tilestep::runner
