// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// What a launch seems to compute, and what it is asked about that; empty: nothing.
struct Recognised {
  Operation operation;
  std::string question;
};

/// Compares on the launch's own inputs, and where these tell nothing, such as ones in all elements,
/// on random numbers: the launch is then run once more, in the interpreter of this process, unless
/// `onceMore` is false or that takes long.
[[nodiscard]] std::optional<Recognised> recogniseLaunch(const device::CapturedLaunch& launch,
                                                        const InferredLaunch& inferred,
                                                        const LaunchValues& own, bool onceMore);

/// The same of another launch of the kernel, whose inputs may tell nothing by themselves; nothing
/// where fewer than nine tenths of the elements agree.
[[nodiscard]] std::optional<Recognised> recogniseLike(const Operation& operation,
                                                      const LaunchValues& own);

}  // namespace tilestep::lab
