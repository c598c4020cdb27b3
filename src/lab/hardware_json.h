// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/experiment.h"

namespace tilestep::lab {

/// The hardware's counters by our names, or why there are none.
[[nodiscard]] nlohmann::ordered_json hardwareJson(const device::HardwareCounters& hardware);
/// Rows of predicted values, counts and the hardware's counts; null where unknown.
[[nodiscard]] nlohmann::ordered_json comparisonJson(const RunResult& result);

}  // namespace tilestep::lab
