// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/devices/what_if.h"

namespace tilestep::lab {

/// An entry of `what_if` in `run --json`.
[[nodiscard]] nlohmann::ordered_json whatIfJson(const WhatIf& there);

}  // namespace tilestep::lab
