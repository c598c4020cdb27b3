// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "lab/experiment.h"

/// Single values of the document that `run --json` prints, by dotted paths:
/// "counters.total.global_load_threads", "launch.block.0". They are read from that document
/// itself, so that a value shown elsewhere cannot differ from it.
namespace tilestep::lab {

/// True and false are 1 and 0.
using ResultValue = std::variant<double, std::string>;

/// Whether a document can have a number or a text at `path`; an Error names the nearest path.
/// Entries of lists, sizes and tunables may have any number or name.
[[nodiscard]] Status checkValuePath(const std::string& path);

/// The values of `result`, one for each path; an Error says why one is not there. `ceilings` are
/// those of the recorded GPU (null: none), at "ceilings.NAME", as `devices --json --ceilings` has
/// them.
[[nodiscard]] std::vector<Result<ResultValue>> valuesOf(const RunResult& result,
                                                        const device::Ceilings* ceilings,
                                                        const std::vector<std::string>& paths);

}  // namespace tilestep::lab
