// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/launch/operation.h"

namespace tilestep::lab {

/// What one output would be if the launch were that operation on those inputs.
struct OperationCandidate {
  std::string_view name;
  std::string formula;
  uint32_t output = 0;
  std::vector<double> values;  ///< NaN: not worked out.
  std::vector<double> scale;   ///< What rounding is relative to; empty: the values themselves.
  double terms = 1;            ///< How many numbers one element is summed from.
  bool tells = true;           ///< False: these inputs would look alike under other operations.
};

/// Calls visit(candidate) for each operation, and each choice of operands with the shapes for it.
void eachCandidate(const LaunchValues& launch,
                   const std::function<void(const OperationCandidate&)>& visit);

}  // namespace tilestep::lab
