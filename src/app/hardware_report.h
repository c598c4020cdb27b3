// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

namespace tilestep::app {

/// The hardware's own counters, or why there are none. Empty where they were not asked for.
[[nodiscard]] std::string hardwareTable(const lab::RunResult& result);

/// Predicted, counted and hardware side by side; empty unless both kinds of counts were asked for.
[[nodiscard]] std::string comparisonTable(const lab::RunResult& result);

}  // namespace tilestep::app
