// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

namespace tilestep::app {

/// What `run` prints for people: figures with their units and where they come from.
[[nodiscard]] std::string textReport(const lab::RunResult& result);

}  // namespace tilestep::app
