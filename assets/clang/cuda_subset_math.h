// SPDX-License-Identifier: Apache-2.0
// Functions that are one PTX instruction or a few, exactly as CUDA defines them (CUDA C++
// Programming Guide, "Mathematical Functions" and "Intrinsic Functions"). Longer ones are in
// cuda_subset_exact.h and in the headers that use cuda_subset_pairs.h.
#pragma once

#include "cuda_subset_convert.h"

#define TILESTEP_UNARY(name, type, text, constraint)          \
  TILESTEP_PURE type name(type a) {                           \
    type d;                                                   \
    asm(text " %0, %1;" : "=" constraint(d) : constraint(a)); \
    return d;                                                 \
  }
#define TILESTEP_BINARY(name, type, text, constraint)                            \
  TILESTEP_PURE type name(type a, type b) {                                      \
    type d;                                                                      \
    asm(text " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b)); \
    return d;                                                                    \
  }

TILESTEP_UNARY(sqrtf, float, "sqrt.rn.f32", "f")
TILESTEP_UNARY(sqrt, double, "sqrt.rn.f64", "d")
TILESTEP_UNARY(rsqrtf, float, "rsqrt.approx.f32", "f")
TILESTEP_UNARY(rsqrt, double, "rsqrt.approx.f64", "d")
TILESTEP_UNARY(__frsqrt_rn, float, "rsqrt.approx.f32", "f")
TILESTEP_UNARY(rintf, float, "cvt.rni.f32.f32", "f")
TILESTEP_UNARY(rint, double, "cvt.rni.f64.f64", "d")
TILESTEP_UNARY(nearbyintf, float, "cvt.rni.f32.f32", "f")
TILESTEP_UNARY(nearbyint, double, "cvt.rni.f64.f64", "d")
TILESTEP_UNARY(__saturatef, float, "cvt.sat.f32.f32", "f")
TILESTEP_UNARY(tilestep_fast_exp2, float, "ex2.approx.f32", "f")
TILESTEP_UNARY(__sinf, float, "sin.approx.f32", "f")
TILESTEP_UNARY(__cosf, float, "cos.approx.f32", "f")
TILESTEP_UNARY(__log2f, float, "lg2.approx.f32", "f")
TILESTEP_BINARY(__fdividef, float, "div.approx.f32", "f")

#undef TILESTEP_UNARY
#undef TILESTEP_BINARY

// clang's own functions, for float (with an f) and for double.
#define TILESTEP_BUILTIN1(name)          \
  TILESTEP_PURE float name##f(float a) { \
    return __builtin_##name##f(a);       \
  }                                      \
  TILESTEP_PURE double name(double a) {  \
    return __builtin_##name(a);          \
  }
#define TILESTEP_BUILTIN2(name)                   \
  TILESTEP_PURE float name##f(float a, float b) { \
    return __builtin_##name##f(a, b);             \
  }                                               \
  TILESTEP_PURE double name(double a, double b) { \
    return __builtin_##name(a, b);                \
  }
TILESTEP_BUILTIN1(fabs)
TILESTEP_BUILTIN1(floor)
TILESTEP_BUILTIN1(ceil)
TILESTEP_BUILTIN1(trunc)
TILESTEP_BUILTIN2(fmin)
TILESTEP_BUILTIN2(fmax)
TILESTEP_BUILTIN2(copysign)
#undef TILESTEP_BUILTIN1
#undef TILESTEP_BUILTIN2

TILESTEP_PURE float fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
TILESTEP_PURE double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
TILESTEP_PURE float __expf(float a) {
  return tilestep_fast_exp2(__fmul_rn(a, 1.4426950408889634f));
}
TILESTEP_PURE float __exp10f(float a) {
  return tilestep_fast_exp2(__fmul_rn(a, 3.3219280948873623f));
}
TILESTEP_PURE float __logf(float a) {
  return __fmul_rn(__log2f(a), 0.69314718055994531f);
}
TILESTEP_PURE float __log10f(float a) {
  return __fmul_rn(__log2f(a), 0.30102999566398120f);
}
TILESTEP_PURE float __powf(float a, float b) {
  return tilestep_fast_exp2(__fmul_rn(b, __log2f(a)));
}
TILESTEP_PURE float __tanf(float a) {
  return __fdividef(__sinf(a), __cosf(a));
}
TILESTEP_INLINE void __sincosf(float a, float* sine, float* cosine) {
  *sine = __sinf(a);
  *cosine = __cosf(a);
}

TILESTEP_BOTH float min(float a, float b) {
  return __builtin_fminf(a, b);
}
TILESTEP_BOTH float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
TILESTEP_BOTH double min(double a, double b) {
  return __builtin_fmin(a, b);
}
TILESTEP_BOTH double max(double a, double b) {
  return __builtin_fmax(a, b);
}
TILESTEP_BOTH double min(float a, double b) {
  return __builtin_fmin(a, b);
}
TILESTEP_BOTH double min(double a, float b) {
  return __builtin_fmin(a, b);
}
TILESTEP_BOTH double max(float a, double b) {
  return __builtin_fmax(a, b);
}
TILESTEP_BOTH double max(double a, float b) {
  return __builtin_fmax(a, b);
}

#define TILESTEP_QUESTION(name, builtin) \
  TILESTEP_PURE bool name(float a) {     \
    return builtin(a);                   \
  }                                      \
  TILESTEP_PURE bool name(double a) {    \
    return builtin(a);                   \
  }
TILESTEP_QUESTION(isnan, __builtin_isnan)
TILESTEP_QUESTION(isinf, __builtin_isinf)
TILESTEP_QUESTION(isfinite, __builtin_isfinite)
#undef TILESTEP_QUESTION
TILESTEP_PURE bool signbit(float a) {
  return __float_as_int(a) < 0;
}
TILESTEP_PURE bool signbit(double a) {
  return __double_as_longlong(a) < 0;
}

// The names for double also accept a float, as in C++, and then return a float; for a whole number
// they return a double.
template <bool kCondition>
struct tilestep_if {};
template <>
struct tilestep_if<true> {
  using type = int;
};
#define TILESTEP_OVERLOAD1(name)                                       \
  TILESTEP_PURE float name(float a) {                                  \
    return name##f(a);                                                 \
  }                                                                    \
  template <class T, typename tilestep_if<__is_integral(T)>::type = 0> \
  TILESTEP_PURE double name(T a) {                                     \
    return name((double)a);                                            \
  }
#define TILESTEP_OVERLOAD2(name)                 \
  TILESTEP_PURE float name(float a, float b) {   \
    return name##f(a, b);                        \
  }                                              \
  TILESTEP_PURE double name(float a, double b) { \
    return name((double)a, b);                   \
  }                                              \
  TILESTEP_PURE double name(double a, float b) { \
    return name(a, (double)b);                   \
  }
// With a whole number as the other argument; these types are not called A, because a tunable may
// be.
#define TILESTEP_OVERLOAD2_WHOLE(name)                                                            \
  template <                                                                                      \
      class TilestepA, class TilestepB,                                                           \
      typename tilestep_if<__is_floating_point(TilestepA) && __is_integral(TilestepB)>::type = 0> \
  TILESTEP_PURE TilestepA name(TilestepA a, TilestepB b) {                                        \
    return name(a, (TilestepA)b);                                                                 \
  }                                                                                               \
  template <                                                                                      \
      class TilestepA, class TilestepB,                                                           \
      typename tilestep_if<__is_integral(TilestepA) && __is_floating_point(TilestepB)>::type = 0> \
  TILESTEP_PURE TilestepB name(TilestepA a, TilestepB b) {                                        \
    return name((TilestepB)a, b);                                                                 \
  }                                                                                               \
  template <class TilestepA, class TilestepB,                                                     \
            typename tilestep_if<__is_integral(TilestepA) && __is_integral(TilestepB)>::type = 0> \
  TILESTEP_PURE double name(TilestepA a, TilestepB b) {                                           \
    return name((double)a, (double)b);                                                            \
  }
TILESTEP_OVERLOAD1(sqrt)
TILESTEP_OVERLOAD1(rsqrt)
TILESTEP_OVERLOAD1(rint)
TILESTEP_OVERLOAD1(nearbyint)
TILESTEP_OVERLOAD1(fabs)
TILESTEP_OVERLOAD1(floor)
TILESTEP_OVERLOAD1(ceil)
TILESTEP_OVERLOAD1(trunc)
TILESTEP_OVERLOAD2(fmin)
TILESTEP_OVERLOAD2(fmax)
TILESTEP_OVERLOAD2(copysign)
TILESTEP_OVERLOAD2_WHOLE(fmin)
TILESTEP_OVERLOAD2_WHOLE(fmax)
TILESTEP_PURE float fma(float a, float b, float c) {
  return fmaf(a, b, c);
}
TILESTEP_PURE float abs(float a) {
  return fabsf(a);
}
TILESTEP_PURE double abs(double a) {
  return fabs(a);
}
