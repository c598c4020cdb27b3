// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/analysis/behaviour.h"
#include "ptx/analysis/known_values.h"

namespace tilestep::ptx {

/// The roots of all addresses of accesses, with the alignment that these need, in the order of the
/// text. Every value that is not known is a sum of roots with known factors (behaviour.h); there is
/// one sum for each register, wherever it is read.
[[nodiscard]] std::vector<Behaviour::Root> rootsOfAddresses(const Function& entry,
                                                            const ControlFlow& flow,
                                                            const RegisterGraph& graph,
                                                            const KnownValues& values);

}  // namespace tilestep::ptx
