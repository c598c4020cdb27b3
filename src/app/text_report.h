// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

namespace tilestep::app {

/// The text output of `run`: figures with their units and origins.
[[nodiscard]] std::string textReport(const lab::RunResult& result);

}  // namespace tilestep::app
