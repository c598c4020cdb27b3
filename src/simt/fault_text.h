// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "simt/setup.h"

namespace tilestep::simt {

/// "A read of 4 bytes ends 8 bytes past the end of M, which has 4096 bytes"; no full stop.
[[nodiscard]] std::string describeAccess(const Setup& setup, const Instr& instr, AccessFault kind,
                                         uint64_t address);

/// "Mds[0][3]" or "M[12]", or "Mds, byte 48" where the shape is not known. `region`: of global
/// memory; -1: shared memory.
[[nodiscard]] std::string describePlace(const Setup& setup, int region, uint64_t offset,
                                        uint32_t elementBytes);

}  // namespace tilestep::simt
