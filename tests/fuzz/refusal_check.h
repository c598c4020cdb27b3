// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::fuzz {

/// Whether an error has what each refusal of a text has to have: a reason, and no place outside of
/// the text. Empty, or what is wrong with it. `placed`: it must have a place.
std::string checkRefusal(const Error& error, std::string_view text, bool placed = false);

}  // namespace tilestep::fuzz
