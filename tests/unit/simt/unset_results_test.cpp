// SPDX-License-Identifier: Apache-2.0
// Tests which bits of results have no value, by trying all values of the sources' unset bits.
#include "simt/check/unset_results.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <random>
#include <string>

#include "ptx/text/parser.h"

namespace tilestep::simt::unset_results_test {

ptx::Instruction instruction(const std::string& text) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry test() {\n"
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

/// Distributes the lowest bits of `from` to the bits of `mask`, lowest first.
uint64_t deposited(uint64_t from, uint64_t mask) {
  uint64_t out = 0;
  for (; mask != 0; mask &= mask - 1, from >>= 1)
    if ((from & 1) != 0) out |= mask & (~mask + 1);
  return out;
}

/// The bits of the result that depend on the unset bits of the sources.
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

/// A random source in which some adjacent or scattered bits have no value.
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

struct Rule {
  bool isExact = true;  ///< No bit with a value may count as unset.
  int64_t resultBits = 32;
  int64_t mostOfC = 0;  ///< Width of the third source; 0 if the same as that of the others.
};

void expectLike(const Rule& expected, const std::string& text, const Operation& operation) {
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
    s.c = someSource(random, expected.mostOfC != 0 ? expected.mostOfC : rule->bits);
    const uint64_t width = lowest(expected.resultBits);
    const uint64_t unset = rule->result(s) & width, differ = differing(operation, s, width);
    ASSERT_EQ(expected.isExact ? unset ^ differ : differ & ~unset, 0U)
        << std::hex << s.a.value << "/" << s.a.unset << " " << s.b.value << "/" << s.b.unset << " "
        << s.c.value << "/" << s.c.unset;
  }
}

/// Expects exactly the bits that differ.
void expectExact(const std::string& text, const Operation& operation) {
  expectLike({}, text, operation);
}

/// Expects at least the bits that differ.
void expectAtLeast(const std::string& text, const Operation& operation) {
  expectLike({.isExact = false}, text, operation);
}

uint32_t word(uint64_t value) {
  return static_cast<uint32_t>(value);
}
int32_t number(uint64_t value) {
  return static_cast<int32_t>(value);
}

TEST(UnsetResults, BitOperationsAreExact) {
  expectExact("xor.b32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a ^ b; });
  expectExact("and.b32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a & b; });
  expectLike({true, 64}, "or.b64 %rd1, %rd2, %rd3", [](auto a, auto b, auto) { return a | b; });
  expectExact("brev.b32 %r1, %r2", [](auto a, auto, auto) {
    uint32_t out = 0;
    for (int i = 0; i < 32; ++i) out |= (word(a) >> i & 1) << (31 - i);
    return out;
  });
  expectExact("lop3.b32 %r1, %r2, %r3, %r4, 0xd8", [](auto a, auto b, auto c) {
    uint64_t out = 0;
    for (int i = 0; i < 32; ++i) {
      const auto row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
      out |= uint64_t{0xd8U >> row & 1} << i;
    }
    return out;
  });
  expectExact("bfi.b32 %r1, %r2, %r3, 5, 9",
              [](auto a, auto b, auto) { return (b & ~(0x1ffU << 5)) | (a & 0x1ff) << 5; });
}

TEST(UnsetResults, SumsFollowTheCarries) {
  expectAtLeast("add.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a + b; });
  expectAtLeast("sub.s32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a - b; });
  expectLike({false, 64}, "add.s64 %rd1, %rd2, %rd3", [](auto a, auto b, auto) { return a + b; });
  expectAtLeast("neg.s32 %r1, %r2", [](auto a, auto, auto) { return 0 - a; });
  expectAtLeast("mul.lo.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return a * b; });
  expectAtLeast("mad.lo.u32 %r1, %r2, %r3, %r4", [](auto a, auto b, auto c) { return a * b + c; });
  // Incrementing a bit field above which no bits have a value.
  UnsetSources s{{5, 0xffffffc0}, {1, 0}, {}, 32, 0};
  EXPECT_EQ(chooseUnsetResult(instruction("add.u32 %r1, %r2, %r3"))->result(s) & 0xffffffff,
            0xffffffc0U);
  EXPECT_EQ(chooseUnsetResult(instruction("mul.lo.u32 %r1, %r2, %r3"))->result(s) & 0xffffffff,
            0xffffffc0U);
}

TEST(UnsetResults, ShiftsMoveTheUnsetBits) {
  const auto shift = [](uint64_t by) { return by > 31 ? 32 : by; };
  expectAtLeast("shl.b32 %r1, %r2, %r3",
                [&](auto a, auto b, auto) { return shift(b) > 31 ? 0 : word(a) << b; });
  expectAtLeast("shr.u32 %r1, %r2, %r3",
                [&](auto a, auto b, auto) { return shift(b) > 31 ? 0 : word(a) >> b; });
  expectAtLeast("shr.s32 %r1, %r2, %r3",
                [&](auto a, auto b, auto) { return word(number(a) >> (b > 31 ? 31 : b)); });
  expectAtLeast("shf.l.wrap.b32 %r1, %r2, %r3, %r4",
                [](auto a, auto b, auto c) { return word((b << 32 | a) << (c & 31) >> 32); });
  expectAtLeast("shf.r.clamp.b32 %r1, %r2, %r3, %r4",
                [](auto a, auto b, auto c) { return word((b << 32 | a) >> (c > 32 ? 32 : c)); });
  expectAtLeast("bfe.u32 %r1, %r2, %r3, %r4", [](auto a, auto b, auto c) {
    const uint64_t at = b & 0xff, count = c & 0xff;
    return at > 63 ? 0 : a >> at & lowest(static_cast<int64_t>(count));
  });
  expectExact("cvt.s32.s8 %r1, %h2",
              [](auto a, auto, auto) { return word(static_cast<int8_t>(a)); });
  expectExact("cvt.u8.s32 %r1, %r2", [](auto a, auto, auto) { return static_cast<uint8_t>(a); });
  expectExact("cvt.s8.u32 %r1, %r2",
              [](auto a, auto, auto) { return word(static_cast<int8_t>(a)); });
  expectExact("cvt.u32.u16 %r1, %h2",
              [](auto a, auto, auto) { return word(static_cast<uint16_t>(a)); });
  expectAtLeast("prmt.b32 %r1, %r2, %r3, %r4", [](auto a, auto b, auto c) {
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto at = c >> (4 * i) & 15;
      auto byte = static_cast<uint8_t>((b << 32 | a) >> (8 * (at & 7)));
      if ((at & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
      out |= uint32_t{byte} << (8 * i);
    }
    return out;
  });
}

TEST(UnsetResults, ComparisonsAreKnownIfSetBitsDecide) {
  expectLike({false, 1}, "setp.eq.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a == b; });
  expectLike({false, 1}, "setp.ne.s32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a != b; });
  expectLike({true, 1}, "setp.lt.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a < b; });
  expectLike({true, 1}, "setp.ls.u32 %p1, %r2, %r3", [](auto a, auto b, auto) { return a <= b; });
  expectLike({true, 1}, "setp.gt.s32 %p1, %r2, %r3",
             [](auto a, auto b, auto) { return number(a) > number(b); });
  expectLike({true, 1}, "setp.ge.s32 %p1, %r2, %r3",
             [](auto a, auto b, auto) { return number(a) >= number(b); });
  expectLike({false, 1, 1}, "setp.lt.and.s32 %p1, %r2, %r3, %p4",
             [](auto a, auto b, auto c) { return number(a) < number(b) && c != 0; });
  expectLike({false, 1, 1}, "setp.lt.or.s32 %p1, %r2, %r3, %p4",
             [](auto a, auto b, auto c) { return number(a) < number(b) || c != 0; });
  expectAtLeast("min.u32 %r1, %r2, %r3", [](auto a, auto b, auto) { return std::min(a, b); });
  expectAtLeast("max.s32 %r1, %r2, %r3",
                [](auto a, auto b, auto) { return word(std::max(number(a), number(b))); });
}

TEST(UnsetResults, HalvesOfPairsAreIndependent) {
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

}  // namespace tilestep::simt::unset_results_test
