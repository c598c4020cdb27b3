// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// clang 14 compiles a 64-bit rotation by a variable amount to two shifts without reducing the
/// amount, although a shift by 64 or more gives 0, so `~(1ull << i)` is wrong from i = 64 on. In
/// the returned PTX every such amount is reduced modulo 64; the output of later versions is
/// unchanged.
[[nodiscard]] std::string withMaskedRotations(std::string ptx);

/// The same error. If it is about a missing header, or about a part of CUDA that Tilestep's headers
/// for clang do not declare, it suggests a remedy and becomes an error of kind work, because the
/// source may be correct. `log` is clang's complete output, `headerFolder` the folder of those
/// headers: a call that matches no overload concerns them if clang notes one of their functions.
[[nodiscard]] Error withRemedy(Error error, std::string_view log, std::string_view headerFolder);

}  // namespace tilestep::compile
