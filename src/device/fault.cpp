// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "device/device.h"

namespace tilestep::device {

bool endsLaunch(const Fault& fault) {
  // Faults whose launch runs to its end.
  constexpr std::array<std::string_view, 8> kOnlyReported{
      "outside-row", "read-only",         "uninitialised-copy", "uninitialised-read",
      "wrong-mask",  "divergent-barrier", "time-limit",         "results-differ"};
  return std::ranges::find(kOnlyReported, fault.kind) == kOnlyReported.end();
}

}  // namespace tilestep::device
