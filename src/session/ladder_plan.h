// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "session/sweep_plan.h"

/// The ladder as a sweep over kernels: its rungs in the order of their files, then the libraries'
/// products. Pure.
namespace tilestep::session {

/// Whether this file lies in the ladder's folder.
[[nodiscard]] bool isRung(const compile::CatalogueEntry& entry);

/// "9" of "rung09_double_buffer"; empty where the name begins otherwise.
[[nodiscard]] std::string rungNumberOf(const std::string& kernel);

/// The rungs of a catalogue in the order of their names, with their default tunables but for those
/// in `chosen` (by kernel). A rung whose tiles can be padded stands there twice where nothing was
/// chosen: as it is, and padded. `libraries` come last.
[[nodiscard]] std::vector<SweepKernel> ladderKernels(
    const std::vector<compile::CatalogueEntry>& catalogue,
    const std::map<std::string, compile::Bindings>& chosen,
    const std::vector<compile::CatalogueEntry>& libraries);

/// `in.others` are the rungs; a point each, at `in.sizes`.
void planLadder(const SweepInputs& in, SweepPlan& plan);

}  // namespace tilestep::session
