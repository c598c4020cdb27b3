// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "grade/grade.h"

/// What the hand-ins of a class have in common.
namespace tilestep::grade {

/// Hand-ins of which the same was found.
struct TroubleGroup {
  std::string kind;
  std::string words;             ///< What they do: "lack a guard"; of one: "lacks a guard".
  std::string sentence;          ///< What that is; may be empty.
  std::vector<std::string> ids;  ///< Sorted.
  std::string typical;           ///< One of them, with as little else found as any of them.
};

/// Hand-ins whose files are equal.
struct EqualFiles {
  std::vector<std::string> ids;  ///< Two or more, sorted.
};

struct ClassGroups {
  std::vector<TroubleGroup> troubles;  ///< The largest first.
  std::vector<EqualFiles> equal;       ///< The largest first.
  std::vector<std::string> unknown;    ///< Ids of grades of which it is not known what was found.
};

/// The groups of a class, whatever the order of its grades. Troubles of one kind are the same where
/// their details differ in nothing but lines, other numbers and quoted names, and counts where the
/// nearest whole number of times is the same. A hand-in may be in several groups.
[[nodiscard]] ClassGroups groupsOf(const std::vector<Grade>& grades);

/// A message without its line, and "…" in place of numbers and of quoted names: what messages about
/// the same mistake in different files have in common.
[[nodiscard]] std::string withoutNames(const std::string& message);

}  // namespace tilestep::grade
