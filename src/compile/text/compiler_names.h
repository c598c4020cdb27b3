// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilestep::compile {

/// Whether the text may do one thing with one compiler and another thing with the next, or where it
/// is not optimised: it uses names by which compilers are told apart, such as __clang__ and
/// __OPTIMIZE__, asks in a condition for a name that a compiler defines, asks of what type
/// threadIdx and its like are, or pastes names together, which could make such a name. What one
/// compiler makes of it then says nothing of what another does. Takes any text; time is linear.
[[nodiscard]] bool tellsCompilersApart(std::string_view text);

}  // namespace tilestep::compile
