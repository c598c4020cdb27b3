// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

namespace tilestep::app {

/// The text that `run` prints for people: figures with their units and origins.
[[nodiscard]] std::string textReport(const lab::RunResult& result);

}  // namespace tilestep::app
