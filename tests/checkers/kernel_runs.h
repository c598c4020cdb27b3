// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/kernel.h"
#include "lab/lab.h"

/// Kernels over tunables and odd sizes, small enough for the interpreter with every checker on.
namespace tilestep::checkers {

struct Point {
  compile::Bindings sizes, tunables;
};
[[nodiscard]] std::string toText(const Point& point);

/// Every tunable at its least, default and greatest value (the others at their defaults), each at
/// sizes that fill no block. `few`: the defaults alone.
[[nodiscard]] std::vector<Point> pointsOf(const compile::KernelSpec& spec, bool few);

/// In the interpreter with --check.
[[nodiscard]] Result<lab::RunResult> runChecked(lab::Lab& lab, const compile::KernelSource& source,
                                                const Point& point, double timeoutSeconds = 10);

/// One line a hazard, fault or failed check; empty where nothing is wrong.
[[nodiscard]] std::vector<std::string> wrongsOf(const lab::RunResult& result);

}  // namespace tilestep::checkers
