// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "runner/batches.h"
#include "runner/outcome.h"

namespace tilestep::runner {

struct Listing {
  Program program;                 ///< Without tests where `failure` is set.
  std::optional<Outcome> failure;  ///< It crashed, ran out of time, or its list is wrong.
};

/// Asks a test program for its tests. The list is wrong where it is empty or has two tests of one
/// name, which could not be told apart. `limit` is the processor time that it may take.
Listing listTests(const std::string& path, std::chrono::milliseconds limit);

}  // namespace tilestep::runner
