// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "support/tool.h"

namespace tilestep::system_test {

/// `tilestep run` on the interpreter with --json. Fails the test unless it exits with `status` and
/// prints JSON. Returns the JSON, or an empty object on failure.
nlohmann::json runJson(const support::Words& arguments, const support::Words& environment = {},
                       int status = 0);

/// Fails the test unless the command exits with 2, prints nothing on standard output, and prints
/// one line on standard error that contains all `parts`.
void expectRefused(const support::Words& arguments, const support::Words& parts,
                   const support::Words& environment = {});

}  // namespace tilestep::system_test
