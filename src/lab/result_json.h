// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "lab/experiment.h"

namespace tilestep::lab {

/// The document that `run --json` prints. For .cpp files alone: the JSON library is a heavy header.
[[nodiscard]] nlohmann::ordered_json resultJson(const RunResult& result);

}  // namespace tilestep::lab
