// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// Fixes the PTX of 64-bit rotations by a variable amount. clang 14 compiles them to two shifts by
/// an amount that may be 64 or more, for which PTX shifts return 0. For example, `~(1ull << i)` is
/// wrong for i >= 64. This function reduces the amounts modulo 64. Output of later versions does
/// not change.
[[nodiscard]] std::string withMaskedRotations(std::string ptx);

/// Adds a remedy to an error about a host function, a missing header, or a part of CUDA that
/// Tilestep's headers for clang do not declare. In the last two cases the source may be correct, so
/// the error becomes a work error. `log` is clang's complete output. `headerFolder` is the folder
/// of Tilestep's headers; a call that matches no overload is attributed to them if clang's notes
/// mention one of their functions.
[[nodiscard]] Error withRemedy(Error error, std::string_view log, std::string_view headerFolder);

}  // namespace tilestep::compile
