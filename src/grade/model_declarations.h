// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace tilestep::grade {

/// What of `model`, CUDA C++ whose brackets match, has to stand in another file that declares the
/// names `wanted`: the declarations and macros of those names and of what they are made of, and the
/// headers of the device that the model includes, in the model's order. The names `without` are
/// defined elsewhere. Functions are left out unless they are constexpr, and so is what stands in a
/// namespace. Empty where nothing of it is needed.
[[nodiscard]] std::string declarationsOf(const std::string& model,
                                         std::set<std::string, std::less<>> wanted,
                                         const std::set<std::string, std::less<>>& without);

}  // namespace tilestep::grade
