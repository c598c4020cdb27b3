// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grade/grade.h"

/// Hand-ins of a class that have something in common.
namespace tilestep::grade {

/// Hand-ins with the same trouble.
struct TroubleGroup {
  std::string kind;
  std::string words;             ///< The trouble: "lack a guard"; of one: "lacks a guard".
  std::string sentence;          ///< An explanation; may be empty.
  std::vector<std::string> ids;  ///< Sorted.
  std::string typical;           ///< One with no more other troubles than any of them.
};

/// Hand-ins whose files are equal.
struct EqualFiles {
  std::vector<std::string> ids;  ///< Two or more, sorted.
};

struct ClassGroups {
  std::vector<TroubleGroup> troubles;  ///< The largest first.
  std::vector<EqualFiles> equal;       ///< The largest first.
  std::vector<std::string> unknown;    ///< Ids of grades without known troubles.
};

/// The groups of a class, which do not depend on the order of its grades. Troubles of one kind are
/// the same if their details differ only in line numbers, other numbers and quoted names, and
/// counts if their factors round to the same whole number. A hand-in may be in several groups.
[[nodiscard]] ClassGroups groupsOf(const std::vector<Grade>& grades);

/// A message without its line number, with "…" in place of numbers and of quoted names, so that
/// messages about the same mistake in different files become equal.
[[nodiscard]] std::string withoutNames(const std::string& message);

}  // namespace tilestep::grade
