// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "lab/experiment.h"

/// Single values of the `run --json` document, addressed by dotted paths:
/// "counters.total.global_load_threads", "launch.block.0". They are read from the document itself,
/// so that a value shown elsewhere cannot differ from it.
namespace tilestep::lab {

/// Booleans are 1 and 0.
using ResultValue = std::variant<double, std::string>;

/// Whether a document can have a number or a string at `path`; an Error names the nearest valid
/// path. Any index of a list, size or tunable is accepted.
[[nodiscard]] Status checkValuePath(const std::string& path);

/// The values of `result`, one for each path; an Error explains a missing value. `ceilings` (may be
/// null) are the recorded GPU's, at "ceilings.NAME", as in `devices --json --ceilings`.
[[nodiscard]] std::vector<Result<ResultValue>> valuesOf(const RunResult& result,
                                                        const device::Ceilings* ceilings,
                                                        const std::vector<std::string>& paths);

}  // namespace tilestep::lab
