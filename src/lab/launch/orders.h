// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The result of a launch in a different order of blocks and warps.
struct OtherOrder {
  uint64_t order = 0;            ///< See GridRequest::order.
  std::string element;           ///< "C[1][2]"; empty if the launch ends with a fault instead.
  std::string fault;             ///< The kind of that fault: "out-of-bounds".
  double got = 0, expected = 0;  ///< The values in the other order and in the launch's own order.
};

struct OrderSearch {
  uint32_t tried = 0;
  std::optional<OtherOrder> found;
};

struct OrderLimits {
  uint32_t orders = 64;
  double seconds = 10;
  unsigned threads = 1;
};

/// Runs the launch again in other orders until the result differs, to show that a race matters
/// although the result happened to be right. `left` is the result in the launch's own order, `own`.
/// Floating-point numbers differ if rounding does not explain the difference.
[[nodiscard]] OrderSearch findOtherOrder(const device::CapturedLaunch& launch,
                                         const InferredLaunch& inferred, const LaunchValues& left,
                                         uint64_t own, const OrderLimits& limits,
                                         const std::function<bool()>& cancelled);

}  // namespace tilestep::lab
