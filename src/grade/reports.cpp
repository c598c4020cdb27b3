// SPDX-License-Identifier: Apache-2.0
#include "grade/reports.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"
#include "base/text_table.h"

namespace tilestep::grade {
namespace {

std::string summary(const std::vector<Grade>& grades) {
  std::string text = fmt::format("{} graded", grades.size());
  const char* before = ": ";
  for (size_t i = 0; i < kVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    const auto count = std::ranges::count(grades, verdict, &Grade::verdict);
    if (count == 0) continue;
    text += fmt::format("{}{} {}", before, count, nameOf(verdict));
    before = ", ";
  }
  return text + "\n";
}

}  // namespace

std::string marksText(double marks) {
  std::string text = fmt::format("{:.3f}", marks);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

std::string toText(const std::vector<Grade>& grades, const RunFacts& facts) {
  TextTable table({"id", "verdict", "marks", "of", "reason"});
  for (const Grade& grade : grades) {
    const std::optional<double> total = grade.total();
    const std::string reason = (grade.byHand ? "Marked by hand. " : "") + grade.reason;
    table.add({grade.id, nameOf(grade.verdict), total ? marksText(*total) : "–",
               marksText(grade.of()), printableLine(reason)});
  }
  std::string text = table.text() + "\n" + summary(grades);
  if (grades.size() == 1 && !grades.front().command.empty())
    text +=
        "\nTo run the first launch that failed:\n  " + printableLine(grades.front().command) + "\n";
  if (facts.untested.empty()) return text;
  text += "\nnot tested\n";
  for (const std::string& one : facts.untested) text += "  " + printableLine(one) + "\n";
  return text;
}

}  // namespace tilestep::grade
