// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "device/captured.h"
#include "lab/launch/operands.h"
#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The operation that a launch seems to compute, and a question about a difference, if any.
struct Recognised {
  Operation operation;
  std::string question;
};

/// Compares the outputs for the launch's own inputs. If these inputs are no evidence, such as all
/// ones, runs the launch once more on random numbers in the interpreter of this process, unless
/// `onceMore` is false or the run would take long.
[[nodiscard]] std::optional<Recognised> recogniseLaunch(const device::CapturedLaunch& launch,
                                                        const InferredLaunch& inferred,
                                                        const LaunchValues& own, bool onceMore);

/// Compares this launch with `operation`, which was recognised in another launch of the same
/// kernel, because this launch's inputs may be no evidence. Nothing if fewer than nine tenths of
/// the elements agree.
[[nodiscard]] std::optional<Recognised> recogniseLike(const Operation& operation,
                                                      const LaunchValues& own);

}  // namespace tilestep::lab
