// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

namespace tilestep::app {

/// The hardware counters, or the reason why there are none; empty if they were not requested.
[[nodiscard]] std::string hardwareTable(const lab::RunResult& result);

/// Predicted and counted amounts next to the hardware counters; empty unless both kinds of counts
/// were requested.
[[nodiscard]] std::string comparisonTable(const lab::RunResult& result);

}  // namespace tilestep::app
