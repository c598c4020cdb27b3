// SPDX-License-Identifier: Apache-2.0
// Whole numbers and their bits (CUDA Math API, "Integer Intrinsics").
#pragma once

#define TILESTEP_INTEGER2(name, type, text, constraint)                          \
  TILESTEP_PURE type name(type a, type b) {                                      \
    type d;                                                                      \
    asm(text " %0, %1, %2;" : "=" constraint(d) : constraint(a), constraint(b)); \
    return d;                                                                    \
  }
#define TILESTEP_INTEGER3(name, type, text, typeA, typeB, typeC)     \
  TILESTEP_PURE type name(typeA a, typeB b, typeC c) {               \
    type d;                                                          \
    asm(text " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c)); \
    return d;                                                        \
  }

TILESTEP_INTEGER2(__mulhi, int, "mul.hi.s32", "r")
TILESTEP_INTEGER2(__umulhi, unsigned int, "mul.hi.u32", "r")
TILESTEP_INTEGER2(__mul64hi, long long, "mul.hi.s64", "l")
TILESTEP_INTEGER2(__umul64hi, unsigned long long, "mul.hi.u64", "l")
// |a - b| + c
TILESTEP_INTEGER3(__sad, unsigned int, "sad.s32", int, int, unsigned int)
TILESTEP_INTEGER3(__usad, unsigned int, "sad.u32", unsigned int, unsigned int, unsigned int)
// The upper or lower word of the two words b:a after a shift by c modulo 32, or by at most 32.
TILESTEP_INTEGER3(__funnelshift_l, unsigned int, "shf.l.wrap.b32", unsigned int, unsigned int,
                  unsigned int)
TILESTEP_INTEGER3(__funnelshift_r, unsigned int, "shf.r.wrap.b32", unsigned int, unsigned int,
                  unsigned int)
TILESTEP_INTEGER3(__funnelshift_lc, unsigned int, "shf.l.clamp.b32", unsigned int, unsigned int,
                  unsigned int)
TILESTEP_INTEGER3(__funnelshift_rc, unsigned int, "shf.r.clamp.b32", unsigned int, unsigned int,
                  unsigned int)
// c plus the products of four bytes, or of two halves of a word with two bytes.
TILESTEP_INTEGER3(__dp4a, int, "dp4a.s32.s32", int, int, int)
TILESTEP_INTEGER3(__dp4a, unsigned int, "dp4a.u32.u32", unsigned int, unsigned int, unsigned int)
TILESTEP_INTEGER3(__dp2a_lo, int, "dp2a.lo.s32.s32", int, int, int)
TILESTEP_INTEGER3(__dp2a_lo, unsigned int, "dp2a.lo.u32.u32", unsigned int, unsigned int,
                  unsigned int)
TILESTEP_INTEGER3(__dp2a_hi, int, "dp2a.hi.s32.s32", int, int, int)
TILESTEP_INTEGER3(__dp2a_hi, unsigned int, "dp2a.hi.u32.u32", unsigned int, unsigned int,
                  unsigned int)

// CUDA's function uses three bits of each part of the selector, the instruction four.
TILESTEP_PURE unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  unsigned int d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(selector & 0x7777u));
  return d;
}

#undef TILESTEP_INTEGER2
#undef TILESTEP_INTEGER3

TILESTEP_PURE int __mul24(int a, int b) {
  const int low24OfA = (int)((unsigned int)a << 8) >> 8,
            low24OfB = (int)((unsigned int)b << 8) >> 8;
  return (int)((unsigned int)low24OfA * (unsigned int)low24OfB);
}
TILESTEP_PURE unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
// The mean of two numbers without overflow, rounded down, or up for __rhadd.
TILESTEP_PURE int __hadd(int a, int b) {
  return (a & b) + ((a ^ b) >> 1);
}
TILESTEP_PURE unsigned int __uhadd(unsigned int a, unsigned int b) {
  return (a & b) + ((a ^ b) >> 1);
}
TILESTEP_PURE int __rhadd(int a, int b) {
  return (a | b) - ((a ^ b) >> 1);
}
TILESTEP_PURE unsigned int __urhadd(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1);
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
TILESTEP_PURE unsigned long long __brevll(unsigned long long a) {
  return __builtin_bitreverse64(a);
}

#define TILESTEP_MINMAX(type)              \
  TILESTEP_BOTH type min(type a, type b) { \
    return b < a ? b : a;                  \
  }                                        \
  TILESTEP_BOTH type max(type a, type b) { \
    return a < b ? b : a;                  \
  }
TILESTEP_MINMAX(int)
TILESTEP_MINMAX(unsigned int)
TILESTEP_MINMAX(long)
TILESTEP_MINMAX(unsigned long)
TILESTEP_MINMAX(long long)
TILESTEP_MINMAX(unsigned long long)
#undef TILESTEP_MINMAX

// One signed and one unsigned: both count as unsigned, as in C++ comparisons.
#define TILESTEP_MINMAX_MIXED(type)                          \
  TILESTEP_BOTH unsigned type min(type a, unsigned type b) { \
    return min((unsigned type)a, b);                         \
  }                                                          \
  TILESTEP_BOTH unsigned type min(unsigned type a, type b) { \
    return min(a, (unsigned type)b);                         \
  }                                                          \
  TILESTEP_BOTH unsigned type max(type a, unsigned type b) { \
    return max((unsigned type)a, b);                         \
  }                                                          \
  TILESTEP_BOTH unsigned type max(unsigned type a, type b) { \
    return max(a, (unsigned type)b);                         \
  }
TILESTEP_MINMAX_MIXED(int)
TILESTEP_MINMAX_MIXED(long)
TILESTEP_MINMAX_MIXED(long long)
#undef TILESTEP_MINMAX_MIXED

TILESTEP_PURE int abs(int a) {
  return a < 0 ? -a : a;
}
TILESTEP_PURE long labs(long a) {
  return a < 0 ? -a : a;
}
TILESTEP_PURE long long llabs(long long a) {
  return a < 0 ? -a : a;
}
TILESTEP_PURE long abs(long a) {
  return labs(a);
}
TILESTEP_PURE long long abs(long long a) {
  return llabs(a);
}
