// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/literal.h"

#include <bit>
#include <charconv>
#include <limits>

#include "base/number_text.h"

namespace tilestep::ptx {
namespace {

constexpr uint64_t kSignBit32 = 0x80000000ULL;
constexpr uint64_t kSignBit64 = 0x8000000000000000ULL;

std::optional<uint64_t> parseDigits(std::string_view digits, int base) {
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const bool isWhole = error == std::errc() && end == digits.data() + digits.size();
  return isWhole && !digits.empty() ? std::optional(value) : std::nullopt;
}

std::optional<Literal> parseFloatBits(std::string_view digits, size_t count, Type type) {
  if (digits.size() != count) return std::nullopt;
  const auto bits = parseDigits(digits, 16);
  if (!bits) return std::nullopt;
  return Literal{*bits, type};
}

std::optional<Literal> parseDecimalFraction(std::string_view text) {
  const std::optional<double> value = numberIn<double>(text);
  if (!value) return std::nullopt;
  return Literal{std::bit_cast<uint64_t>(*value), Type::f64};
}

std::optional<Literal> parseInteger(std::string_view text) {
  const bool isUnsigned = text.back() == 'U';
  if (isUnsigned) text.remove_suffix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const bool isHex = text[1] == 'x' || text[1] == 'X';
    const bool isBinary = text[1] == 'b' || text[1] == 'B';
    base = isHex ? 16 : isBinary ? 2 : 8;
    text.remove_prefix(isHex || isBinary ? 2 : 1);
  }
  const auto bits = parseDigits(text, base);
  if (!bits) return std::nullopt;
  const bool fitsSigned = *bits <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return Literal{*bits, isUnsigned || !fitsSigned ? Type::u64 : Type::s64};
}

std::string hexDigits(uint64_t bits, size_t count) {
  std::string text(count, '0');
  for (size_t i = 0; i < count; ++i, bits >>= 4)
    text[count - 1 - i] = "0123456789ABCDEF"[bits & 15];
  return text;
}

}  // namespace

std::optional<Literal> parseLiteral(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') {
    const char kind = text[1];
    if (kind == 'f' || kind == 'F') return parseFloatBits(text.substr(2), 8, Type::f32);
    if (kind == 'd' || kind == 'D') return parseFloatBits(text.substr(2), 16, Type::f64);
    if (kind == 'x' || kind == 'X') return parseInteger(text);
  }
  const bool isFraction = text.find_first_of(".eE") != std::string_view::npos;
  return isFraction ? parseDecimalFraction(text) : parseInteger(text);
}

Literal negate(Literal literal) {
  if (literal.type == Type::f32) return {literal.bits ^ kSignBit32, Type::f32};
  if (literal.type == Type::f64) return {literal.bits ^ kSignBit64, Type::f64};
  return {~literal.bits + 1, Type::s64};
}

std::string toText(Literal literal) {
  if (literal.type == Type::f32) return "0f" + hexDigits(literal.bits, 8);
  if (literal.type == Type::f64) return "0d" + hexDigits(literal.bits, 16);
  if (literal.type == Type::s64) return std::to_string(static_cast<int64_t>(literal.bits));
  const bool fitsSigned = (literal.bits & kSignBit64) == 0;
  return std::to_string(literal.bits) + (fitsSigned ? "U" : "");
}

}  // namespace tilestep::ptx
