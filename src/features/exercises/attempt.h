// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "features/exercises/view.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "lab/judge/judgement.h"
#include "model/choice/resolved.h"
#include "model/files/exercise_file.h"

namespace tilestep::features {

/// Judges one version of a user's file at the hidden launches. A value.
class Attempt {
 public:
  /// An attempt without a file.
  Attempt() = default;
  /// `entry` is the file under the exercise's spec, or the reason why the file cannot be used.
  Attempt(const Exercise& exercise, const compile::CatalogueEntry& entry);

  /// Whether this attempt judges the entry's source.
  [[nodiscard]] bool isOf(const compile::CatalogueEntry& entry) const;
  /// The next launch to run; absent if the judgement is complete or was cancelled.
  [[nodiscard]] std::optional<lab::Experiment> next(const Exercise& exercise) const;
  void take(const lab::RunResult& result) {
    judge([&] { judgement_.add(result); });
  }
  void take(const Error& error) {
    judge([&] { judgement_.add(error); });
  }
  void cancel() { cancelled_ = true; }
  [[nodiscard]] bool passed() const { return isOver() && judgement_.clean(); }
  [[nodiscard]] AttemptView view() const;

 private:
  template <class Add>
  void judge(const Add& add) {
    add();
    ++done_;
    // Do not run a kernel again that failed to launch or never ended.
    if (judgement_.failed(lab::Criterion::compiles) || judgement_.failed(lab::Criterion::end) ||
        !judgement_.unknown().empty())
      all_ = done_;
  }
  [[nodiscard]] bool isOver() const { return begun_ && done_ == all_; }

  bool begun_ = false, cancelled_ = false;
  compile::KernelSource source_;
  size_t done_ = 0, all_ = 0;
  lab::Judgement judgement_;
};

}  // namespace tilestep::features
