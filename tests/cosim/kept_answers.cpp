// SPDX-License-Identifier: Apache-2.0
#include "cosim/kept_answers.h"

#include <stdexcept>
#include <utility>

#include "cosim/interpreter.h"
#include "cosim/report.h"
#include "support/source_root.h"

namespace tilestep::cosim {

const std::vector<Form>& forms() {
  static const std::vector<Form> all = allForms();
  return all;
}

namespace {

const Answers& kept() {
  static const Answers answers = [] {
    auto loaded = Answers::load(support::sourceRoot() + "/tests/cosim/answers.gz");
    if (!loaded) throw std::runtime_error(toString(loaded.error()));
    return std::move(*loaded);
  }();
  return answers;
}

}  // namespace

size_t keptAnswerCount() {
  return kept().size();
}

std::string failureOf(const Form& form, const simt::Engine& engine) {
  const Answer* answer = kept().find(form);
  if (answer == nullptr) {
    return form.text + ": no GPU's answer is kept; on a GPU, set TILESTEP_COSIM_REMAKE";
  }
  auto results = interpret(form, kKeptCases, &engine);
  return results ? firstDifference(form, *answer, *results) : toString(results.error());
}

}  // namespace tilestep::cosim
