// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "support/tool.h"

namespace tilestep::system_test {

/// `tilestep run` on the interpreter with --json; fails the test unless it exits with `status` and
/// prints JSON, which is returned (an empty object where it did not).
nlohmann::json runJson(const support::Words& arguments, const support::Words& environment = {},
                       int status = 0);

/// Fails the test unless the command exits with 2, prints nothing on standard output, and one line
/// on standard error that holds every one of `parts`.
void expectRefused(const support::Words& arguments, const support::Words& parts,
                   const support::Words& environment = {});

}  // namespace tilestep::system_test
