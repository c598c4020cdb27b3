// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/experiment.h"

namespace tilestep::lab {

/// The hardware counters under Tilestep's names, or why there are none.
[[nodiscard]] nlohmann::ordered_json hardwareJson(const device::HardwareCounters& hardware);
/// Rows of predicted, counted and hardware values. Unknown values are null.
[[nodiscard]] nlohmann::ordered_json comparisonJson(const RunResult& result);

}  // namespace tilestep::lab
