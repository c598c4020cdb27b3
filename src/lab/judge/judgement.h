// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/error.h"
#include "lab/experiment.h"
#include "lab/judge/criterion.h"

namespace tilestep::lab {

/// The findings about a kernel from its launches so far.
class Judgement {
 public:
  /// Adds a launch that ran.
  void add(const RunResult& result);
  /// Adds an impossible launch: the kernel does not compile or does not match the specification.
  void add(const Error& refused);

  /// True if no launch so far had a finding.
  [[nodiscard]] bool clean() const { return failed_.empty() && unknown_.empty(); }
  [[nodiscard]] bool failed(Criterion criterion) const { return failed_.contains(criterion); }
  /// The number of launches that failed `criterion`.
  [[nodiscard]] size_t launchesThatFailed(Criterion criterion) const;
  /// The source line of the first failure; 0 if there is none.
  [[nodiscard]] int lineOf(Criterion criterion) const;
  /// The failure as a sentence, to which ", at line N." can be added. Names the kind of fault if
  /// all failures have the same kind.
  [[nodiscard]] std::string whatFailed(Criterion criterion) const;
  [[nodiscard]] std::set<Criterion> failures() const;
  [[nodiscard]] size_t launches() const { return launches_; }
  /// Why the kernel cannot be judged, such as an unsupported instruction; otherwise empty.
  [[nodiscard]] const std::string& unknown() const { return unknown_; }
  /// The compiler's message, or the mismatch; empty if the kernel was launched.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Failure {
    size_t launches = 0;
    size_t lastLaunch = 0;
    int line = 0;
    std::string what;
  };
  /// `what` is FaultKind::sentence, or empty if no fault showed the failure.
  void fail(Criterion criterion, int line, const std::string& what = {});

  size_t launches_ = 0;
  std::map<Criterion, Failure> failed_;
  std::string unknown_, refusal_;
};

/// The failures, in sentences that name lines and the number of failed launches out of `launches`,
/// but never sizes or data. Empty if there are no failures.
[[nodiscard]] std::string failuresText(const Judgement& judgement, size_t launches);

/// Why the kernel cannot be judged, in a sentence that may name sizes; otherwise empty.
[[nodiscard]] std::string unknownText(const Judgement& judgement);

}  // namespace tilestep::lab
