// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_results.h"

#include <algorithm>
#include <bit>

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Sources = UnsetSources;

constexpr uint64_t kAll = ~uint64_t{0};

uint64_t whole(uint64_t unset) {
  return unset != 0 ? kAll : 0;
}

/// The lowest set bit and all bits above it.
uint64_t fromLowest(uint64_t bits) {
  return bits | (uint64_t{0} - bits);
}

uint64_t least(const UnsetSource& s) {
  return s.value & ~s.unset;
}
uint64_t greatest(const UnsetSource& s) {
  return s.value | s.unset;
}

uint64_t eachBit(const Sources& s) {
  return s.a.unset | s.b.unset;
}

uint64_t bothSet(const Sources& s) {
  return (s.a.unset & greatest(s.b)) | (s.b.unset & greatest(s.a));
}

uint64_t eitherSet(const Sources& s) {
  return (s.a.unset & ~least(s.b)) | (s.b.unset & ~least(s.a));
}

/// A bit of the sum has a value if no unset bit changes its carry.
uint64_t sum(const Sources& s) {
  return s.a.unset | s.b.unset | ((least(s.a) + least(s.b)) ^ (greatest(s.a) + greatest(s.b)));
}

uint64_t difference(const Sources& s) {
  return s.a.unset | s.b.unset | ((least(s.a) - greatest(s.b)) ^ (greatest(s.a) - least(s.b)));
}

uint64_t negative(const Sources& s) {
  return difference({{}, s.a, {}, s.bits, 0});
}

/// a * b + c. Only the bits below the lowest unset bit have a value.
uint64_t product(const Sources& s) {
  const auto zeros = [](const UnsetSource& source) {
    return greatest(source) == 0 ? 64 : std::countr_zero(greatest(source));
  };
  // The lowest unset bit of one factor is shifted by the trailing zeros of the other factor.
  const auto shifted = [&](const UnsetSource& unset, const UnsetSource& by) {
    if (unset.unset == 0) return uint64_t{0};
    const int at = std::countr_zero(unset.unset) + zeros(by);
    return at >= 64 ? uint64_t{0} : uint64_t{1} << at;
  };
  return fromLowest(shifted(s.a, s.b) | shifted(s.b, s.a) | s.c.unset);
}

uint64_t shiftedLeft(const Sources& s) {
  if (s.b.unset != 0) return kAll;
  return s.b.value >= static_cast<uint64_t>(s.bits) ? 0 : s.a.unset << s.b.value;
}

uint64_t shiftedRight(const Sources& s) {
  if (s.b.unset != 0) return kAll;
  return s.b.value >= static_cast<uint64_t>(s.bits) ? 0 : s.a.unset >> s.b.value;
}

uint64_t shiftedRightSigned(const Sources& s) {
  if (s.b.unset != 0) return kAll;
  const auto by = std::min<uint64_t>(s.b.value, 63);
  return static_cast<uint64_t>(static_cast<int64_t>(signExtended(s.a.unset, s.bits)) >> by);
}

/// shf: 32 of the 64 bits of b (high) and a (low). In `form`, bit 0 means a right shift, and bit 1
/// that the shift is clamped to 32.
uint64_t funnel(const Sources& s) {
  if (s.c.unset != 0) return kAll;
  const uint64_t both = (s.b.unset << 32) | (s.a.unset & lowestBits(32));
  const bool isClamped = (s.form & 2) != 0;
  const uint64_t by = isClamped ? std::min<uint64_t>(s.c.value, 32) : s.c.value & 31;
  return (s.form & 1) != 0 ? both >> by : (both << by) >> 32;
}

uint64_t extended(const Sources& s) {
  return s.a.unset;
}

uint64_t extendedSigned(const Sources& s) {
  return signExtended(s.a.unset, s.bits);
}

/// bfe for unsigned types: the c bits of a from bit b on.
uint64_t extracted(const Sources& s) {
  if ((s.b.unset | s.c.unset) != 0) return kAll;
  const uint64_t at = s.b.value & 0xff;
  return at >= 64 ? 0 : s.a.unset >> at & lowestBits(static_cast<int64_t>(s.c.value & 0xff));
}

uint64_t extractedSigned(const Sources& s) {
  if ((s.b.unset | s.c.unset) != 0) return kAll;
  const auto count = static_cast<int64_t>(s.c.value & 0xff);
  // Above the highest bit of a, that bit is repeated.
  const auto at = static_cast<int64_t>(s.b.value & 0xff);
  const uint64_t all = signExtended(s.a.unset, s.bits);
  const auto shifted =
      static_cast<uint64_t>(static_cast<int64_t>(all) >> std::min<int64_t>(at, 63));
  return signExtended(shifted, count);
}

/// bfi: inserts the `form >> 8` lowest bits of a into b from bit `form & 0xff` on.
uint64_t inserted(const Sources& s) {
  const int64_t at = s.form & 0xff;
  if (at >= 64) return s.b.unset;
  const uint64_t field = lowestBits(s.form >> 8) << at;
  return (s.b.unset & ~field) | (s.a.unset << at & field);
}

uint64_t permuted(const Sources& s) {
  if ((s.c.unset & 0xffff) != 0) return kAll;
  const uint64_t bytes = (s.a.unset & lowestBits(32)) | s.b.unset << 32;
  uint64_t out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const uint64_t selector = s.c.value >> (4 * i) & 15;
    uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // The sign bit, replicated.
    out |= byte << (8 * i);
  }
  return out;
}

uint64_t reversed(const Sources& s) {
  uint64_t out = 0;
  for (int64_t i = 0; i < s.bits; ++i) out |= (s.a.unset >> i & 1) << (s.bits - 1 - i);
  return out;
}

/// lop3: bit 4a + 2b + c of `form` is the result for the bits a, b and c.
uint64_t combined(const Sources& s) {
  uint64_t canBeOne = 0, canBeZero = 0;
  for (int64_t row = 0; row < 8; ++row) {
    const auto can = [](const UnsetSource& source, int64_t bit) {
      return bit != 0 ? greatest(source) : ~least(source);
    };
    const uint64_t possible = can(s.a, row & 4) & can(s.b, row & 2) & can(s.c, row & 1);
    ((s.form >> row & 1) != 0 ? canBeOne : canBeZero) |= possible;
  }
  return canBeOne & canBeZero;
}

/// Each 16-bit half depends only on the same half of the sources.
uint64_t halves(const Sources& s) {
  const uint64_t any = s.a.unset | s.b.unset | s.c.unset;
  return ((any & 0xffff) != 0 ? 0xffff : 0) | ((any >> 16 & 0xffff) != 0 ? 0xffff0000 : 0);
}

/// Bits of UnsetSources::form for comparisons, minima and maxima.
constexpr int64_t kSigned = 1, kTwoResults = 2;

/// Maps signed numbers to unsigned numbers in the same order.
UnsetSource ordered(UnsetSource source, const Sources& s) {
  if ((s.form & kSigned) != 0) source.value ^= uint64_t{1} << (s.bits - 1);
  return source;
}

/// min and max: if one source is certainly the result, its unset bits are the result's.
template <bool isGreater>
uint64_t extremum(const Sources& s) {
  if ((s.a.unset | s.b.unset) == 0) return 0;
  const UnsetSource a = ordered(s.a, s), b = ordered(s.b, s);
  if (greatest(a) <= least(b)) return isGreater ? b.unset : a.unset;
  if (greatest(b) <= least(a)) return isGreater ? a.unset : b.unset;
  return kAll;
}

uint64_t equality(const Sources& s) {
  const uint64_t known = ~(s.a.unset | s.b.unset) & lowestBits(s.bits);
  return ((s.a.value ^ s.b.value) & known) != 0 ? 0 : whole(s.a.unset | s.b.unset);
}

/// a < b or a <= b. The result has a value if it is the same for all values of the unset bits.
template <bool orEqual>
uint64_t less(const Sources& s) {
  if ((s.a.unset | s.b.unset) == 0) return 0;
  const UnsetSource a = ordered(s.a, s), b = ordered(s.b, s);
  const bool surely = orEqual ? greatest(a) <= least(b) : greatest(a) < least(b);
  const bool never = orEqual ? least(a) > greatest(b) : least(a) >= greatest(b);
  return surely || never ? 0 : kAll;
}

template <bool orEqual>
uint64_t greater(const Sources& s) {
  return less<orEqual>({s.b, s.a, {}, s.bits, s.form});
}

/// The result of a comparison of two numbers without unset bits.
using Holds = bool (*)(const UnsetSource& a, const UnsetSource& b);
bool areEqual(const UnsetSource& a, const UnsetSource& b) {
  return a.value == b.value;
}
bool areDifferent(const UnsetSource& a, const UnsetSource& b) {
  return a.value != b.value;
}
bool isLess(const UnsetSource& a, const UnsetSource& b) {
  return a.value < b.value;
}
bool isNotGreater(const UnsetSource& a, const UnsetSource& b) {
  return a.value <= b.value;
}
bool isGreater(const UnsetSource& a, const UnsetSource& b) {
  return a.value > b.value;
}
bool isNotLess(const UnsetSource& a, const UnsetSource& b) {
  return a.value >= b.value;
}

/// A comparison combined with the predicate c. The result is `decidingValue` if either is.
template <UnsetResult compare, Holds holds, bool decidingValue>
uint64_t together(const Sources& s) {
  if (s.c.unset == 0 && (s.c.value != 0) == decidingValue) return 0;
  const uint64_t compared = compare(s);
  if constexpr (holds != nullptr) {
    // A second result would be that of the opposite comparison.
    const bool isKnown = (s.a.unset | s.b.unset) == 0 && (s.form & kTwoResults) == 0;
    if (isKnown && holds(ordered(s.a, s), ordered(s.b, s)) == decidingValue) return 0;
  }
  return whole(compared | s.c.unset);
}

template <UnsetResult compare, Holds holds>
UnsetResult comparing(ptx::BoolOp with) {
  switch (with) {
    case ptx::BoolOp::bitAnd:
      return together<compare, holds, false>;
    case ptx::BoolOp::bitOr:
      return together<compare, holds, true>;
    case ptx::BoolOp::bitXor:
      return anyUnset;
    default:
      return compare;
  }
}

bool isPair(ptx::Type type) {
  using enum ptx::Type;
  return type == f16x2 || type == bf16x2 || type == u16x2 || type == s16x2;
}

bool isInteger(ptx::Type type) {
  const bool isNumber = type != ptx::Type::none && type != ptx::Type::pred;
  return isNumber && !ptx::isFloat(type) && !isPair(type);
}

uint64_t anyOfTwo(const Sources& s) {
  return whole(s.a.unset | s.b.unset);
}

UnsetResult comparisonOf(const ptx::Instruction& i) {
  using enum ptx::Compare;
  if (!isInteger(i.type)) return comparing<anyOfTwo, nullptr>(i.boolOp);
  switch (i.compare) {
    case eq:
      return comparing<equality, areEqual>(i.boolOp);
    case ne:
      return comparing<equality, areDifferent>(i.boolOp);
    case lt:
    case lo:
      return comparing<less<false>, isLess>(i.boolOp);
    case le:
    case ls:
      return comparing<less<true>, isNotGreater>(i.boolOp);
    case gt:
    case hi:
      return comparing<greater<false>, isGreater>(i.boolOp);
    case ge:
    case hs:
      return comparing<greater<true>, isNotLess>(i.boolOp);
    default:
      return comparing<anyOfTwo, nullptr>(i.boolOp);
  }
}

std::optional<int64_t> immediateAt(const ptx::Instruction& i, size_t operand) {
  const bool isThere =
      operand < i.operands.size() && i.operands[operand].kind == ptx::Operand::Kind::immediate;
  return isThere ? std::optional(static_cast<int64_t>(i.operands[operand].bits)) : std::nullopt;
}

std::optional<UnsetRule> integerRule(const ptx::Instruction& i) {
  const int64_t bits = bitsInRow(i.type);
  const int64_t isSigned = ptx::isSigned(i.type) ? 1 : 0;
  switch (i.opcode) {
    case Opcode::add:
      if (i.sat) return std::nullopt;
      return UnsetRule{sum, bits, 0, true};
    case Opcode::sub:
      if (i.sat) return std::nullopt;
      return UnsetRule{difference, bits, 0, true};
    case Opcode::neg:
      return UnsetRule{negative, bits, 0, true};
    case Opcode::mul:
    case Opcode::mad:
      if (i.part != ptx::Part::lo) return std::nullopt;
      return UnsetRule{product, bits, 0, true};
    case Opcode::min:
      if (i.operands.size() != 3) return std::nullopt;
      return UnsetRule{extremum<false>, bits, isSigned, true};
    case Opcode::max:
      if (i.operands.size() != 3) return std::nullopt;
      return UnsetRule{extremum<true>, bits, isSigned, true};
    case Opcode::shl:
      return UnsetRule{shiftedLeft, bits, 0, true};
    case Opcode::shr:
      return UnsetRule{isSigned != 0 ? shiftedRightSigned : shiftedRight, bits, 0, true};
    case Opcode::bfe:
      return UnsetRule{isSigned != 0 ? extractedSigned : extracted, bits, 0, true};
    case Opcode::brev:
      return UnsetRule{reversed, bits, 0, false};
    case Opcode::cvt: {
      if (!isInteger(i.type2) || i.sat) return std::nullopt;
      // The result is sign-extended if it is narrower.
      const bool isNarrowed = bits < bitsInRow(i.type2);
      const bool extendsSign = ptx::isSigned(isNarrowed ? i.type : i.type2);
      return UnsetRule{extendsSign ? extendedSigned : extended, std::min(bits, bitsInRow(i.type2)),
                       0, false};
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

int64_t bitsInRow(ptx::Type type) {
  return type == ptx::Type::pred ? 32 : 8 * static_cast<int64_t>(ptx::bytesOf(type));
}

uint64_t lowestBits(int64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

uint64_t signExtended(uint64_t bits, int64_t count) {
  bits &= lowestBits(count);
  const bool sign = count > 0 && (bits >> (count - 1) & 1) != 0;
  return sign ? bits | ~lowestBits(count) : bits;
}

uint64_t anyUnset(const Sources& s) {
  return whole(s.a.unset | s.b.unset | s.c.unset);
}

UnsetRule unsetPart() {
  return {extracted, 64, 0, true};
}

std::optional<UnsetRule> chooseUnsetResult(const ptx::Instruction& i) {
  const int64_t bits = bitsInRow(i.type);
  switch (i.opcode) {
    case Opcode::mov:
    case Opcode::cvta:
    case Opcode::not_:
    case Opcode::xor_:
      return UnsetRule{eachBit, bits, 0, false};
    case Opcode::and_:
      return UnsetRule{bothSet, bits, 0, true};
    case Opcode::or_:
      return UnsetRule{eitherSet, bits, 0, true};
    case Opcode::shf:
      return UnsetRule{funnel, 32, (i.has("r") ? 1 : 0) | (i.has("clamp") ? 2 : 0), true};
    case Opcode::prmt:
      if (i.suffixes.size() != 1) return std::nullopt;
      return UnsetRule{permuted, 32, 0, true};
    case Opcode::bfi: {
      const auto at = immediateAt(i, 3), count = immediateAt(i, 4);
      if (!at || !count) return std::nullopt;
      return UnsetRule{inserted, bits, (*at & 0xff) | (*count & 0xff) << 8, false};
    }
    case Opcode::lop3: {
      const auto table = immediateAt(i, 4);
      if (!table || i.operands.size() != 5) return std::nullopt;
      return UnsetRule{combined, 32, *table & 0xff, true};
    }
    case Opcode::setp:
      return UnsetRule{comparisonOf(i), bits,
                       (ptx::isSigned(i.type) ? kSigned : 0) |
                           (i.operands[0].kind == ptx::Operand::Kind::reg ? 0 : kTwoResults),
                       true};
    default:
      if (isPair(i.type) && i.type2 == ptx::Type::none) return UnsetRule{halves, 32, 0, false};
      return isInteger(i.type) ? integerRule(i) : std::nullopt;
  }
}

}  // namespace tilestep::simt
