// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A PTX constant: bits of an s64 or u64 integer, of an f32 (0f…) or of an f64 (0d…, decimals).
struct Literal {
  uint64_t bits = 0;
  Type type = Type::s64;
};

/// Decimal, 0x, 0b, octal, with U; 0f, 0d, decimal fractions; no sign. Nullopt if malformed or out
/// of range. Source: PTX ISA 9.0, section 4.5.
[[nodiscard]] std::optional<Literal> parseLiteral(std::string_view text);

/// The negated literal.
[[nodiscard]] Literal negate(Literal literal);

/// Text that parses to the same literal.
[[nodiscard]] std::string toText(Literal literal);

}  // namespace tilestep::ptx
