// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "device/device.h"

namespace tilestep::lab {

struct ProductShape {
  uint64_t m = 0, n = 0, k = 0;
};

/// The distance between compared rows that limits the work to `mostProducts`. It is odd, so that
/// every row of a tile is compared somewhere.
[[nodiscard]] uint64_t rowStep(const ProductShape& shape, double mostProducts);

/// max |out - ref| / sum |a||b| over every `step`th row, in float64; infinite if an output is not
/// finite. Nothing if cancelled. Uses all cores.
[[nodiscard]] std::optional<double> productError(const ProductShape& shape,
                                                 std::span<const double> a,
                                                 std::span<const double> b,
                                                 std::span<const double> out, uint64_t step,
                                                 const device::Cancelled& cancelled);

}  // namespace tilestep::lab
