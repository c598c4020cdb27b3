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
/// judged is skipped, and one of a submission at which the grader failed is an error.
[[nodiscard]] std::string toJunit(const std::vector<Grade>& grades, const RunFacts& facts);

/// A page for the student alone. It needs no other file and holds neither sizes, nor data, nor the
/// seed, nor anything of other students.
[[nodiscard]] std::string toHtml(const Grade& grade, const RunFacts& facts);

/// Whether a text begins as a page of toHtml() does, for whomever, or as the class's.
[[nodiscard]] bool isAnyPage(std::string_view text);

/// Whether a page is the student's for this grade: of the same file and assignment, with the same
/// verdict and marks together.
[[nodiscard]] bool isPageOf(const Grade& grade, const RunFacts& facts, std::string_view page);

/// The page's file name: made of the id's harmless letters, unique for it, and not the class's.
[[nodiscard]] std::string pageName(const std::string& id);

/// A table for people, and a line that sums it up.
[[nodiscard]] std::string toText(const std::vector<Grade>& grades, const RunFacts& facts);

/// "3.5" without zeros at its end.
[[nodiscard]] std::string marksText(double marks);

}  // namespace tilestep::grade
