// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The operation that a launch seems to compute, and the question to ask about a difference, if
/// any.
struct Recognised {
  Operation operation;
  std::string question;
};

/// Compares using the launch's own inputs. If these are no evidence, such as ones in all elements,
/// it runs the launch once more on random numbers, in this process's interpreter, unless `onceMore`
/// is false or that would take long.
[[nodiscard]] std::optional<Recognised> recogniseLaunch(const device::CapturedLaunch& launch,
                                                        const InferredLaunch& inferred,
                                                        const LaunchValues& own, bool onceMore);

/// The same operation in another launch of the kernel, whose own inputs may be no evidence; nothing
/// if fewer than nine tenths of the elements agree.
[[nodiscard]] std::optional<Recognised> recogniseLike(const Operation& operation,
                                                      const LaunchValues& own);

}  // namespace tilestep::lab
