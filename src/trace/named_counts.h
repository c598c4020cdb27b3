// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/counters.h"

namespace tilestep::trace {

struct NamedCount {
  std::string name;  ///< "global_load_requests"
  uint64_t value = 0;
};
/// In a fixed order; those that the device cannot give are left out.
[[nodiscard]] std::vector<NamedCount> namedCounts(const Counters& counters);

}  // namespace tilestep::trace
