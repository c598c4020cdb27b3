// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/lab.h"

/// Runs of kernels over tunables and odd sizes, small enough for the interpreter with every checker
/// enabled.
namespace tilestep::checkers {

struct Point {
  compile::Bindings sizes, tunables;
};
[[nodiscard]] std::string toText(const Point& point);

/// Each tunable at its least, default and greatest value while the others have their defaults.
/// Sizes never fill all blocks. If `few`, only the defaults.
[[nodiscard]] std::vector<Point> pointsOf(const compile::KernelSpec& spec, bool few);

/// Runs the kernel in the interpreter with --check.
[[nodiscard]] Result<lab::RunResult> runChecked(lab::Lab& lab, const compile::KernelSource& source,
                                                const Point& point, double timeoutSeconds = 10);

/// One line per hazard, fault or failed check; empty if there are none.
[[nodiscard]] std::vector<std::string> wrongsOf(const lab::RunResult& result);

}  // namespace tilestep::checkers
