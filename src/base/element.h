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

/// How an operand is filled before the launch. With `random`, floating-point numbers are from -1 to
/// 1, and integers from 0 to 255 (i8: from -128 to 127).
/// With `wide`, integers are from the whole range of their type, except that 64-bit integers are
/// from the 32-bit range.
enum class Fill : uint8_t { random, zero, ones, index, wide };

enum class OperandKind : uint8_t { buffer, scalar, symbol };

}  // namespace tilestep
