// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/html_text.h"
#include "base/printable.h"
#include "grade/reports.h"

namespace tilestep::grade {
namespace {

/// XML escapes the same five characters as HTML.
std::string xml(const std::string& text) {
  return escapedHtml(printable(text));
}

/// Whether the row lost marks. A row worth 0 marks counts as failed if it has a reason.
bool isLost(const Row& row) {
  return row.marks && (*row.marks < row.of || (row.of == 0 && !row.why.empty()));
}

std::string caseOf(const Grade& grade, const Row& row) {
  const std::string head =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(grade.id), xml(row.name));
  const bool isGrades = row.why.empty() || (!row.marks && !grade.reason.empty());
  const std::string why = isGrades ? grade.reason : row.why;
  const auto with = [&](const char* element) {
    return fmt::format("{}><{} message=\"{}\"/></testcase>\n", head, element, xml(why));
  };
  if (grade.verdict == Verdict::failed) return with("error");
  if (!row.marks) return with("skipped");
  return isLost(row) ? with("failure") : head + "/>\n";
}

std::string suiteOf(const Grade& grade) {
  const bool failed = grade.verdict == Verdict::failed;
  const auto failures = std::ranges::count_if(grade.rows, isLost);
  const auto skipped = std::ranges::count_if(grade.rows, [](const Row& row) { return !row.marks; });
  std::string text = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      xml(grade.id), grade.rows.size(), failed ? 0 : failures, failed ? grade.rows.size() : 0,
      failed ? 0 : skipped, grade.seconds);
  if (grade.byHand)
    text += fmt::format("    <properties><property name=\"by_hand\" value=\"{}\"/></properties>\n",
                        marksText(*grade.byHand));
  for (const Row& row : grade.rows) text += caseOf(grade, row);
  return text + "  </testsuite>\n";
}

}  // namespace

std::string toJunit(const std::vector<Grade>& grades, const RunFacts& facts) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"{}\">\n", xml(facts.assignment));
  for (const Grade& grade : grades) text += suiteOf(grade);
  return text + "</testsuites>\n";
}

}  // namespace tilestep::grade
