// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "compile/front_matter/plan_attempt.h"

namespace tilestep::compile {

/// The limit of a search in Planner::work units: this many attempts, or fewer with long front
/// matter.
constexpr size_t kMostWork = 8192;

/// The nearest legal values: "32" if one name is out of its range, otherwise "TILE_K = 64 or TILE_M
/// = 32", where each changed name (or every name, if none was changed) is moved alone and as little
/// as necessary. Empty if moving a single name does not help and no combination was found within
/// kMostWork.
[[nodiscard]] std::string nearestLegal(Planner& planner, const KernelSpec& spec,
                                       const Bindings& asked, const Obstacle& obstacle);

}  // namespace tilestep::compile
