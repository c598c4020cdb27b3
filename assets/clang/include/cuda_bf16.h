// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits that keep float's exponents (CUDA Math API, "Bfloat16 Precision Intrinsics"):
// conversions by their bits, arithmetic through float, which rounds sums and products correctly.
#pragma once

#define TILESTEP_MEMBER __attribute__((device, always_inline, nodebug))

struct __nv_bfloat16_raw {
  unsigned short x;
};

// To nearest, ties to even.
TILESTEP_PURE unsigned short tilestep_bfloat_bits(float a) {
  const unsigned int bits = __float_as_uint(a);
  if (isnan(a)) return 0x7fff;
  return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// Float for a number with more bits. The part that is cut off shows in the last bit, so that
// rounding the float to 16 bits rounds the number itself.
TILESTEP_PURE float tilestep_odd_float(double a) {
  const float cut = __double2float_rz(a);
  return isnan(a) || (double)cut == a ? cut : __uint_as_float(__float_as_uint(cut) | 1u);
}
TILESTEP_PURE float tilestep_odd_float(long long a) {
  const float cut = __ll2float_rz(a);
  return (long long)cut == a ? cut : __uint_as_float(__float_as_uint(cut) | 1u);
}
TILESTEP_PURE float tilestep_odd_float(unsigned long long a) {
  const float cut = __ull2float_rz(a);
  return (unsigned long long)cut == a ? cut : __uint_as_float(__float_as_uint(cut) | 1u);
}

struct __nv_bfloat16 {
  __nv_bfloat16() = default;
  TILESTEP_MEMBER __nv_bfloat16(__nv_bfloat16_raw bits) : bits_(bits.x) {}
  TILESTEP_MEMBER __nv_bfloat16(float a) : bits_(tilestep_bfloat_bits(a)) {}
  TILESTEP_MEMBER __nv_bfloat16(double a) : __nv_bfloat16(tilestep_odd_float(a)) {}
  TILESTEP_MEMBER __nv_bfloat16(int a) : __nv_bfloat16((double)a) {}
  TILESTEP_MEMBER __nv_bfloat16(unsigned int a) : __nv_bfloat16((double)a) {}
  TILESTEP_MEMBER __nv_bfloat16(long a) : __nv_bfloat16((long long)a) {}
  TILESTEP_MEMBER __nv_bfloat16(unsigned long a) : __nv_bfloat16((unsigned long long)a) {}
  TILESTEP_MEMBER __nv_bfloat16(long long a) : __nv_bfloat16(tilestep_odd_float(a)) {}
  TILESTEP_MEMBER __nv_bfloat16(unsigned long long a) : __nv_bfloat16(tilestep_odd_float(a)) {}
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

// A fused multiply-add is one instruction from compute capability 8.0 on; CUDA's header has none
// for earlier ones.
#if __CUDA_ARCH__ >= 800
TILESTEP_PURE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  unsigned short d;
  asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_), "h"(c.bits_));
  return __ushort_as_bfloat16(d);
}
TILESTEP_PURE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#else
__attribute__((device, unavailable("__hfma of __nv_bfloat16 needs arch = \"compute_80\" or later")))
__nv_bfloat16 __hfma(__nv_bfloat16, __nv_bfloat16, __nv_bfloat16);
__attribute__((device,
               unavailable("__hfma2 of __nv_bfloat16 needs arch = \"compute_80\" or later")))
__nv_bfloat162 __hfma2(__nv_bfloat162, __nv_bfloat162, __nv_bfloat162);
#endif

// With a NaN, all are false except __hneu and !=, which are true.
#define TILESTEP_BFLOAT_COMPARE(name, expression)                           \
  TILESTEP_PURE bool __h##name(__nv_bfloat16 first, __nv_bfloat16 second) { \
    const float a = __bfloat162float(first), b = __bfloat162float(second);  \
    return expression;                                                      \
  }
TILESTEP_BFLOAT_COMPARE(eq, a == b)
TILESTEP_BFLOAT_COMPARE(ne, a<b || a> b)
TILESTEP_BFLOAT_COMPARE(neu, a != b)
TILESTEP_BFLOAT_COMPARE(lt, a < b)
TILESTEP_BFLOAT_COMPARE(le, a <= b)
TILESTEP_BFLOAT_COMPARE(gt, a > b)
TILESTEP_BFLOAT_COMPARE(ge, a >= b)
#undef TILESTEP_BFLOAT_COMPARE
#define TILESTEP_BFLOAT_COMPARE_OPERATOR(sign, function)               \
  TILESTEP_PURE bool operator sign(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return function(a, b);                                             \
  }
TILESTEP_BFLOAT_COMPARE_OPERATOR(==, __heq)
TILESTEP_BFLOAT_COMPARE_OPERATOR(!=, __hneu)
TILESTEP_BFLOAT_COMPARE_OPERATOR(<, __hlt)
TILESTEP_BFLOAT_COMPARE_OPERATOR(<=, __hle)
TILESTEP_BFLOAT_COMPARE_OPERATOR(>, __hgt)
TILESTEP_BFLOAT_COMPARE_OPERATOR(>=, __hge)
#undef TILESTEP_BFLOAT_COMPARE_OPERATOR

// Cached loads and stores move the bits.
#define TILESTEP_BFLOAT_LOAD(name)                                              \
  TILESTEP_INLINE __nv_bfloat16 name(const __nv_bfloat16* from) {               \
    return __ushort_as_bfloat16(name((const unsigned short*)from));             \
  }                                                                             \
  TILESTEP_INLINE __nv_bfloat162 name(const __nv_bfloat162* from) {             \
    return __builtin_bit_cast(__nv_bfloat162, name((const unsigned int*)from)); \
  }
#define TILESTEP_BFLOAT_STORE(name)                                 \
  TILESTEP_INLINE void name(__nv_bfloat16* to, __nv_bfloat16 v) {   \
    name((unsigned short*)to, v.bits_);                             \
  }                                                                 \
  TILESTEP_INLINE void name(__nv_bfloat162* to, __nv_bfloat162 v) { \
    name((unsigned int*)to, __builtin_bit_cast(unsigned int, v));   \
  }
TILESTEP_BFLOAT_LOAD(__ldg)
TILESTEP_BFLOAT_LOAD(__ldca)
TILESTEP_BFLOAT_LOAD(__ldcg)
TILESTEP_BFLOAT_LOAD(__ldcs)
TILESTEP_BFLOAT_LOAD(__ldlu)
TILESTEP_BFLOAT_LOAD(__ldcv)
TILESTEP_BFLOAT_STORE(__stwb)
TILESTEP_BFLOAT_STORE(__stcg)
TILESTEP_BFLOAT_STORE(__stcs)
TILESTEP_BFLOAT_STORE(__stwt)
#undef TILESTEP_BFLOAT_LOAD
#undef TILESTEP_BFLOAT_STORE
#undef TILESTEP_MEMBER
