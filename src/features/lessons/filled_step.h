// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "features/names.h"

namespace tilestep::features {

/// The right answer to a question: a number, or the index of the right choice, counted from 1.
/// Absent while a run is pending; an Error says why it is unknown.
struct RightAnswer {
  Result<std::optional<double>> value = std::optional<double>();
  std::string text;  ///< The answer as the lesson shows it; empty while unknown.
};

/// A foreseen wrong answer with its explanation. Figures are filled in.
struct FilledMisconception {
  std::optional<double> answer;  ///< Absent while unknown.
  std::string because;
};

/// A lesson's step with its figures filled in.
struct FilledStep {
  std::vector<std::string> text, answer, choices;
  std::string question;
  std::string hint;  ///< Empty if there is no hint.
  std::vector<FilledMisconception> wrong;
  RightAnswer right;    ///< The right answer, if the step asks a question.
  bool coming = false;  ///< Some figures are still being computed.
  std::string missing;  ///< The reason why some figures are missing; otherwise empty.
  std::string origin;   ///< The origin of the figures; empty if there are no figures.

  /// Whether the right answer is still being computed. The text's figures may be complete.
  [[nodiscard]] bool isAnswerComing() const { return right.value && !*right.value; }
};

}  // namespace tilestep::features
