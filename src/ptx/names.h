// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "ptx/ir.h"

/// The inverse of the toText() functions of ir.h.
namespace tilestep::ptx {

/// `word` has no dot: "f32". Nullopt if it is not a type in ir.h.
[[nodiscard]] std::optional<Type> typeOf(std::string_view word);
/// `word` is "global", "shared::cta" or similar. Never returns `generic`, which has no word.
[[nodiscard]] std::optional<Space> spaceOf(std::string_view word);
[[nodiscard]] std::optional<Rounding> roundingOf(std::string_view word);
[[nodiscard]] std::optional<Compare> compareOf(std::string_view word);
/// `word` includes the '%': "%tid.x".
[[nodiscard]] std::optional<SpecialRegister> specialRegisterOf(std::string_view word);

}  // namespace tilestep::ptx
