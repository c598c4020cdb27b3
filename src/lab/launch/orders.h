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

/// What a launch leaves in another order of its blocks and warps.
struct OtherOrder {
  uint64_t order = 0;            ///< As GridRequest::order.
  std::string element;           ///< "C[1][2]"; empty where it ends with a fault instead,
  std::string fault;             ///< which this names: "out-of-bounds".
  double got = 0, expected = 0;  ///< In that order; in the launch's own.
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

/// Runs the launch again in other orders until one leaves something else, to show that a race
/// matters whose result is right by luck. `left` is what the launch left in the order `own`.
/// Numbers with a fraction differ where rounding does not explain it.
[[nodiscard]] OrderSearch findOtherOrder(const device::CapturedLaunch& launch,
                                         const InferredLaunch& inferred, const LaunchValues& left,
                                         uint64_t own, const OrderLimits& limits,
                                         const std::function<bool()>& cancelled);

}  // namespace tilestep::lab
