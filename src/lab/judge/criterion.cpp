// SPDX-License-Identifier: Apache-2.0
#include "lab/judge/criterion.h"

#include <algorithm>
#include <array>

namespace tilestep::lab {
namespace {

constexpr std::array<const char*, kCriteria> kNames{"compiles", "result",   "bounds",
                                                    "races",    "barriers", "end"};

}  // namespace

const char* nameOf(Criterion criterion) {
  return kNames[static_cast<size_t>(criterion)];
}

std::vector<std::string> criterionNames() {
  return {kNames.begin(), kNames.end()};
}

std::optional<Criterion> criterionNamed(std::string_view name) {
  const auto at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Criterion>(at - kNames.begin());
}

}  // namespace tilestep::lab
