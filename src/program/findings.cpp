// SPDX-License-Identifier: Apache-2.0
#include "program/findings.h"

#include <utility>

namespace tilestep::program {

void takeServed(Served served, ProgramRun& run) {
  run.calls = std::move(served.calls);
  run.launches = std::move(served.launches);
  run.findings = std::move(served.findings);
}

}  // namespace tilestep::program
