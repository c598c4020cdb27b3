// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/analysis/behaviour.h"
#include "ptx/analysis/known_values.h"

namespace tilestep::ptx {

/// The roots of the addresses of all accesses, with the alignment that these need, in text order.
/// Every unknown value is a sum of roots with known factors (behaviour.h). There is one sum per
/// register, for all of its reads.
[[nodiscard]] std::vector<Behaviour::Root> rootsOfAddresses(const Function& entry,
                                                            const ControlFlow& flow,
                                                            const RegisterGraph& graph,
                                                            const KnownValues& values);

}  // namespace tilestep::ptx
