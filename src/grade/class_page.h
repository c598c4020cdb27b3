// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "grade/grade.h"

namespace tilestep::grade {

/// The name of the class's page in the folder of the students' pages; no student's has it.
inline constexpr const char* kClassPage = "index.html";

/// A page over a whole class, for the teacher: verdicts, groups of hand-ins that share something,
/// marks, and all hand-ins by id with links to their pages. It needs no other file and no script.
[[nodiscard]] std::string toClassPage(const std::vector<Grade>& grades, const RunFacts& facts);

}  // namespace tilestep::grade
