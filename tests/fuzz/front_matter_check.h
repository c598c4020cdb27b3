// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Takes any text as a kernel with front matter, or, where it does not begin with a comment, as
/// front matter beside a kernel. What is accepted is planned with its defaults, and put over
/// another file. Empty when all holds, else what does not: a refusal without a reason, a plan that
/// breaks the device's limits.
std::string checkFrontMatter(std::string_view text);

/// Takes any text as an expression of front matter: it has a finite value, or an error with a
/// reason, whichever way it is asked for, and expressions of one value are equal.
std::string checkExpression(std::string_view text);

}  // namespace tilestep::fuzz
