// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilestep::compile {

/// Whether the text may be different programs for different compilers, or with and without
/// optimisation. That is so if it uses names by which compilers are told apart, such as __clang__
/// and __OPTIMIZE__, or a condition of the preprocessor asks for a name that a compiler defines, or
/// it asks for the type of threadIdx and its like, or pastes names together. Takes any text; time
/// is linear.
[[nodiscard]] bool tellsCompilersApart(std::string_view text);

}  // namespace tilestep::compile
