// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "features/names.h"
#include "lab/program/program_summary.h"

namespace tilestep::features {

/// The outcome of running a text of the program with these arguments.
struct Outcome {
  std::string text, arguments;
  std::optional<Error> refusal;  ///< The reason why the program could not be compiled or started.
  std::shared_ptr<const lab::ProgramSummary> summary;  ///< Null if `refusal` is set.
  std::shared_ptr<const std::string> output;           ///< Never null.
};

/// The reason why the whole program fails: the program or one of its launches is refused, or the
/// program takes too long. Empty if it runs, even with faults.
[[nodiscard]] std::string whyFails(const Outcome& outcome);

/// Whether a tried change leaves fewer faults than the previous run.
[[nodiscard]] bool helps(const Outcome& outcome, const lab::ProgramSummary& before);
/// Compares a tried change with the previous run: "With this change, no fault is found."
[[nodiscard]] std::string fixOutcomeOf(const Outcome& outcome, const lab::ProgramSummary& before);

/// The most recent outcomes, so that a value tried before is shown immediately.
class Outcomes {
 public:
  void add(Outcome outcome);
  /// Null if the text was not run recently.
  [[nodiscard]] const Outcome* find(const std::string& text, const std::string& arguments) const;
  void clear() { kept_.clear(); }
  [[nodiscard]] bool isEmpty() const { return kept_.empty(); }

 private:
  std::deque<Outcome> kept_;  ///< Newest last.
};

}  // namespace tilestep::features
