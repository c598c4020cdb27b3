// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grade/grade.h"

namespace tilestep::grade {

/// The file name of the class's page, which is in the folder of the students' pages. No student's
/// page has this name.
inline constexpr const char* kClassPage = "index.html";

/// The teacher's page of a whole class: verdicts, groups of hand-ins with the same troubles, marks,
/// and all hand-ins by id with links to their pages. Self-contained, without scripts.
[[nodiscard]] std::string toClassPage(const std::vector<Grade>& grades, const RunFacts& facts);

}  // namespace tilestep::grade
