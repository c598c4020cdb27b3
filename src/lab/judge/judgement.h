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

/// The findings about a kernel from its launches so far. A value.
class Judgement {
 public:
  /// Adds a launch that ran.
  void add(const RunResult& result);
  /// Adds a launch that was impossible: the kernel does not compile, or does not match the
  /// specification.
  void add(const Error& refused);

  /// True if no launch so far had a finding.
  [[nodiscard]] bool clean() const { return failed_.empty() && unknown_.empty(); }
  [[nodiscard]] bool failed(Criterion criterion) const { return failed_.contains(criterion); }
  /// The number of launches that failed it; 0 if none did.
  [[nodiscard]] size_t launchesThatFailed(Criterion criterion) const;
  /// The source line of the first failure; 0: none.
  [[nodiscard]] int lineOf(Criterion criterion) const;
  /// The failure as the beginning of a sentence that continues with the place. Names the kind of
  /// fault if all failures share one.
  [[nodiscard]] std::string whatFailed(Criterion criterion) const;
  [[nodiscard]] std::set<Criterion> failures() const;
  [[nodiscard]] size_t launches() const { return launches_; }
  /// Why the kernel cannot be judged, such as an unsupported instruction; empty: it can.
  [[nodiscard]] const std::string& unknown() const { return unknown_; }
  /// The compiler's message, or the mismatch; empty: the kernel was launched.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Failure {
    size_t launches = 0;
    size_t lastLaunch = 0;
    int line = 0;
    std::string what;
  };
  /// `what`: FaultKind::sentence; empty: not shown by a fault.
  void fail(Criterion criterion, int line, const std::string& what = {});

  size_t launches_ = 0;
  std::map<Criterion, Failure> failed_;
  std::string unknown_, refusal_;
};

/// The failures, in sentences that name lines and the number of failed launches out of `launches`,
/// but never sizes or data. Empty if there are none.
[[nodiscard]] std::string failuresText(const Judgement& judgement, size_t launches);

/// Why the kernel cannot be judged, in a sentence that may name sizes. Empty if it can.
[[nodiscard]] std::string unknownText(const Judgement& judgement);

}  // namespace tilestep::lab
