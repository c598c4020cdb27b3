// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace tilestep::grade {

/// The parts of `model`, CUDA C++ with matching brackets, that another file needs in order to use
/// the names `wanted`. These are the declarations and macros of those names and of the names that
/// they use, and the device headers that the model includes, in the model's order. The names
/// `without` are defined elsewhere. Functions that are not constexpr and everything in a namespace
/// are omitted. Empty if nothing is needed.
[[nodiscard]] std::string declarationsOf(const std::string& model,
                                         std::set<std::string, std::less<>> wanted,
                                         const std::set<std::string, std::less<>>& without);

}  // namespace tilestep::grade
