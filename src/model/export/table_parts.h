// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/export/table.h"
#include "model/snapshot.h"

namespace tilestep::model {

/// Nine significant digits, which is enough for any float.
[[nodiscard]] inline std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}
[[nodiscard]] inline std::string number(const std::optional<double>& value) {
  return value ? number(*value) : std::string();
}
template <class Integer>
[[nodiscard]] std::string whole(Integer value) {
  return std::to_string(value);
}

inline void add(Table& table, std::vector<std::string> row) {
  if (table.rows.size() >= kMostRows)
    table.cut = true;
  else
    table.rows.push_back(std::move(row));
}

/// The step of the kernel that the table shows; null before the first step.
[[nodiscard]] inline const std::shared_ptr<const TracedStep>& stepOf(const Snapshot& now,
                                                                     const TableOptions& options) {
  return options.companion && now.companion ? now.companion : now.main;
}

/// The kernel's file name or, if both sides are the same kernel, the name that distinguishes them.
[[nodiscard]] inline std::string calledIn(const TracedKernel& side) {
  return side.shortName == plainNameOf(side) ? side.kernel : side.shortName;
}

}  // namespace tilestep::model
