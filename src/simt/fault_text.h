// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "simt/setup.h"

namespace tilestep::simt {

/// "A read of 4 bytes ends 8 bytes past the end of M, which has 4096 bytes"; no full stop.
[[nodiscard]] std::string describeAccess(const Setup& setup, const Instr& instr, AccessFault kind,
                                         uint64_t address);

}  // namespace tilestep::simt
