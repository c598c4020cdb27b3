// SPDX-License-Identifier: Apache-2.0
// Conversions with a stated rounding (CUDA Math API, "Type Casting Intrinsics").
#pragma once

#include "cuda_subset_rounding.h"

#define TILESTEP_CONVERT(name, ptx, to, toConstraint, from, fromConstraint) \
  TILESTEP_PURE to name(from a) {                                           \
    to d;                                                                   \
    asm("cvt." ptx " %0, %1;" : "=" toConstraint(d) : fromConstraint(a));   \
    return d;                                                               \
  }

// From a floating-point type to an integer: the roundings of cvt end in "i".
#define TILESTEP_TO_INTEGER(mode, ptx, name, to, toType, toConstraint, from, fromType,  \
                            fromConstraint)                                             \
  TILESTEP_CONVERT(name##_##mode, ptx "i." toType "." fromType, to, toConstraint, from, \
                   fromConstraint)
#define TILESTEP_TO_INTEGERS(name, from, fromType, fromConstraint)                              \
  TILESTEP_EACH_ROUNDING(TILESTEP_TO_INTEGER, name##2int, int, "s32", "r", from, fromType,      \
                         fromConstraint)                                                        \
  TILESTEP_EACH_ROUNDING(TILESTEP_TO_INTEGER, name##2uint, unsigned int, "u32", "r", from,      \
                         fromType, fromConstraint)                                              \
  TILESTEP_EACH_ROUNDING(TILESTEP_TO_INTEGER, name##2ll, long long, "s64", "l", from, fromType, \
                         fromConstraint)                                                        \
  TILESTEP_EACH_ROUNDING(TILESTEP_TO_INTEGER, name##2ull, unsigned long long, "u64", "l", from, \
                         fromType, fromConstraint)
TILESTEP_TO_INTEGERS(__float, float, "f32", "f")
TILESTEP_TO_INTEGERS(__double, double, "f64", "d")

// To a floating type.
#define TILESTEP_TO_FLOATING(mode, ptx, name, to, toType, toConstraint, from, fromType, \
                             fromConstraint)                                            \
  TILESTEP_CONVERT(name##_##mode, ptx "." toType "." fromType, to, toConstraint, from,  \
                   fromConstraint)
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __int2float, float, "f32", "f", int, "s32", "r")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __uint2float, float, "f32", "f", unsigned int, "u32",
                       "r")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __ll2float, float, "f32", "f", long long, "s64", "l")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __ull2float, float, "f32", "f", unsigned long long,
                       "u64", "l")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __ll2double, double, "f64", "d", long long, "s64", "l")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __ull2double, double, "f64", "d", unsigned long long,
                       "u64", "l")
TILESTEP_EACH_ROUNDING(TILESTEP_TO_FLOATING, __double2float, float, "f32", "f", double, "f64", "d")
TILESTEP_CONVERT(__int2double_rn, "rn.f64.s32", double, "d", int, "r")
TILESTEP_CONVERT(__uint2double_rn, "rn.f64.u32", double, "d", unsigned int, "r")

#undef TILESTEP_CONVERT
#undef TILESTEP_TO_INTEGER
#undef TILESTEP_TO_INTEGERS
#undef TILESTEP_TO_FLOATING
#undef TILESTEP_EACH_ROUNDING

// The bits of one type read as another.
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
TILESTEP_PURE int __double2hiint(double a) {
  return (int)(__double_as_longlong(a) >> 32);
}
TILESTEP_PURE int __double2loint(double a) {
  return (int)__double_as_longlong(a);
}
TILESTEP_PURE double __hiloint2double(int high, int low) {
  return __longlong_as_double(((long long)high << 32) | (unsigned int)low);
}
