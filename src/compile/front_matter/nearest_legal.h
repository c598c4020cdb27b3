// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "compile/front_matter/plan_attempt.h"

namespace tilestep::compile {

/// The most work (Planner::work) of a search: this many attempts, and fewer with long front matter.
constexpr size_t kMostWork = 8192;

/// The nearest values that pass: "32" where one name is out of its range, else "TILE_K = 64 or
/// TILE_M = 32": each changed name (all, where none was changed) moved alone as little as needed.
/// Empty where moving one name does not help,
/// and where no value was found within kMostWork.
[[nodiscard]] std::string nearestLegal(Planner& planner, const KernelSpec& spec,
                                       const Bindings& asked, const Obstacle& obstacle);

}  // namespace tilestep::compile
