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

/// A student's page. Self-contained; contains no sizes, no data, no seed, and nothing about other
/// students.
[[nodiscard]] std::string toHtml(const Grade& grade, const RunFacts& facts);

/// Whether a text begins like a page of toHtml() or like the class's page.
[[nodiscard]] bool isAnyPage(std::string_view text);

/// Whether a page belongs to this grade: the same file and assignment, with the same verdict and
/// total.
[[nodiscard]] bool isPageOf(const Grade& grade, const RunFacts& facts, std::string_view page);

/// The page's file name: unique to the id, made of harmless characters, and not the class's.
[[nodiscard]] std::string pageName(const std::string& id);

/// A table for people and a summary line.
[[nodiscard]] std::string toText(const std::vector<Grade>& grades, const RunFacts& facts);

/// "3.5", without trailing zeros.
[[nodiscard]] std::string marksText(double marks);

}  // namespace tilestep::grade
