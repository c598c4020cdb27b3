// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "ptx/ir.h"

/// The meaning of a word: the inverse of the toText functions of ir.h.
namespace tilestep::ptx {

/// "f32" without its dot; nullopt for words that are not types in ir.h.
[[nodiscard]] std::optional<Type> typeOf(std::string_view word);
/// "global", "shared::cta" and similar; never generic, which has no word.
[[nodiscard]] std::optional<Space> spaceOf(std::string_view word);
[[nodiscard]] std::optional<Rounding> roundingOf(std::string_view word);
[[nodiscard]] std::optional<Compare> compareOf(std::string_view word);
/// "%tid.x" with its '%'.
[[nodiscard]] std::optional<SpecialRegister> specialRegisterOf(std::string_view word);

}  // namespace tilestep::ptx
