// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/experiment.h"

namespace tilestep::lab {

/// The document that `run --json` prints.
[[nodiscard]] nlohmann::ordered_json resultJson(const RunResult& result);

}  // namespace tilestep::lab
