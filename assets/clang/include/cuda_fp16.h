// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits, alone and in pairs (CUDA Math API, "Half Precision Intrinsics"). Sums and
// products are written without a rounding, as the toolkit's are: the assembler may fuse them.
#pragma once

#define TILESTEP_MEMBER TILESTEP_BOTH_MEMBER

struct __half;
TILESTEP_PURE __half __float2half_rn(float a);
TILESTEP_PURE float __half2float(__half a);
#ifdef TILESTEP_PROGRAM
static inline __attribute__((host)) __half __float2half_rn(float a);
static inline __attribute__((host)) float __half2float(__half a);
#endif

struct __half_raw {
  unsigned short x;
};

struct __half {
  __half() = default;
  TILESTEP_MEMBER __half(__half_raw bits) : bits_(bits.x) {}
  TILESTEP_MEMBER __half(float a) : __half(__float2half_rn(a)) {}
  TILESTEP_MEMBER __half(double a);
  TILESTEP_MEMBER __half(int a) : __half((float)a) {}
  TILESTEP_MEMBER __half(unsigned int a) : __half((float)a) {}
  TILESTEP_MEMBER __half(long a) : __half((float)a) {}
  TILESTEP_MEMBER __half(unsigned long a) : __half((float)a) {}
  TILESTEP_MEMBER __half(long long a) : __half((float)a) {}
  TILESTEP_MEMBER __half(unsigned long long a) : __half((float)a) {}
  TILESTEP_MEMBER operator float() const { return __half2float(*this); }
  TILESTEP_MEMBER operator __half_raw() const { return {bits_}; }

  unsigned short bits_;
};

struct __attribute__((aligned(4))) __half2 {
  __half2() = default;
  TILESTEP_MEMBER __half2(__half low, __half high) : x(low), y(high) {}

  __half x, y;
};

using half = __half;
using half2 = __half2;

// The bits of a number, and of a pair as one word.
TILESTEP_BOTH unsigned short __half_as_ushort(__half a) {
  return a.bits_;
}
TILESTEP_BOTH short __half_as_short(__half a) {
  return (short)a.bits_;
}
TILESTEP_BOTH __half __ushort_as_half(unsigned short a) {
  return __half(__half_raw{a});
}
TILESTEP_BOTH __half __short_as_half(short a) {
  return __ushort_as_half((unsigned short)a);
}
TILESTEP_BOTH unsigned int tilestep_word(__half2 a) {
  return a.x.bits_ | (unsigned int)a.y.bits_ << 16;
}
TILESTEP_BOTH __half2 tilestep_pair(unsigned int a) {
  return {__ushort_as_half((unsigned short)a), __ushort_as_half((unsigned short)(a >> 16))};
}

// Conversions. PTX's .rp and .rm are CUDA's _ru and _rd.
#define TILESTEP_TO_HALF(name, ptx, type, constraint)     \
  TILESTEP_PURE __half name(type a) {                     \
    unsigned short d;                                     \
    asm("cvt." ptx " %0, %1;" : "=h"(d) : constraint(a)); \
    return __ushort_as_half(d);                           \
  }
#define TILESTEP_TO_HALF_EACH(name, from, type, constraint)     \
  TILESTEP_TO_HALF(name##_rn, "rn.f16." from, type, constraint) \
  TILESTEP_TO_HALF(name##_rz, "rz.f16." from, type, constraint) \
  TILESTEP_TO_HALF(name##_ru, "rp.f16." from, type, constraint) \
  TILESTEP_TO_HALF(name##_rd, "rm.f16." from, type, constraint)
#define TILESTEP_FROM_HALF(name, ptx, type, constraint)            \
  TILESTEP_PURE type name(__half a) {                              \
    type d;                                                        \
    asm("cvt." ptx " %0, %1;" : "=" constraint(d) : "h"(a.bits_)); \
    return d;                                                      \
  }
#define TILESTEP_FROM_HALF_EACH(name, to, type, constraint)         \
  TILESTEP_FROM_HALF(name##_rn, "rni." to ".f16", type, constraint) \
  TILESTEP_FROM_HALF(name##_rz, "rzi." to ".f16", type, constraint) \
  TILESTEP_FROM_HALF(name##_ru, "rpi." to ".f16", type, constraint) \
  TILESTEP_FROM_HALF(name##_rd, "rmi." to ".f16", type, constraint)
TILESTEP_TO_HALF_EACH(__float2half, "f32", float, "f")
TILESTEP_TO_HALF_EACH(__int2half, "s32", int, "r")
TILESTEP_TO_HALF_EACH(__uint2half, "u32", unsigned int, "r")
TILESTEP_TO_HALF_EACH(__short2half, "s16", short, "h")
TILESTEP_TO_HALF_EACH(__ushort2half, "u16", unsigned short, "h")
TILESTEP_TO_HALF_EACH(__ll2half, "s64", long long, "l")
TILESTEP_TO_HALF_EACH(__ull2half, "u64", unsigned long long, "l")
TILESTEP_TO_HALF(__double2half, "rn.f16.f64", double, "d")
TILESTEP_FROM_HALF(__half2float, "f32.f16", float, "f")
TILESTEP_FROM_HALF_EACH(__half2int, "s32", int, "r")
TILESTEP_FROM_HALF_EACH(__half2uint, "u32", unsigned int, "r")
TILESTEP_FROM_HALF_EACH(__half2short, "s16", short, "h")
TILESTEP_FROM_HALF_EACH(__half2ushort, "u16", unsigned short, "h")
TILESTEP_FROM_HALF_EACH(__half2ll, "s64", long long, "l")
TILESTEP_FROM_HALF_EACH(__half2ull, "u64", unsigned long long, "l")
#undef TILESTEP_TO_HALF
#undef TILESTEP_TO_HALF_EACH
#undef TILESTEP_FROM_HALF
#undef TILESTEP_FROM_HALF_EACH
#ifdef TILESTEP_PROGRAM
// The host converts by the bits. A number is rounded once, to nearest, ties to even.
static inline __attribute__((host)) __half tilestep_rounded_half(double a) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, a);
  const unsigned short sign = (unsigned short)(bits >> 48 & 0x8000u);
  const auto of = [sign](unsigned int rest) {
    return __half(__half_raw{(unsigned short)(sign | rest)});
  };
  const double size = __builtin_fabs(a);
  if (!(size <= 0x1.ffdffffffffffp15)) return of(size != size ? 0x7fffu : 0x7c00u);
  // Adding this pushes out all bits below the last one of a half.
  int power = (int)(bits >> 52 & 0x7ff) - 1023;
  if (power < -14) power = -14;
  const double last = __builtin_ldexp(1.0, power - 10);
  const auto units = (unsigned int)__builtin_rint(size / last);
  return of(units + ((unsigned int)(power + 14) << 10));
}
static inline __attribute__((host)) __half __float2half_rn(float a) {
  return tilestep_rounded_half(a);
}
static inline __attribute__((host)) __half __double2half(double a) {
  return tilestep_rounded_half(a);
}
static inline __attribute__((host)) float __half2float(__half a) {
  const int power = a.bits_ >> 10 & 31, fraction = a.bits_ & 1023;
  float size = power == 31  ? (fraction != 0 ? __builtin_nanf("") : __builtin_inff())
               : power == 0 ? (float)fraction * 0x1p-24f
                            : (float)__builtin_ldexp(1024.0 + fraction, power - 25);
  return a.bits_ & 0x8000u ? -size : size;
}
#endif
TILESTEP_MEMBER inline __half::__half(double a) : __half(__double2half(a)) {}
TILESTEP_BOTH __half __float2half(float a) {
  return __float2half_rn(a);
}

// Pairs.
TILESTEP_BOTH __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
TILESTEP_BOTH __half2 make_half2(__half low, __half high) {
  return {low, high};
}
TILESTEP_BOTH __half2 __half2half2(__half a) {
  return {a, a};
}
TILESTEP_BOTH __half2 __float2half2_rn(float a) {
  return __half2half2(__float2half(a));
}
TILESTEP_BOTH __half2 __floats2half2_rn(float low, float high) {
  return {__float2half(low), __float2half(high)};
}
TILESTEP_BOTH __half2 __float22half2_rn(float2 a) {
  return __floats2half2_rn(a.x, a.y);
}
TILESTEP_BOTH float2 __half22float2(__half2 a) {
  return {__half2float(a.x), __half2float(a.y)};
}
TILESTEP_BOTH __half __low2half(__half2 a) {
  return a.x;
}
TILESTEP_BOTH __half __high2half(__half2 a) {
  return a.y;
}
TILESTEP_BOTH float __low2float(__half2 a) {
  return __half2float(a.x);
}
TILESTEP_BOTH float __high2float(__half2 a) {
  return __half2float(a.y);
}
TILESTEP_BOTH __half2 __low2half2(__half2 a) {
  return {a.x, a.x};
}
TILESTEP_BOTH __half2 __high2half2(__half2 a) {
  return {a.y, a.y};
}
TILESTEP_BOTH __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}
TILESTEP_BOTH __half2 __lows2half2(__half2 a, __half2 b) {
  return {a.x, b.x};
}
TILESTEP_BOTH __half2 __highs2half2(__half2 a, __half2 b) {
  return {a.y, b.y};
}

// Arithmetic, on one number or (with a 2) on both of a pair.
#define TILESTEP_HALF1(name, ptx)                               \
  TILESTEP_PURE __half name(__half a) {                         \
    unsigned short d;                                           \
    asm(ptx "f16 %0, %1;" : "=h"(d) : "h"(a.bits_));            \
    return __ushort_as_half(d);                                 \
  }                                                             \
  TILESTEP_PURE __half2 name##2(__half2 a) {                    \
    unsigned int d;                                             \
    asm(ptx "f16x2 %0, %1;" : "=r"(d) : "r"(tilestep_word(a))); \
    return tilestep_pair(d);                                    \
  }
#define TILESTEP_HALF2(name, pairs, ptx)                                                   \
  TILESTEP_PURE __half name(__half a, __half b) {                                          \
    unsigned short d;                                                                      \
    asm(ptx "f16 %0, %1, %2;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_));                     \
    return __ushort_as_half(d);                                                            \
  }                                                                                        \
  TILESTEP_PURE __half2 pairs(__half2 a, __half2 b) {                                      \
    unsigned int d;                                                                        \
    asm(ptx "f16x2 %0, %1, %2;" : "=r"(d) : "r"(tilestep_word(a)), "r"(tilestep_word(b))); \
    return tilestep_pair(d);                                                               \
  }
#define TILESTEP_HALF3(name, pairs, ptx)                                                 \
  TILESTEP_PURE __half name(__half a, __half b, __half c) {                              \
    unsigned short d;                                                                    \
    asm(ptx "f16 %0, %1, %2, %3;" : "=h"(d) : "h"(a.bits_), "h"(b.bits_), "h"(c.bits_)); \
    return __ushort_as_half(d);                                                          \
  }                                                                                      \
  TILESTEP_PURE __half2 pairs(__half2 a, __half2 b, __half2 c) {                         \
    unsigned int d;                                                                      \
    asm(ptx "f16x2 %0, %1, %2, %3;"                                                      \
        : "=r"(d)                                                                        \
        : "r"(tilestep_word(a)), "r"(tilestep_word(b)), "r"(tilestep_word(c)));          \
    return tilestep_pair(d);                                                             \
  }
TILESTEP_HALF1(__hneg, "neg.")
TILESTEP_HALF1(__habs, "abs.")
TILESTEP_HALF2(__hadd, __hadd2, "add.")
TILESTEP_HALF2(__hsub, __hsub2, "sub.")
TILESTEP_HALF2(__hmul, __hmul2, "mul.")
TILESTEP_HALF2(__hadd_rn, __hadd2_rn, "add.rn.")
TILESTEP_HALF2(__hsub_rn, __hsub2_rn, "sub.rn.")
TILESTEP_HALF2(__hmul_rn, __hmul2_rn, "mul.rn.")
TILESTEP_HALF2(__hadd_sat, __hadd2_sat, "add.sat.")
TILESTEP_HALF2(__hsub_sat, __hsub2_sat, "sub.sat.")
TILESTEP_HALF2(__hmul_sat, __hmul2_sat, "mul.sat.")
TILESTEP_HALF3(__hfma, __hfma2, "fma.rn.")
TILESTEP_HALF3(__hfma_sat, __hfma2_sat, "fma.rn.sat.")
#undef TILESTEP_HALF1
#undef TILESTEP_HALF2
#undef TILESTEP_HALF3

// For numbers and pairs, through float: rounding the float result again is correct.
#define TILESTEP_HALF_BY_FLOAT1(name, expression) \
  TILESTEP_PURE __half h##name(__half h) {        \
    const float a = __half2float(h);              \
    return __float2half(expression);              \
  }                                               \
  TILESTEP_PURE __half2 h2##name(__half2 a) {     \
    return {h##name(a.x), h##name(a.y)};          \
  }
TILESTEP_HALF_BY_FLOAT1(sqrt, sqrtf(a))
TILESTEP_HALF_BY_FLOAT1(rcp, __frcp_rn(a))
TILESTEP_HALF_BY_FLOAT1(floor, floorf(a))
TILESTEP_HALF_BY_FLOAT1(ceil, ceilf(a))
TILESTEP_HALF_BY_FLOAT1(trunc, truncf(a))
TILESTEP_HALF_BY_FLOAT1(rint, rintf(a))
#undef TILESTEP_HALF_BY_FLOAT1
TILESTEP_PURE __half __hdiv(__half a, __half b) {
  return __float2half(__fdiv_rn(__half2float(a), __half2float(b)));
}
TILESTEP_PURE __half2 __h2div(__half2 a, __half2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
TILESTEP_PURE __half __hmax(__half a, __half b) {
  return __float2half(fmaxf(__half2float(a), __half2float(b)));
}
TILESTEP_PURE __half __hmin(__half a, __half b) {
  return __float2half(fminf(__half2float(a), __half2float(b)));
}
TILESTEP_PURE __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
TILESTEP_PURE __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}

// Comparisons. Those of pairs give 1 or 0 in each half; the __hb… test both halves. With a NaN, all
// are false except those that end in u, which are true.
#define TILESTEP_HALF_COMPARE(name, expression)                                                    \
  TILESTEP_PURE bool __h##name(__half first, __half second) {                                      \
    const float a = __half2float(first), b = __half2float(second);                                 \
    return expression;                                                                             \
  }                                                                                                \
  TILESTEP_PURE __half2 __h##name##2(__half2 a, __half2 b) {                                       \
    return {__half(__h##name(a.x, b.x) ? 1.0f : 0.0f), __half(__h##name(a.y, b.y) ? 1.0f : 0.0f)}; \
  }                                                                                                \
  TILESTEP_PURE bool __hb##name##2(__half2 a, __half2 b) {                                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }
TILESTEP_HALF_COMPARE(eq, a == b)
TILESTEP_HALF_COMPARE(ne, a<b || a> b)
TILESTEP_HALF_COMPARE(neu, a != b)
TILESTEP_HALF_COMPARE(lt, a < b)
TILESTEP_HALF_COMPARE(le, a <= b)
TILESTEP_HALF_COMPARE(gt, a > b)
TILESTEP_HALF_COMPARE(ge, a >= b)
#undef TILESTEP_HALF_COMPARE
#define TILESTEP_HALF_COMPARE_OPERATOR(sign, function)   \
  TILESTEP_PURE bool operator sign(__half a, __half b) { \
    return function(a, b);                               \
  }
TILESTEP_HALF_COMPARE_OPERATOR(==, __heq)
TILESTEP_HALF_COMPARE_OPERATOR(!=, __hneu)
TILESTEP_HALF_COMPARE_OPERATOR(<, __hlt)
TILESTEP_HALF_COMPARE_OPERATOR(<=, __hle)
TILESTEP_HALF_COMPARE_OPERATOR(>, __hgt)
TILESTEP_HALF_COMPARE_OPERATOR(>=, __hge)
#undef TILESTEP_HALF_COMPARE_OPERATOR
TILESTEP_PURE bool __hisnan(__half a) {
  return isnan(__half2float(a));
}
TILESTEP_PURE int __hisinf(__half a) {
  return isinf(__half2float(a)) ? (signbit(__half2float(a)) ? -1 : 1) : 0;
}

#define TILESTEP_HALF_OPERATOR(sign, function, pairs)                \
  TILESTEP_PURE __half operator sign(__half a, __half b) {           \
    return function(a, b);                                           \
  }                                                                  \
  TILESTEP_PURE __half2 operator sign(__half2 a, __half2 b) {        \
    return pairs(a, b);                                              \
  }                                                                  \
  TILESTEP_INLINE __half& operator sign##=(__half& a, __half b) {    \
    return a = function(a, b);                                       \
  }                                                                  \
  TILESTEP_INLINE __half2& operator sign##=(__half2& a, __half2 b) { \
    return a = pairs(a, b);                                          \
  }
TILESTEP_HALF_OPERATOR(+, __hadd, __hadd2)
TILESTEP_HALF_OPERATOR(-, __hsub, __hsub2)
TILESTEP_HALF_OPERATOR(*, __hmul, __hmul2)
TILESTEP_HALF_OPERATOR(/, __hdiv, __h2div)
#undef TILESTEP_HALF_OPERATOR
TILESTEP_PURE __half operator-(__half a) {
  return __hneg(a);
}
TILESTEP_PURE __half2 operator-(__half2 a) {
  return __hneg2(a);
}

// Cached loads and stores move the bits.
#define TILESTEP_HALF_LOAD(name)                                \
  TILESTEP_INLINE __half name(const __half* from) {             \
    return __ushort_as_half(name((const unsigned short*)from)); \
  }                                                             \
  TILESTEP_INLINE __half2 name(const __half2* from) {           \
    return tilestep_pair(name((const unsigned int*)from));      \
  }
#define TILESTEP_HALF_STORE(name)                     \
  TILESTEP_INLINE void name(__half* to, __half v) {   \
    name((unsigned short*)to, v.bits_);               \
  }                                                   \
  TILESTEP_INLINE void name(__half2* to, __half2 v) { \
    name((unsigned int*)to, tilestep_word(v));        \
  }
TILESTEP_HALF_LOAD(__ldg)
TILESTEP_HALF_LOAD(__ldca)
TILESTEP_HALF_LOAD(__ldcg)
TILESTEP_HALF_LOAD(__ldcs)
TILESTEP_HALF_LOAD(__ldlu)
TILESTEP_HALF_LOAD(__ldcv)
TILESTEP_HALF_STORE(__stwb)
TILESTEP_HALF_STORE(__stcg)
TILESTEP_HALF_STORE(__stcs)
TILESTEP_HALF_STORE(__stwt)
#undef TILESTEP_HALF_LOAD
#undef TILESTEP_HALF_STORE

// Shuffles move the bits.
#define TILESTEP_HALF_SHUFFLE(name, laneType)                                                 \
  TILESTEP_INLINE __half name(unsigned int mask, __half v, laneType lane, int width = 32) {   \
    return __ushort_as_half((unsigned short)name(mask, (unsigned int)v.bits_, lane, width));  \
  }                                                                                           \
  TILESTEP_INLINE __half2 name(unsigned int mask, __half2 v, laneType lane, int width = 32) { \
    return tilestep_pair(name(mask, tilestep_word(v), lane, width));                          \
  }
TILESTEP_HALF_SHUFFLE(__shfl_sync, int)
TILESTEP_HALF_SHUFFLE(__shfl_up_sync, unsigned int)
TILESTEP_HALF_SHUFFLE(__shfl_down_sync, unsigned int)
TILESTEP_HALF_SHUFFLE(__shfl_xor_sync, int)
#undef TILESTEP_HALF_SHUFFLE
#undef TILESTEP_MEMBER
