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

/// The outcome of one text of the program with these arguments.
struct Outcome {
  std::string text, arguments;
  std::optional<Error> refusal;  ///< The reason why it could not be compiled or started.
  std::shared_ptr<const lab::ProgramSummary> summary;  ///< Null if `refusal` is set.
  std::shared_ptr<const std::string> output;           ///< Never null.
};

/// The reason why the whole program fails: it is refused, one of its launches is, or it takes too
/// long. Empty if it runs, whatever faults it has.
[[nodiscard]] std::string whyFails(const Outcome& outcome);

/// Whether a tried change leaves fewer faults than the run before it.
[[nodiscard]] bool helps(const Outcome& outcome, const lab::ProgramSummary& before);
/// The outcome of a tried change compared with the run before it: "With it no fault is found."
[[nodiscard]] std::string fixOutcomeOf(const Outcome& outcome, const lab::ProgramSummary& before);

/// The most recent outcomes, so that a value that was tried before is shown at once.
class Outcomes {
 public:
  void add(Outcome outcome);
  /// Null if that text was not run, or was run too long ago.
  [[nodiscard]] const Outcome* find(const std::string& text, const std::string& arguments) const;
  void clear() { kept_.clear(); }
  [[nodiscard]] bool isEmpty() const { return kept_.empty(); }

 private:
  std::deque<Outcome> kept_;  ///< Newest last.
};

}  // namespace tilestep::features
