// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment.h"

#include <utility>

namespace tilestep::lab {

Experiment::Experiment() {
  measure = true;
}
Experiment::Experiment(const Experiment& other) = default;
Experiment::Experiment(Experiment&& other) noexcept = default;
Experiment& Experiment::operator=(const Experiment& other) = default;
Experiment& Experiment::operator=(Experiment&& other) noexcept = default;
Experiment::~Experiment() = default;

RunResult::RunResult() = default;
RunResult::RunResult(const RunResult& other) = default;
RunResult::RunResult(RunResult&& other) noexcept = default;
RunResult& RunResult::operator=(const RunResult& other) = default;
RunResult& RunResult::operator=(RunResult&& other) noexcept = default;
RunResult::~RunResult() = default;

ResultPointer shared(RunResult result) {
  return std::make_shared<const RunResult>(std::move(result));
}

bool RunResult::clean() const {
  return faults.empty() && (!hazards || hazards->empty()) && (!check || check->ok);
}

}  // namespace tilestep::lab
