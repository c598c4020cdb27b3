// SPDX-License-Identifier: Apache-2.0
// Which bits of results have no value, against all the values that the sources may have.
#include "simt/check/unset_results.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>
#include <string>

#include "ptx/text/parser.h"

namespace tilestep::simt {
namespace unset_results_test {

ptx::Instruction instruction(const std::string& text) {
  const auto module = ptx::parse(
      ".visible .entry test() {\n"
      ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b16 %h<9>; .reg .pred %p<9>;\n" +
          text + ";\nret; }",
      "test");
  if (!module.ok()) throw std::runtime_error(module.error().message);
  return module->functions.front().body.front();
}

using Operation = std::function<uint64_t(uint64_t, uint64_t, uint64_t)>;

uint64_t lowest(int64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

/// Sets the bits of `mask` to those of `from`, the lowest first.
uint64_t deposited(uint64_t from, uint64_t mask) {
  uint64_t out = 0;
  for (; mask != 0; mask &= mask - 1, from >>= 1)
    if ((from & 1) != 0) out |= mask & (~mask + 1);
  return out;
}

/// Bits of the result that differ between the values that the sources may have.
uint64_t differing(const Operation& operation, const UnsetSources& s, uint64_t result) {
  const UnsetSource* const all[] = {&s.a, &s.b, &s.c};
  unsigned free = 0;
  for (const UnsetSource* source : all) free += std::popcount(source->unset);
  uint64_t ones = 0, zeros = 0;
  for (uint64_t choice = 0; choice < uint64_t{1} << free; ++choice) {
    uint64_t values[3], left = choice;
    for (unsigned i = 0; i < 3; ++i) {
      values[i] = (all[i]->value & ~all[i]->unset) | deposited(left, all[i]->unset);
      left >>= std::popcount(all[i]->unset);
    }
    const uint64_t out = operation(values[0], values[1], values[2]);
    ones |= out;
    zeros |= ~out;
  }
  return ones & zeros & result;
}

/// A source of which some bits next to each other, or here and there, have no value.
UnsetSource someSource(std::mt19937_64& random, int64_t bits) {
  UnsetSource source;
  source.value = random() & lowest(bits);
  switch (random() % 4) {
    case 0:
      source.unset = lowest(static_cast<int64_t>(random() % 5)) << (random() % 64);
      break;
    case 1:
      source.unset = uint64_t{1} << (random() % 64) | uint64_t{1} << (random() % 64);
      break;
    default:
      break;
  }
  source.unset &= lowest(bits);
  if (random() % 4 == 0) source.value &= lowest(static_cast<int64_t>(random() % 16));
  return source;
}

/// `isExact`: no bit is said to have no value that has one.
void expectLike(const std::string& text, const Operation& operation, bool isExact,
                int64_t resultBits = 32, int64_t mostOfC = 0) {
  SCOPED_TRACE(text);
  const auto rule = chooseUnsetResult(instruction(text));
  ASSERT_TRUE(rule.has_value());
  std::mt19937_64 random(7);
  for (int round = 0; round < 4000; ++round) {
    UnsetSources s;
    s.bits = rule->bits;
    s.form = rule->form;
    s.a = someSource(random, rule->bits);
    s.b = someSource(random, rule->bits);
    s.c = someSource(random, mostOfC != 0 ? mostOfC : rule->bits);
    const uint64_t width = lowest(resultBits);
    const uint64_t said = rule->result(s) & width, is = differing(operation, s, width);
    ASSERT_EQ(is & ~said, 0U) << std::hex << s.a.value << "/" << s.a.unset << " " << s.b.value
                              << "/" << s.b.unset << " " << s.c.value << "/" << s.c.unset;
    if (!isExact) continue;
    ASSERT_EQ(said, is) << std::hex << s.a.value << "/" << s.a.unset << " " << s.b.value << "/"
                        << s.b.unset << " " << s.c.value << "/" << s.c.unset;
  }
}

uint32_t word(uint64_t value) {
  return static_cast<uint32_t>(value);
}
int32_t number(uint64_t value) {
  return static_cast<int32_t>(value);
}

TEST(UnsetResults, OfBitOperationsAreExact) {
  expectLike(
      "xor.b32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a ^ b; }, true);
  expectLike(
      "and.b32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a & b; }, true);
  expectLike(
      "or.b64 %rd1, %rd2, %rd3", [](auto a, auto b, auto) { return a | b; }, true, 64);
  expectLike(
      "brev.b32 %r1, %r2",
      [](auto a, auto, auto) {
        uint32_t out = 0;
        for (int i = 0; i < 32; ++i) out |= (word(a) >> i & 1) << (31 - i);
        return out;
      },
      true);
  expectLike(
      "lop3.b32 %r1, %r2, %r3, %r4, 0xd8",
      [](auto a, auto b, auto c) {
        uint64_t out = 0;
        for (int i = 0; i < 32; ++i) {
          const auto row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
          out |= uint64_t{0xd8U >> row & 1} << i;
        }
        return out;
      },
      true);
  expectLike(
      "bfi.b32 %r1, %r2, %r3, 5, 9",
      [](auto a, auto b, auto) { return (b & ~(0x1ffU << 5)) | (a & 0x1ff) << 5; }, true);
}

TEST(UnsetResults, OfSumsFollowTheCarries) {
  expectLike(
      "add.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a + b; }, false);
  expectLike(
      "sub.s32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a - b; }, false);
  expectLike(
      "add.s64 %rd1, %rd2, %rd3", [](auto a, auto b, auto) { return a + b; }, false, 64);
  expectLike(
      "neg.s32 %r1, %r2", [](auto a, auto, auto) { return 0 - a; }, false);
  expectLike(
      "mul.lo.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a * b; }, false);
  expectLike(
      "mad.lo.u32 %r1, %r2, %r3, %r4", [](auto a, auto b, auto c) { return a * b + c; }, false);
  // A bit-field that is counted up, with no value above it.
  UnsetSources s{{5, 0xffffffc0}, {1, 0}, {}, 32, 0};
  EXPECT_EQ(chooseUnsetResult(instruction("add.u32 %r1, %r2, %r3"))->result(s) & 0xffffffff,
            0xffffffc0U);
  EXPECT_EQ(chooseUnsetResult(instruction("mul.lo.u32 %r1, %r2, %r3"))->result(s) & 0xffffffff,
            0xffffffc0U);
}

TEST(UnsetResults, OfShiftsMoveWithTheBits) {
  const auto shift = [](uint64_t by) { return by > 31 ? 32 : by; };
  expectLike(
      "shl.b32 %r1, %r2, %r3",
      [&](auto a, auto b, auto) { return shift(b) > 31 ? 0 : word(a) << b; }, false);
  expectLike(
      "shr.u32 %r1, %r2, %r3",
      [&](auto a, auto b, auto) { return shift(b) > 31 ? 0 : word(a) >> b; }, false);
  expectLike(
      "shr.s32 %r1, %r2, %r3",
      [&](auto a, auto b, auto) { return word(number(a) >> (b > 31 ? 31 : b)); }, false);
  expectLike(
      "shf.l.wrap.b32 %r1, %r2, %r3, %r4",
      [](auto a, auto b, auto c) { return word((b << 32 | a) << (c & 31) >> 32); }, false);
  expectLike(
      "shf.r.clamp.b32 %r1, %r2, %r3, %r4",
      [](auto a, auto b, auto c) { return word((b << 32 | a) >> (c > 32 ? 32 : c)); }, false);
  expectLike(
      "bfe.u32 %r1, %r2, %r3, %r4",
      [](auto a, auto b, auto c) {
        const uint64_t at = b & 0xff, count = c & 0xff;
        return at > 63 ? 0 : a >> at & lowest(static_cast<int64_t>(count));
      },
      false);
  expectLike(
      "cvt.s32.s8 %r1, %h2", [](auto a, auto, auto) { return word(static_cast<int8_t>(a)); }, true);
  expectLike(
      "cvt.u8.s32 %r1, %r2", [](auto a, auto, auto) { return static_cast<uint8_t>(a); }, true);
  expectLike(
      "cvt.s8.u32 %r1, %r2", [](auto a, auto, auto) { return word(static_cast<int8_t>(a)); }, true);
  expectLike(
      "cvt.u32.u16 %r1, %h2", [](auto a, auto, auto) { return word(static_cast<uint16_t>(a)); },
      true);
  expectLike(
      "prmt.b32 %r1, %r2, %r3, %r4",
      [](auto a, auto b, auto c) {
        uint32_t out = 0;
        for (unsigned i = 0; i < 4; ++i) {
          const auto at = c >> (4 * i) & 15;
          auto byte = static_cast<uint8_t>((b << 32 | a) >> (8 * (at & 7)));
          if ((at & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
          out |= uint32_t{byte} << (8 * i);
        }
        return out;
      },
      false);
}

TEST(UnsetResults, ComparisonsAreKnownIfSetBitsDecide) {
  expectLike(
      "setp.eq.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a == b; }, false, 1);
  expectLike(
      "setp.ne.s32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a != b; }, false, 1);
  expectLike(
      "setp.lt.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a < b; }, true, 1);
  expectLike(
      "setp.ls.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a <= b; }, true, 1);
  expectLike(
      "setp.gt.s32 %p1, %r2, %r3", [](auto a, auto b, auto) { return number(a) > number(b); }, true,
      1);
  expectLike(
      "setp.ge.s32 %p1, %r2, %r3", [](auto a, auto b, auto) { return number(a) >= number(b); },
      true, 1);
  expectLike(
      "setp.lt.and.s32 %p1, %r2, %r3, %p4",
      [](auto a, auto b, auto c) { return number(a) < number(b) && c != 0; }, false, 1, 1);
  expectLike(
      "setp.lt.or.s32 %p1, %r2, %r3, %p4",
      [](auto a, auto b, auto c) { return number(a) < number(b) || c != 0; }, false, 1, 1);
  expectLike(
      "min.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return std::min(a, b); }, false);
  expectLike(
      "max.s32 %r1, %r2, %r3",
      [](auto a, auto b, auto) { return word(std::max(number(a), number(b))); }, false);
}

TEST(UnsetResults, OfPairsAreTwo) {
  const auto rule = chooseUnsetResult(instruction("add.f16x2 %r1, %r2, %r3"));
  ASSERT_TRUE(rule.has_value());
  EXPECT_EQ(rule->result({{0, 1}, {}, {}, 32, 0}), 0xffffU);
  EXPECT_EQ(rule->result({{}, {0, 0x10000}, {}, 32, 0}), 0xffff0000U);
  EXPECT_EQ(rule->result({{}, {}, {}, 32, 0}), 0U);
}

TEST(UnsetResults, OtherInstructionsHaveNoRule) {
  for (const char* text :
       {"mul.wide.u32 %rd1, %r2, %r3", "add.sat.s32 %r1, %r2, %r3", "div.u32 %r1, %r2, %r3",
        "popc.b32 %r1, %r2", "mul.hi.u32 %r1, %r2, %r3", "bfi.b32 %r1, %r2, %r3, %r4, 5"})
    EXPECT_FALSE(chooseUnsetResult(instruction(text)).has_value()) << text;
  EXPECT_EQ(anyUnset({{}, {0, 4}, {}, 32, 0}), ~uint64_t{0});
  EXPECT_EQ(anyUnset({}), 0U);
}

}  // namespace unset_results_test
}  // namespace tilestep::simt
