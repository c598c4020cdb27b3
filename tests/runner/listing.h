// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "runner/batches.h"
#include "runner/outcome.h"

namespace tilestep::runner {

struct Listing {
  Program program;  ///< Without tests if `failure` is set.
  /// The program crashed, exceeded its time, or its list is invalid.
  std::optional<Outcome> failure;
};

/// Gets a test program's list of tests. The list is invalid if it is empty or has two tests of one
/// name. The program may use at most the processor time `limit`.
Listing listTests(const std::string& path, std::chrono::milliseconds limit);

}  // namespace tilestep::runner
