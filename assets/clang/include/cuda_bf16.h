// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits that keep float's exponents (CUDA Math API, "Bfloat16 Precision Intrinsics"):
// conversions by their bits, arithmetic by way of float, which rounds sums and products right.
#pragma once

#define TILESTEP_MEMBER __attribute__((device, always_inline, nodebug))

struct __nv_bfloat16_raw {
  unsigned short x;
};

// To the nearest, of two that are as near to the even one.
TILESTEP_PURE unsigned short tilestep_bfloat_bits(float a) {
  const unsigned int bits = __float_as_uint(a);
  if (isnan(a)) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  TILESTEP_MEMBER __nv_bfloat16(__nv_bfloat16_raw bits) : bits_(bits.x) {}
  TILESTEP_MEMBER __nv_bfloat16(float a) : bits_(tilestep_bfloat_bits(a)) {}
  TILESTEP_MEMBER operator float() const { return __uint_as_float((unsigned int)bits_ << 16); }
  TILESTEP_MEMBER operator __nv_bfloat16_raw() const { return {bits_}; }

  unsigned short bits_;
};

struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat162() = default;
  TILESTEP_MEMBER __nv_bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) : x(low), y(high) {}

  __nv_bfloat16 x, y;
};

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

TILESTEP_PURE __nv_bfloat16 __float2bfloat16(float a) {
  return a;
}
TILESTEP_PURE __nv_bfloat16 __float2bfloat16_rn(float a) {
  return a;
}
TILESTEP_PURE float __bfloat162float(__nv_bfloat16 a) {
  return a;
}
TILESTEP_PURE unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits_;
}
TILESTEP_PURE __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __nv_bfloat16_raw{a};
}
TILESTEP_PURE __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
TILESTEP_PURE __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return {a, a};
}
TILESTEP_PURE __nv_bfloat162 __float2bfloat162_rn(float a) {
  return {__float2bfloat16(a), __float2bfloat16(a)};
}
TILESTEP_PURE __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {__float2bfloat16(low), __float2bfloat16(high)};
}
TILESTEP_PURE __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return __floats2bfloat162_rn(a.x, a.y);
}
TILESTEP_PURE float2 __bfloat1622float2(__nv_bfloat162 a) {
  return {__bfloat162float(a.x), __bfloat162float(a.y)};
}
TILESTEP_PURE __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
TILESTEP_PURE __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
TILESTEP_PURE float __low2float(__nv_bfloat162 a) {
  return __bfloat162float(a.x);
}
TILESTEP_PURE float __high2float(__nv_bfloat162 a) {
  return __bfloat162float(a.y);
}

#define TILESTEP_BFLOAT(name, pairs, sign, expression)                                 \
  TILESTEP_PURE __nv_bfloat16 name(__nv_bfloat16 first, __nv_bfloat16 second) {        \
    const float a = __bfloat162float(first), b = __bfloat162float(second);             \
    return __float2bfloat16(expression);                                               \
  }                                                                                    \
  TILESTEP_PURE __nv_bfloat162 pairs(__nv_bfloat162 a, __nv_bfloat162 b) {             \
    return {name(a.x, b.x), name(a.y, b.y)};                                           \
  }                                                                                    \
  TILESTEP_PURE __nv_bfloat16 operator sign(__nv_bfloat16 a, __nv_bfloat16 b) {        \
    return name(a, b);                                                                 \
  }                                                                                    \
  TILESTEP_PURE __nv_bfloat162 operator sign(__nv_bfloat162 a, __nv_bfloat162 b) {     \
    return pairs(a, b);                                                                \
  }                                                                                    \
  TILESTEP_INLINE __nv_bfloat16& operator sign##=(__nv_bfloat16& a, __nv_bfloat16 b) { \
    return a = name(a, b);                                                             \
  }
TILESTEP_BFLOAT(__hadd, __hadd2, +, __fadd_rn(a, b))
TILESTEP_BFLOAT(__hsub, __hsub2, -, __fsub_rn(a, b))
TILESTEP_BFLOAT(__hmul, __hmul2, *, __fmul_rn(a, b))
TILESTEP_BFLOAT(__hdiv, __h2div, /, __fdiv_rn(a, b))
#undef TILESTEP_BFLOAT
TILESTEP_PURE __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.bits_ ^ 0x8000);
}
TILESTEP_PURE __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __hneg(a);
}
TILESTEP_PURE __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.bits_ & 0x7fff);
}
TILESTEP_PURE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16(fmaxf(__bfloat162float(a), __bfloat162float(b)));
}
TILESTEP_PURE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __float2bfloat16(fminf(__bfloat162float(a), __bfloat162float(b)));
}

// A product and a sum in one step are one instruction from compute capability 8.0 on; before it
// float rounds them once more.
TILESTEP_PURE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
#if __CUDA_ARCH__ >= 800
  unsigned short d;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_), "h"(c.bits_));
  return __ushort_as_bfloat16(d);
#else
  return __float2bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
#endif
}
TILESTEP_PURE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define TILESTEP_BFLOAT_COMPARE(name, comparison)                            \
  TILESTEP_PURE bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {           \
    return __bfloat162float(a) comparison __bfloat162float(b);               \
  }                                                                          \
  TILESTEP_PURE bool operator comparison(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __h##name(a, b);                                                  \
  }
TILESTEP_BFLOAT_COMPARE(eq, ==)
TILESTEP_BFLOAT_COMPARE(ne, !=)
TILESTEP_BFLOAT_COMPARE(lt, <)
TILESTEP_BFLOAT_COMPARE(le, <=)
TILESTEP_BFLOAT_COMPARE(gt, >)
TILESTEP_BFLOAT_COMPARE(ge, >=)
#undef TILESTEP_BFLOAT_COMPARE
#undef TILESTEP_MEMBER
