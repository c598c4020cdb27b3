// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// clang 14 writes a 64-bit rotation by a variable amount as two shifts and takes the amount as it
/// is, though a shift by 64 or more gives 0: so `~(1ull << i)` is wrong from i = 64 on. In the PTX
/// that is returned every such amount is taken modulo 64; what later versions write stays.
[[nodiscard]] std::string withMaskedRotations(std::string ptx);

/// The same error. Where it is about a header that is not here, or about something of CUDA's that
/// Tilestep's headers for clang do not have, it says what to do and is of kind work: the text may
/// be right. `log` is all that clang said, `headerFolder` where those headers are: a
/// call that fits none of a function's parameters is about them where clang notes one of theirs.
[[nodiscard]] Error withRemedy(Error error, std::string_view log, std::string_view headerFolder);

}  // namespace tilestep::compile
