// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilestep {

/// Element types of kernel operands.
enum class ElementType : uint8_t { f32, f64, f16, bf16, i8, u8, i32, u32, i64, u64 };
[[nodiscard]] unsigned bytesOf(ElementType type);
[[nodiscard]] std::string_view toText(ElementType type);
[[nodiscard]] std::optional<ElementType> elementTypeOf(std::string_view text);

/// How a kernel uses an operand. inout operands are restored before every launch.
enum class Direction : uint8_t { in, out, inout };

/// How an operand is filled before the launch.
/// `random`: numbers from -1 to 1, integers from 0 to 255 (8 bits of i8 are from -128 to 127).
/// `wide`: the same numbers, but integers from the whole range of their type, and 64-bit ones from
/// that of 32 bits.
enum class Fill : uint8_t { random, zero, ones, index, wide };

enum class OperandKind : uint8_t { buffer, scalar, symbol };

}  // namespace tilestep
