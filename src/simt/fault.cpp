// SPDX-License-Identifier: Apache-2.0
#include "simt/fault.h"

#include <algorithm>

namespace tilestep::simt {

void addFault(std::vector<Fault>& faults, Fault fault) {
  const auto same = std::find_if(faults.begin(), faults.end(), [&](const Fault& other) {
    return other.kind == fault.kind && other.line == fault.line;
  });
  if (same == faults.end()) {
    faults.push_back(std::move(fault));
  } else {
    same->count += fault.count;
  }
}

std::string toText(const Dim3& index) {
  return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", " +
         std::to_string(index.z) + ")";
}

}  // namespace tilestep::simt
