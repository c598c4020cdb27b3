// SPDX-License-Identifier: Apache-2.0
#include "cosim/values.h"

#include <span>

#include "base/hash.h"

namespace tilestep::cosim {
namespace {

// Zeros, the ends of the subnormal and normal numbers, ones and their neighbours, infinities,
// quiet and signalling NaNs with payloads; then ends of integer ranges, halves, and ties of the
// narrower formats.
constexpr uint64_t kFloats[] = {
    0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x7f800000,
    0xff800000, 0x7fffffff, 0x7f800001, 0xffc12345, 0x7f7fffff, 0xff7fffff, 0x3f800001, 0x3f7fffff,
    0x40000000, 0x3f000000, 0x4f000000, 0xdf000000, 0x80000001, 0x00ffffff, 0x7e800000, 0x4b7fffff,
    0x007fffff, 0x80800000, 0x7fc00000, 0xff800001, 0x00400000, 0x00800001, 0x01000000, 0x81000000,
    0x4b000000, 0x4b800000, 0x4effffff, 0x4f7fffff, 0x4f800000, 0xcf000000, 0xcf000001, 0x5effffff,
    0x5f000000, 0x5f7fffff, 0x5f800000, 0xdf000001, 0x3effffff, 0x3f000001, 0xbf000000, 0x3fc00000,
    0xbfc00000, 0x40200000, 0xc0200000, 0x34000000, 0x33800000, 0x33800001, 0x43000000, 0xc3008000,
    0x437f0000, 0x437f8000, 0x43800000, 0x47000000, 0x477fff00, 0x477fe000, 0x477ff000, 0x477fefff,
    0xc77ff000, 0x38800000, 0x387fffff, 0x387fe000, 0x33000000, 0x33000001, 0x32ffffff, 0x7f000000,
    0x7e800001, 0x7effffff, 0x40490fdb, 0xc0490fdb, 0x3fc90fdb, 0x43961234, 0x3f808000, 0x3f818000,
    0x3f808001, 0x7f7f8000, 0x7f7f7fff, 0x7f7fc000, 0x00008000, 0x00018000, 0x80008001, 0x1fffffff,
    0x9fffffff, 0x20000000, 0x5fffffff, 0x42fe0000, 0xc2fc0000, 0xc3150000, 0x3f801000, 0x3f803000,
    0x3f7ffffe, 0x3fbfffff, 0x00555556};
constexpr uint64_t kDoubles[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x800fffffffffffff,
    0x0010000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x7ff0000000000000,
    0xfff0000000000000, 0x7fffffffffffffff, 0x7ff0000000000001, 0xfff8123456789abc,
    0x7fefffffffffffff, 0xffefffffffffffff, 0x3ff0000000000001, 0x3fefffffffffffff,
    0x4000000000000000, 0x3fe0000000000000, 0x41e0000000000000, 0xc3e0000000000000,
    0x8000000000000001, 0x001fffffffffffff, 0x7fd0000000000000, 0x433fffffffffffff,
    0x000fffffffffffff, 0x8010000000000000, 0x7ff8000000000000, 0xfff0000000000001,
    0x0008000000000000, 0x0010000000000001, 0x7ff4000000000abc, 0xfffc00000000beef,
    0x41dfffffffc00000, 0x41dfffffffe00000, 0x41efffffffe00000, 0x41f0000000000000,
    0xc1e0000000000000, 0xc1e0000000200000, 0x43dfffffffffffff, 0x43e0000000000000,
    0x43efffffffffffff, 0x43f0000000000000, 0xc3e0000000000001, 0x3fdfffffffffffff,
    0x3fe0000000000001, 0xbfe0000000000000, 0x3ff8000000000000, 0xbff8000000000000,
    0x4004000000000000, 0xc004000000000000, 0x3cb0000000000000, 0x3ca0000000000000,
    0x3ca0000000000001, 0x4060000000000000, 0xc060100000000000, 0x406fe00000000000,
    0x406ff00000000000, 0x4070000000000000, 0x40e0000000000000, 0x40efffe000000000,
    0x40effc0000000000, 0x40effe0000000000, 0x40effdffffffffff, 0xc0effe0000000000,
    0x3f10000000000000, 0x3f0fffffffffffff, 0x3e60000000000000, 0x3e60000000000001,
    0x47efffffe0000000, 0x47effffff0000000, 0x47efffffefffffff, 0x47f0000000000000,
    0x3810000000000000, 0x380fffffffffffff, 0x380fffffe0000000, 0x36a0000000000000,
    0x3690000000000000, 0x3690000000000001, 0x3ff0000010000000, 0x3ff0000030000000,
    0x3ff0000010000001, 0x3fefffffefffffff, 0x3ff0020000000000, 0x3ff0060000000000,
    0x3ff0100000000000, 0x3ff0300000000000, 0x400921fb54442d18, 0x1fffffffffffffff,
    0x2000000000000000, 0x5fe6eb50c7b537a9, 0x3feffffffffffffe, 0x4340000000000001};
constexpr uint64_t kHalves[] = {
    0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7fff, 0x7c01, 0xfe12,
    0x7bff, 0xfbff, 0x3c01, 0x3bff, 0x4000, 0x3800, 0x8001, 0x07ff, 0x6400, 0x77ff, 0x5c00, 0xdc08,
    0x03ff, 0x8400, 0x7e00, 0xfc01, 0x0200, 0x0401, 0x6800, 0x6bff, 0x7800, 0xf800, 0x3801, 0xb800,
    0x3e00, 0xbe00, 0x4100, 0xc100, 0x1400, 0x1000, 0x1001, 0x5800, 0xd804, 0x5bf8, 0x5bfc, 0x4248,
    0xc248, 0x2bff, 0x2c00, 0xb401, 0x4900, 0xca00, 0x4c80, 0xcf00, 0x3bfe, 0x7ff7, 0xfff7};
constexpr uint64_t kBfloats[] = {
    0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80, 0xbf80, 0x7f80, 0xff80, 0x7fff, 0x7f81,
    0xffc1, 0x7f7f, 0xff7f, 0x3f81, 0x3f7f, 0x4000, 0x3f00, 0x8001, 0x00ff, 0x4b00, 0x4f00,
    0x5f00, 0xc300, 0x007f, 0x8080, 0x7fc0, 0xff81, 0x0040, 0x0081, 0x4eff, 0x4f7f, 0x4f80,
    0xcf00, 0xcf01, 0x5eff, 0x5f7f, 0x5f80, 0xdf01, 0x3eff, 0x3f01, 0xbf00, 0x3fc0, 0xbfc0,
    0x4020, 0xc020, 0x3400, 0x3380, 0x4300, 0x437f, 0x4700, 0x477f, 0x4780, 0x3880, 0x3300,
    0x7e80, 0x7f00, 0x4049, 0x1fff, 0x2000, 0x7ff7, 0xfff7};
constexpr uint64_t kShorts[] = {0x0000, 0x0001, 0xffff, 0x7fff, 0x8000, 0x8001, 0x0002, 0xfffe,
                                0x00ff, 0x0100, 0x007f, 0x0080, 0xff80, 0xff7f, 0x0003, 0x0010,
                                0x5555, 0xaaaa, 0x4000, 0xc000, 0x0007, 0x1234, 0xfedc, 0x000f};
constexpr uint64_t kWords[] = {
    0x00000000, 0x00000001, 0xffffffff, 0x7fffffff, 0x80000000, 0x80000001, 0x00000002, 0xfffffffe,
    0x0000ffff, 0x00010000, 0x000000ff, 0x00000080, 0xffffff80, 0x00ffffff, 0x01000001, 0xff000000,
    0x55555555, 0xaaaaaaaa, 0x7f80ff01, 0x80008000, 0x7fff7fff, 0x00000007, 0x0000001f, 0x12345678,
    0x0000007f, 0xffffff7f, 0x00007fff, 0x00008000, 0xffff8000, 0xffff7fff, 0x00000100, 0x00800000,
    0x00ff00ff, 0xff00ff00, 0x80808080, 0x7f7f7f7f, 0x01010101, 0xfedcba98, 0x3fffffff, 0x40000000};
constexpr uint64_t kLongs[] = {
    0x0000000000000000, 0x0000000000000001, 0xffffffffffffffff, 0x7fffffffffffffff,
    0x8000000000000000, 0x8000000000000001, 0x0000000000000002, 0xfffffffffffffffe,
    0x00000000ffffffff, 0x0000000100000000, 0x000000007fffffff, 0x0000000080000000,
    0xffffffff80000000, 0xffffffff7fffffff, 0x001fffffffffffff, 0x0020000000000001,
    0x5555555555555555, 0xaaaaaaaaaaaaaaaa, 0x7fffffffffffff00, 0x8000000000000400,
    0x0000000000000007, 0x000000000000ffff, 0x0123456789abcdef, 0xfffffffffffff800,
    0x00000000000000ff, 0x0000000000000080, 0xffffffffffffff80, 0x0000000000010000,
    0x7ffffffffffffdff, 0xfffffffffffffbff, 0x0000000001000001, 0x0000000003000003,
    0x7fffffbfffffffff, 0x8000008000000000, 0xffffff7fffffffff, 0xffffff8000000001};
constexpr uint64_t kAmounts[] = {
    0,  1,  31, 32, 33,  16,  63, 64, 65,         8,          255,        0xffffffff,
    15, 17, 7,  30, 256, 257, 24, 2,  0x80000000, 0x7fffffff, 128,        0x0000ff1f,
    3,  4,  5,  6,  23,  47,  48, 62, 127,        0xfffffff0, 0xffffffe1, 0x01000001};
constexpr uint64_t kTruths[] = {0, 1};

/// Only the first values of a list are crossed.
std::span<const uint64_t> edgesOf(Kind kind) {
  switch (kind) {
    case Kind::b16:
      return kShorts;
    case Kind::b32:
      return kWords;
    case Kind::b64:
      return kLongs;
    case Kind::f16:
    case Kind::f16x2:
      return kHalves;
    case Kind::bf16:
    case Kind::bf16x2:
      return kBfloats;
    case Kind::f32:
      return kFloats;
    case Kind::f64:
      return kDoubles;
    case Kind::amount:
      return kAmounts;
    case Kind::pred:
      break;
  }
  return kTruths;
}

bool isPair(Kind kind) {
  return kind == Kind::f16x2 || kind == Kind::bf16x2;
}

/// Edge `index`; the upper half of a pair is another edge.
uint64_t edge(Kind kind, uint64_t index) {
  const auto edges = edgesOf(kind);
  const uint64_t value = edges[index % edges.size()];
  return isPair(kind) ? value | edges[(index * 5 + 7) % edges.size()] << 16 : value;
}

struct Layout {
  unsigned bits, exponent, mantissa;
};
Layout layoutOf(Kind kind) {
  switch (kind) {
    case Kind::f16:
    case Kind::f16x2:
      return {16, 5, 10};
    case Kind::bf16:
    case Kind::bf16x2:
      return {16, 8, 7};
    case Kind::f32:
      return {32, 8, 23};
    default:
      return {64, 11, 52};
  }
}

/// A number near one (so that sums cancel), with a short or a long mantissa.
uint64_t middling(const Layout& layout, uint64_t h) {
  const uint64_t one = (uint64_t{1} << (layout.exponent - 1)) - 1;
  const uint64_t spread = h % 5 == 0 ? 3 : layout.exponent == 5 ? 9 : 14;
  const uint64_t exponent = one - spread + (h >> 8) % (2 * spread + 1);
  uint64_t mantissa = (h >> 20) * 0x9e3779b97f4a7c15ULL >> (64 - layout.mantissa);
  if (h % 3 == 0) mantissa &= ~uint64_t{0} << (layout.mantissa - 4);
  return (h >> 63) << (layout.bits - 1) | exponent << layout.mantissa | mantissa;
}

uint64_t randomFloat(Kind kind, uint64_t h) {
  const Layout layout = layoutOf(kind);
  const uint64_t mask = layout.bits == 64 ? ~uint64_t{0} : (uint64_t{1} << layout.bits) - 1;
  const uint64_t bits = splitmix64(h);
  switch (h & 7) {
    case 0:
    case 1:
      return edge(kind, bits >> 8) & mask;
    case 2:
    case 3:
    case 4:
      return bits & mask;
    default:
      return middling(layout, bits);
  }
}

uint64_t randomInteger(Kind kind, uint64_t h) {
  const unsigned width = 8 * bytesOf(kind);
  const uint64_t bits = splitmix64(h);
  const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  switch (h & 7) {
    case 0:
    case 1:
      return edge(kind, bits >> 8);
    case 2:
    case 3:
      return bits & mask;
    case 4: {
      const uint64_t power = uint64_t{1} << (bits >> 8) % width;
      return (power + bits % 3 - 1) & mask;
    }
    case 5:
      return (uint64_t{0} - ((bits & mask) >> (h >> 8) % width)) & mask;
    default:
      return (bits & mask) >> (h >> 8) % width;
  }
}

uint64_t randomValue(Kind kind, uint64_t h) {
  switch (kind) {
    case Kind::pred:
      return h >> 8 & 1;
    case Kind::amount:
      return h & 1 ? (h >> 8) % 70 : edge(kind, h >> 8);
    case Kind::f16x2:
    case Kind::bf16x2:
      return randomFloat(kind, h) | randomFloat(kind, splitmix64(h ^ 1)) << 16;
    case Kind::f16:
    case Kind::bf16:
    case Kind::f32:
    case Kind::f64:
      return randomFloat(kind, h);
    default:
      return randomInteger(kind, h);
  }
}

/// The number of edges of each source that are crossed: all of one source, 24 of two, 8 of three, 5
/// of four.
size_t crossedOf(const Form& form, size_t slot) {
  constexpr size_t kMost[] = {0, 1000, 24, 8, 5};
  return std::min(edgesOf(form.sources[slot]).size(), kMost[form.sources.size()]);
}

}  // namespace

uint64_t valueOf(const Form& form, size_t slot, uint32_t number) {
  const uint64_t seed = fnv1a64(form.text);
  uint64_t left = number, mine = 0;
  for (size_t i = 0; i < form.sources.size(); ++i) {
    const size_t crossed = crossedOf(form, i);
    // If few of a long list are crossed, each form uses different ones.
    const uint64_t first = crossed < 24 ? seed >> (8 * i) & 63 : 0;
    if (i == slot) mine = first + left % crossed;
    left /= crossed;
  }
  if (left == 0) return edge(form.sources[slot], mine);
  return randomValue(form.sources[slot], splitmix64(seed + (uint64_t{number} << 3) + slot));
}

std::vector<uint64_t> valuesOf(const Form& form, uint32_t cases) {
  std::vector<uint64_t> values;
  values.reserve(form.sources.size() * cases);
  for (size_t slot = 0; slot < form.sources.size(); ++slot) {
    for (uint32_t i = 0; i < cases; ++i) values.push_back(valueOf(form, slot, i));
  }
  return values;
}

}  // namespace tilestep::cosim
