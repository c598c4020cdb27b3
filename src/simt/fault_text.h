// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "simt/setup.h"

namespace tilestep::simt {

/// "A read of 4 bytes ends 8 bytes past the end of M, which has 4096 bytes"; no full stop.
[[nodiscard]] std::string describeAccess(const Setup& setup, const Instr& instr, AccessFault kind,
                                         uint64_t address);

/// "column 5 of a 5-wide row reads M[3][0]", for a lane's access that a column check stopped.
[[nodiscard]] std::string describeColumn(const Setup& setup, const Context& context,
                                         const Instr& instr, uint32_t lane, uint64_t address);

/// "Mds[0][3]" or "M[12]", or "Mds, byte 48" if the shape is unknown. `region` is the region of
/// global memory; -1 means shared memory.
[[nodiscard]] std::string describePlace(const Setup& setup, int region, uint64_t offset,
                                        uint32_t elementBytes);

[[nodiscard]] uint32_t elementBytesOf(const Instr& instr);

/// "0x2c"
[[nodiscard]] std::string hexText(uint64_t value);

}  // namespace tilestep::simt
