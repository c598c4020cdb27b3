// SPDX-License-Identifier: Apache-2.0
// The rows of marks of a trial, and its troubles.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/sentence.h"
#include "grade/counts.h"
#include "grade/trial.h"
#include "grade/words.h"

namespace tilestep::grade {

using lab::Criterion;

Row Trial::rowOf(Criterion criterion) const {
  const double of = assignment_.rules.marks[static_cast<size_t>(criterion)];
  Row row{lab::nameOf(criterion), std::nullopt, of, {}};
  const auto is = [&](double marks, std::string why) {
    row.marks = marks;
    row.why = std::move(why);
    return row;
  };
  if (!refused_.empty()) return is(0, "The file is refused.");
  if (!failed_.empty()) {
    row.why = "This was not judged.";
    return row;
  }
  if (judgement_.failed(criterion) && !disagree_)
    return is(0, criterionFailed(criterion, judgement_));
  if (judgement_.failed(Criterion::compiles) && rightOnes_ == 0)
    return is(0, "The kernel cannot be launched.");
  const bool isWhole = unjudged_.empty() && judgement_.unknown().empty();
  if (criterion == Criterion::compiles && done_ > 0) return is(of, {});
  if (!isWhole) {
    row.why = "This was not judged.";
    return row;
  }
  if (criterion == Criterion::result) {
    if (rightOnes_ == assignment_.launches.size()) return is(of, {});
    return is(0, "A launch was stopped before its end, so its result was not seen.");
  }
  if (rightOnes_ == 0) return is(0, "No launch gave the right result, so this earns no marks.");
  return is(of, {});
}

Row Trial::rowOf(const CountRule& rule) const {
  Row row{rule.counter, std::nullopt, rule.marks, {}};
  if (verdict() == Verdict::refused || verdict() == Verdict::wrong) {
    row.marks = 0;
    row.why = "Counts are marked only if the kernel is right.";
    return row;
  }
  if (verdict() != Verdict::right) {
    row.why = "This was not judged.";
    return row;
  }
  if (isUndecided(rule, counts_, assignment_.solution)) {
    const auto why = whyUncertain_.find(rule.counter);
    row.why = (why == whyUncertain_.end() ? "A GPU may count differently." : why->second) +
              " Therefore, this is not marked.";
    return row;
  }
  if (withoutAtomics_.contains(rule.counter)) {
    row.why =
        "The kernel also does this with atomic operations, which are not counted, so this is not "
        "marked.";
    return row;
  }
  const std::optional<CountResult> count =
      countOf(rule, counts_, assignment_.solution, assignment_.launches);
  if (!count) {
    row.why = "This was not counted.";
    return row;
  }
  row.marks = fits(*count) ? rule.marks : 0;
  if (!fits(*count)) row.why = tooMany(*count);
  return row;
}

namespace {

double timesOf(const CountResult& count) {
  if (count.solution == 0) return 0;
  return static_cast<double>(count.submission) / static_cast<double>(count.solution);
}

}  // namespace

/// `grade` must contain its rows and counts.
std::vector<Trouble> Trial::troubles(const Grade& grade) const {
  std::vector<Trouble> all;
  const auto add = [&](const char* kind, const std::string& detail, double times = 0) {
    all.push_back({kind, shortened(detail, kLongestText), times});
  };
  if (grade.verdict == Verdict::refused && refused_.empty())
    add(kernel_ ? "not-compiled" : "refused", judgement_.refusal());
  else if (grade.verdict == Verdict::refused)
    add("refused", refused_);
  else if (grade.verdict == Verdict::failed)
    add("failed", failed_);
  else if (grade.verdict == Verdict::unjudged)
    add("unjudged", unjudged_.empty() ? judgement_.unknown() : unjudged_);
  else if (grade.verdict == Verdict::wrong)
    return log_.troubles();
  else
    for (const Row& row : grade.rows) {
      const auto count = std::ranges::find(grade.counts, row.name, &CountResult::counter);
      if (!row.marks)
        add("row", row.name + ": " + row.why);
      else if (count != grade.counts.end() && !fits(*count))
        add("count", row.name, timesOf(*count));
    }
  return all;
}

}  // namespace tilestep::grade
