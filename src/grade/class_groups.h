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
  std::string words;     ///< The trouble: "have no guard", or "has no guard" for a single hand-in.
  std::string sentence;  ///< An explanation; may be empty.
  std::vector<std::string> ids;  ///< Sorted.
  std::string typical;           ///< The hand-in with the fewest other troubles.
};

/// Hand-ins whose files have the same content.
struct EqualFiles {
  std::vector<std::string> ids;  ///< Two or more, sorted.
};

struct ClassGroups {
  std::vector<TroubleGroup> troubles;  ///< Largest first.
  std::vector<EqualFiles> equal;       ///< Largest first.
  std::vector<std::string> unknown;    ///< Ids of the grades whose troubles are not known.
};

/// The groups of a class; the order of the grades does not matter. Two troubles of one kind are
/// equal if their details differ only in line numbers, other numbers and quoted names. Two counts
/// are equal if their factors round to the same whole number. A hand-in may be in several groups.
[[nodiscard]] ClassGroups groupsOf(const std::vector<Grade>& grades);

/// A message without its line number, with "…" in place of numbers and quoted names, so that
/// messages about the same mistake in different files become equal.
[[nodiscard]] std::string withoutNames(const std::string& message);

}  // namespace tilestep::grade
