// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment.h"

namespace tilestep::lab {

bool RunResult::clean() const {
  return faults.empty() && (!hazards || hazards->empty()) && (!check || check->ok);
}

}  // namespace tilestep::lab
