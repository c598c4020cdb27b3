// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "cosim/forms.h"

namespace tilestep::cosim {

/// Cases of a form whose answers are stored. A GPU computes more.
constexpr uint32_t kKeptCases = 768;
/// Cases whose results share four bits.
constexpr uint32_t kGroup = 16;

/// A GPU's answer, small enough to store. For an exact form: a hash of all results, and four bits
/// for each group of cases, which locate a difference. For an approximation: the results.
struct Answer {
  uint64_t hash = 0;
  std::vector<uint8_t> groups;    ///< For an exact form: 0 to 15 per group.
  std::vector<uint64_t> results;  ///< For an approximation.
};

/// The answer for results of kKeptCases cases or more, laid out as in kernel.h.
[[nodiscard]] Answer answerOf(const Form& form, const std::vector<uint64_t>& results);

/// Answers by form, in one packed file; see answers.cpp.
class Answers {
 public:
  static Result<Answers> load(const std::string& path);
  [[nodiscard]] Status save(const std::string& path) const;

  void set(const Form& form, Answer answer);
  [[nodiscard]] const Answer* find(const Form& form) const;
  [[nodiscard]] size_t size() const { return answers_.size(); }

 private:
  std::map<uint64_t, Answer> answers_;  ///< By a hash of the form.
};

}  // namespace tilestep::cosim
