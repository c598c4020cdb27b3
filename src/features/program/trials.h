// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "features/names.h"
#include "features/program/running.h"

namespace tilestep::features {

/// Runs changed texts of the open program one after another in the background, so that their
/// outcomes are known before the user chooses one. For one thread.
class Trials {
 public:
  using Started = Result<std::unique_ptr<Running>>;
  using Start = std::function<Started(const std::string& text)>;

  /// Adds a text, which runs after the others.
  void add(std::string text) { texts_.push_back(std::move(text)); }
  /// Ends the present trials, and runs these texts for a slider.
  void addAll(std::string slider, const std::vector<std::string>& texts);
  void end();

  /// A text whose trial has ended, with its run or the reason why the run did not start.
  struct Ended {
    std::string text;
    Started run;
  };
  /// Returns a finished trial. If there is none, starts the next one, unless `waits` is set.
  std::optional<Ended> poll(bool waits, const Start& start);

  [[nodiscard]] bool isIdle() const { return texts_.empty(); }
  [[nodiscard]] size_t left() const { return texts_.size(); }
  /// The slider whose values are all being tried; empty if there is none.
  [[nodiscard]] const std::string& slider() const { return slider_; }

 private:
  std::unique_ptr<Running> run_;  ///< The run of the first text; null if it has not started.
  std::deque<std::string> texts_;
  std::string slider_;
};

}  // namespace tilestep::features
