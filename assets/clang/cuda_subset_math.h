// SPDX-License-Identifier: Apache-2.0
// Mathematics that is one PTX instruction or a few, exactly as CUDA defines it (CUDA C++
// Programming Guide, "Mathematical Functions" and "Intrinsic Functions"). The rest:
// cuda_subset_refused.h.
#pragma once

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
TILESTEP_UNARY(__fsqrt_rn, float, "sqrt.rn.f32", "f")
TILESTEP_UNARY(__frcp_rn, float, "rcp.rn.f32", "f")
TILESTEP_UNARY(__frsqrt_rn, float, "rsqrt.approx.f32", "f")
TILESTEP_UNARY(rintf, float, "cvt.rni.f32.f32", "f")
TILESTEP_UNARY(rint, double, "cvt.rni.f64.f64", "d")
TILESTEP_UNARY(nearbyintf, float, "cvt.rni.f32.f32", "f")
TILESTEP_UNARY(nearbyint, double, "cvt.rni.f64.f64", "d")
TILESTEP_UNARY(__saturatef, float, "cvt.sat.f32.f32", "f")
TILESTEP_UNARY(exp2f, float, "ex2.approx.f32", "f")
TILESTEP_UNARY(__sinf, float, "sin.approx.f32", "f")
TILESTEP_UNARY(__cosf, float, "cos.approx.f32", "f")
TILESTEP_UNARY(__log2f, float, "lg2.approx.f32", "f")
TILESTEP_BINARY(__fadd_rn, float, "add.rn.f32", "f")
TILESTEP_BINARY(__fsub_rn, float, "sub.rn.f32", "f")
TILESTEP_BINARY(__fmul_rn, float, "mul.rn.f32", "f")
TILESTEP_BINARY(__fdiv_rn, float, "div.rn.f32", "f")
TILESTEP_BINARY(__fdividef, float, "div.approx.f32", "f")
TILESTEP_BINARY(__dadd_rn, double, "add.rn.f64", "d")
TILESTEP_BINARY(__dsub_rn, double, "sub.rn.f64", "d")
TILESTEP_BINARY(__dmul_rn, double, "mul.rn.f64", "d")
TILESTEP_BINARY(__mulhi, int, "mul.hi.s32", "r")
TILESTEP_BINARY(__umulhi, unsigned int, "mul.hi.u32", "r")

#undef TILESTEP_UNARY
#undef TILESTEP_BINARY

TILESTEP_PURE float fabsf(float a) {
  return __builtin_fabsf(a);
}
TILESTEP_PURE double fabs(double a) {
  return __builtin_fabs(a);
}
TILESTEP_PURE float fminf(float a, float b) {
  return __builtin_fminf(a, b);
}
TILESTEP_PURE float fmaxf(float a, float b) {
  return __builtin_fmaxf(a, b);
}
TILESTEP_PURE double fmin(double a, double b) {
  return __builtin_fmin(a, b);
}
TILESTEP_PURE double fmax(double a, double b) {
  return __builtin_fmax(a, b);
}
TILESTEP_PURE float floorf(float a) {
  return __builtin_floorf(a);
}
TILESTEP_PURE double floor(double a) {
  return __builtin_floor(a);
}
TILESTEP_PURE float ceilf(float a) {
  return __builtin_ceilf(a);
}
TILESTEP_PURE double ceil(double a) {
  return __builtin_ceil(a);
}
TILESTEP_PURE float truncf(float a) {
  return __builtin_truncf(a);
}
TILESTEP_PURE double trunc(double a) {
  return __builtin_trunc(a);
}
TILESTEP_PURE float fmaf(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
TILESTEP_PURE double fma(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
TILESTEP_PURE float __fmaf_rn(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}
TILESTEP_PURE double __fma_rn(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}
TILESTEP_PURE float copysignf(float a, float b) {
  return __builtin_copysignf(a, b);
}
TILESTEP_PURE double copysign(double a, double b) {
  return __builtin_copysign(a, b);
}
TILESTEP_PURE float __expf(float a) {
  return exp2f(__fmul_rn(a, 1.4426950408889634f));
}
TILESTEP_PURE float __logf(float a) {
  return __fmul_rn(__log2f(a), 0.69314718055994531f);
}
TILESTEP_PURE float __powf(float a, float b) {
  return exp2f(__fmul_rn(b, __log2f(a)));
}

#define TILESTEP_MINMAX(type)              \
  TILESTEP_PURE type min(type a, type b) { \
    return b < a ? b : a;                  \
  }                                        \
  TILESTEP_PURE type max(type a, type b) { \
    return a < b ? b : a;                  \
  }
TILESTEP_MINMAX(int)
TILESTEP_MINMAX(unsigned int)
TILESTEP_MINMAX(long)
TILESTEP_MINMAX(unsigned long)
TILESTEP_MINMAX(long long)
TILESTEP_MINMAX(unsigned long long)
#undef TILESTEP_MINMAX
TILESTEP_PURE float min(float a, float b) {
  return __builtin_fminf(a, b);
}
TILESTEP_PURE float max(float a, float b) {
  return __builtin_fmaxf(a, b);
}
TILESTEP_PURE double min(double a, double b) {
  return __builtin_fmin(a, b);
}
TILESTEP_PURE double max(double a, double b) {
  return __builtin_fmax(a, b);
}
TILESTEP_PURE int abs(int a) {
  return a < 0 ? -a : a;
}
TILESTEP_PURE long long llabs(long long a) {
  return a < 0 ? -a : a;
}

TILESTEP_PURE int __popc(unsigned int a) {
  return __builtin_popcount(a);
}
TILESTEP_PURE int __popcll(unsigned long long a) {
  return __builtin_popcountll(a);
}
TILESTEP_PURE int __clz(int a) {
  return a ? __builtin_clz((unsigned int)a) : 32;
}
TILESTEP_PURE int __clzll(long long a) {
  return a ? __builtin_clzll((unsigned long long)a) : 64;
}
TILESTEP_PURE int __ffs(int a) {
  return __builtin_ffs(a);
}
TILESTEP_PURE int __ffsll(long long a) {
  return __builtin_ffsll(a);
}
TILESTEP_PURE unsigned int __brev(unsigned int a) {
  return __builtin_bitreverse32(a);
}
TILESTEP_PURE int __float_as_int(float a) {
  return __builtin_bit_cast(int, a);
}
TILESTEP_PURE float __int_as_float(int a) {
  return __builtin_bit_cast(float, a);
}
TILESTEP_PURE unsigned int __float_as_uint(float a) {
  return __builtin_bit_cast(unsigned int, a);
}
TILESTEP_PURE float __uint_as_float(unsigned int a) {
  return __builtin_bit_cast(float, a);
}
TILESTEP_PURE long long __double_as_longlong(double a) {
  return __builtin_bit_cast(long long, a);
}
TILESTEP_PURE double __longlong_as_double(long long a) {
  return __builtin_bit_cast(double, a);
}
TILESTEP_PURE int __mul24(int a, int b) {
  return ((a << 8) >> 8) * ((b << 8) >> 8);
}
TILESTEP_PURE bool isnan(float a) {
  return __builtin_isnan(a);
}
TILESTEP_PURE bool isnan(double a) {
  return __builtin_isnan(a);
}
TILESTEP_PURE bool isinf(float a) {
  return __builtin_isinf(a);
}
TILESTEP_PURE bool isinf(double a) {
  return __builtin_isinf(a);
}
