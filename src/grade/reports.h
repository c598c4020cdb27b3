// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grade/grade.h"

/// Grades for other programs and for students.
namespace tilestep::grade {

/// The document of `grade --json`.
[[nodiscard]] std::string toJson(const std::vector<Grade>& grades, const RunFacts& facts);

/// JUnit's XML: a suite for each submission, a case for each row of its marks. A row that was not
/// judged is skipped; if the grader failed, all rows of the submission are errors.
[[nodiscard]] std::string toJunit(const std::vector<Grade>& grades, const RunFacts& facts);

/// A student's page. It is self-contained, and contains no sizes, no data, no seed, and nothing
/// about other students.
[[nodiscard]] std::string toHtml(const Grade& grade, const RunFacts& facts);

/// Whether the text begins like a page of toHtml() or like the class's page.
[[nodiscard]] bool isAnyPage(std::string_view text);

/// Whether the page belongs to this grade: the same file, assignment, verdict and total.
[[nodiscard]] bool isPageOf(const Grade& grade, const RunFacts& facts, std::string_view page);

/// The page's file name. It is unique to the id, consists of harmless characters, and differs from
/// the class's page.
[[nodiscard]] std::string pageName(const std::string& id);

/// A table and a summary line, for a terminal.
[[nodiscard]] std::string toText(const std::vector<Grade>& grades, const RunFacts& facts);

/// "3.5", without trailing zeros.
[[nodiscard]] std::string marksText(double marks);

}  // namespace tilestep::grade
