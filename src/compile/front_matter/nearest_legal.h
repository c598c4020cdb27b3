// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "compile/front_matter/plan_attempt.h"

namespace tilestep::compile {

/// The limit of a search, in Planner::work(): this many attempts, or fewer for long front matter.
constexpr size_t kMostWork = 8192;

/// The nearest legal values: "32" if `obstacle` is a single name that is out of its range,
/// otherwise "TILE_K = 64 or TILE_M = 32". Each of these alternatives changes one name, by as
/// little as necessary. Only names that differ from their defaults are changed, if this is
/// possible. If changing one name does not help, changes several: "TILE_K = 64 and TILE_M = 32".
/// Empty if nothing was found within kMostWork.
[[nodiscard]] std::string nearestLegal(Planner& planner, const KernelSpec& spec,
                                       const Bindings& asked, const Obstacle& obstacle);

}  // namespace tilestep::compile
