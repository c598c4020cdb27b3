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

/// What the launches so far have shown of a kernel. A value.
class Judgement {
 public:
  /// A launch that ran.
  void add(const RunResult& result);
  /// A kernel that could not be launched: it does not compile, or is not as the spec has it.
  void add(const Error& refused);

  /// Nothing was found at any launch so far.
  [[nodiscard]] bool clean() const { return failed_.empty() && unknown_.empty(); }
  [[nodiscard]] bool failed(Criterion criterion) const { return failed_.contains(criterion); }
  /// At how many of the launches it failed; 0 if it did not.
  [[nodiscard]] size_t launchesThatFailed(Criterion criterion) const;
  /// The line of the source that the first failure names; 0: none.
  [[nodiscard]] int lineOf(Criterion criterion) const;
  /// What failed, for a sentence that goes on with where. Where all failures were faults of one
  /// kind, it says which.
  [[nodiscard]] std::string whatFailed(Criterion criterion) const;
  [[nodiscard]] std::set<Criterion> failures() const;
  [[nodiscard]] size_t launches() const { return launches_; }
  /// Why it cannot be judged, such as an instruction that the interpreter does not know; empty: it
  /// can.
  [[nodiscard]] const std::string& unknown() const { return unknown_; }
  /// What the compiler said, or what does not fit; empty: it was launched.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

 private:
  struct Failure {
    size_t launches = 0;
    size_t lastLaunch = 0;
    int line = 0;
    std::string what;
  };
  /// `what`: FaultKind::sentence; empty: no fault shows it.
  void fail(Criterion criterion, int line, const std::string& what = {});

  size_t launches_ = 0;
  std::map<Criterion, Failure> failed_;
  std::string unknown_, refusal_;
};

/// What is wrong, in sentences that name lines and how many of `launches` failed, and never their
/// sizes or data. Empty where nothing is.
[[nodiscard]] std::string failuresText(const Judgement& judgement, size_t launches);

/// Why it cannot be judged, in a sentence that may name sizes. Empty where it can.
[[nodiscard]] std::string unknownText(const Judgement& judgement);

}  // namespace tilestep::lab
