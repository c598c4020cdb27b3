// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep::model {

/// A lesson's step with its figures filled in.
struct FilledStep {
  std::vector<std::string> text, answer, choices;
  std::string question;
  bool coming = false;  ///< Some figures have not come yet.
  std::string missing;  ///< Why some cannot be had; else empty.
  std::string origin;   ///< Where they come from; empty: it has none.
};

/// The right answer to a question: its number, of choices the right one's from 1. Nothing while a
/// run has not come; an Error says why it cannot be known.
struct RightAnswer {
  Result<std::optional<double>> value = std::optional<double>();
  std::string text;  ///< As it is told; empty where it is not known.
};

}  // namespace tilestep::model
