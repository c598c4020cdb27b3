// SPDX-License-Identifier: Apache-2.0
#include "grade/grade.h"

#include <algorithm>
#include <array>

namespace tilestep::grade {
namespace {

constexpr std::array<const char*, kVerdicts> kNames{"right", "wrong", "refused", "unjudged",
                                                    "failed"};

}  // namespace

const char* nameOf(Verdict verdict) {
  return kNames[static_cast<size_t>(verdict)];
}

std::optional<Verdict> verdictNamed(const std::string& name) {
  const auto at = std::ranges::find(kNames, name);
  if (at == kNames.end()) return std::nullopt;
  return static_cast<Verdict>(at - kNames.begin());
}

double Grade::marks() const {
  double sum = 0;
  for (const Row& row : rows) sum += row.marks.value_or(0);
  return sum;
}

double Grade::of() const {
  double sum = 0;
  for (const Row& row : rows) sum += row.of;
  return sum;
}

bool Grade::wholeMarks() const {
  return std::ranges::all_of(rows, [](const Row& row) { return row.marks.has_value(); });
}

std::optional<double> Grade::judgedMarks() const {
  if (rows.empty() || !wholeMarks()) return std::nullopt;
  return marks();
}

std::optional<double> Grade::total() const {
  return byHand ? byHand : judgedMarks();
}

bool Grade::needsPerson() const {
  if (byHand) return false;
  return verdict == Verdict::failed || verdict == Verdict::unjudged || !wholeMarks();
}

}  // namespace tilestep::grade
