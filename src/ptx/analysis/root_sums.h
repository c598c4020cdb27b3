// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/analysis/behaviour.h"
#include "ptx/analysis/known_values.h"

namespace tilestep::ptx {

/// The roots of the addresses of all accesses, with their alignments, in program order. Every
/// unknown value is a sum of roots (behaviour.h). There is one sum per register, for all its reads.
[[nodiscard]] std::vector<Behaviour::Root> rootsOfAddresses(const Function& entry,
                                                            const ControlFlow& flow,
                                                            const RegisterGraph& graph,
                                                            const KnownValues& values);

}  // namespace tilestep::ptx
