// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A PTX constant: the bits of an s64 or u64 integer, an f32 (0f…) or an f64 (0d… or decimal).
struct Literal {
  uint64_t bits = 0;
  Type type = Type::s64;
};

/// Parses an integer (decimal, octal, 0x or 0b, optionally with U) or a floating-point number (0f,
/// 0d or decimal), without a sign. Nullopt if malformed or out of range. Source: PTX ISA 9.0,
/// section 4.5.
[[nodiscard]] std::optional<Literal> parseLiteral(std::string_view text);

[[nodiscard]] Literal negate(Literal literal);

/// A string that parses to the same literal.
[[nodiscard]] std::string toText(Literal literal);

}  // namespace tilestep::ptx
