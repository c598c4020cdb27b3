// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/launch/operation.h"

namespace tilestep::lab {

/// The output that a launch would produce if it were a certain operation on certain inputs.
struct OperationCandidate {
  std::string_view name;
  std::string formula;
  uint32_t output = 0;
  std::vector<double> values;  ///< NaN if not computed.
  /// The magnitudes that bound rounding errors; if empty, the values themselves.
  std::vector<double> scale;
  double terms = 1;   ///< The number of terms in the sum of one element.
  bool tells = true;  ///< False if other operations would give the same output for these inputs.
};

/// Calls visit(candidate) for each operation and each choice of operands with suitable shapes.
void eachCandidate(const LaunchValues& launch,
                   const std::function<void(const OperationCandidate&)>& visit);

}  // namespace tilestep::lab
