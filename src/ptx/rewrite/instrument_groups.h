// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_pattern.h"
#include "ptx/rewrite/instrument_segments.h"

namespace tilestep::ptx {

/// Whether every lane of the segment makes the access, in a state space that its text names.
[[nodiscard]] bool isPlain(const Instruction& instruction, const Access& access);

/// The segment's plain accesses, grouped so that one check of an address serves each group.
[[nodiscard]] std::vector<AccessGroup> groupAccesses(const Function& entry, const Segment& segment);

}  // namespace tilestep::ptx
