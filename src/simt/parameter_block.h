// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "simt/grid.h"

namespace tilestep::simt {

/// Adds a kernel's parameters to `request`: the bits of numbers and the bytes of structures.
/// `block` contains all parameters, as the host passed them to the launch.
void takeParameters(const ptx::Function& entry, std::span<const uint8_t> block,
                    GridRequest& request);

}  // namespace tilestep::simt
