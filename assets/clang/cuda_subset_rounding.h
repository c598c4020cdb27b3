// SPDX-License-Identifier: Apache-2.0
// Arithmetic with a stated rounding (CUDA Math API, "Single Precision Intrinsics" and "Double
// Precision Intrinsics"). The suffixes of CUDA's names are those of PTX, but for _ru (.rp, towards
// plus infinity) and _rd (.rm, towards minus infinity).
#pragma once

#define TILESTEP_EACH_ROUNDING(define, ...)                                                 \
  define(rn, "rn", __VA_ARGS__) define(rz, "rz", __VA_ARGS__) define(ru, "rp", __VA_ARGS__) \
      define(rd, "rm", __VA_ARGS__)

#define TILESTEP_ROUNDED1(mode, ptx, name, root, type, suffix, constraint)       \
  TILESTEP_PURE type name##_##mode(type a) {                                     \
    type d;                                                                      \
    asm(root "." ptx "." suffix " %0, %1;" : "=" constraint(d) : constraint(a)); \
    return d;                                                                    \
  }
#define TILESTEP_ROUNDED2(mode, ptx, name, root, type, suffix, constraint) \
  TILESTEP_PURE type name##_##mode(type a, type b) {                       \
    type d;                                                                \
    asm(root "." ptx "." suffix " %0, %1, %2;"                             \
        : "=" constraint(d)                                                \
        : constraint(a), constraint(b));                                   \
    return d;                                                              \
  }
#define TILESTEP_ROUNDED3(mode, ptx, name, root, type, suffix, constraint) \
  TILESTEP_PURE type name##_##mode(type a, type b, type c) {               \
    type d;                                                                \
    asm(root "." ptx "." suffix " %0, %1, %2, %3;"                         \
        : "=" constraint(d)                                                \
        : constraint(a), constraint(b), constraint(c));                    \
    return d;                                                              \
  }

TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __fadd, "add", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __fsub, "sub", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __fmul, "mul", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __fdiv, "div", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED1, __fsqrt, "sqrt", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED1, __frcp, "rcp", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED3, __fmaf, "fma", float, "f32", "f")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __dadd, "add", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __dsub, "sub", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __dmul, "mul", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED2, __ddiv, "div", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED1, __dsqrt, "sqrt", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED1, __drcp, "rcp", double, "f64", "d")
TILESTEP_EACH_ROUNDING(TILESTEP_ROUNDED3, __fma, "fma", double, "f64", "d")

#undef TILESTEP_ROUNDED1
#undef TILESTEP_ROUNDED2
#undef TILESTEP_ROUNDED3
