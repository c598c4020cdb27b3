// SPDX-License-Identifier: Apache-2.0
// Loads and stores of global memory with a cache hint (CUDA C++ Programming Guide, "Load Functions
// Using Cache Hints"). Those of __ldg may be moved, because the data they read never change.
#pragma once

#include "cuda_subset_vectors.h"

#define TILESTEP_GLOBAL(type, pointer) ((__attribute__((address_space(1))) type*)(pointer))

// `word` is the type of a register that holds an element: PTX has none of 8 bits.
#define TILESTEP_LOAD1(name, qualifiers, op, clobber, type, ptx, constraint, word) \
  TILESTEP_INLINE type name(const type* from) {                                    \
    word x;                                                                        \
    asm qualifiers("ld.global." op "." ptx " %0, [%1];"                            \
                   : "=" constraint(x)                                             \
                   : "l"(TILESTEP_GLOBAL(const type, from))clobber);               \
    return (type)x;                                                                \
  }
#define TILESTEP_LOAD2(name, qualifiers, op, clobber, type, ptx, constraint, word, element) \
  TILESTEP_INLINE type name(const type* from) {                                             \
    word x, y;                                                                              \
    asm qualifiers("ld.global." op ".v2." ptx " {%0, %1}, [%2];"                            \
                   : "=" constraint(x), "=" constraint(y)                                   \
                   : "l"(TILESTEP_GLOBAL(const type, from))clobber);                        \
    return {(element)x, (element)y};                                                        \
  }
#define TILESTEP_LOAD4(name, qualifiers, op, clobber, type, ptx, constraint, word, element)     \
  TILESTEP_INLINE type name(const type* from) {                                                 \
    word x, y, z, w;                                                                            \
    asm qualifiers("ld.global." op ".v4." ptx " {%0, %1, %2, %3}, [%4];"                        \
                   : "=" constraint(x), "=" constraint(y), "=" constraint(z), "=" constraint(w) \
                   : "l"(TILESTEP_GLOBAL(const type, from))clobber);                            \
    return {(element)x, (element)y, (element)z, (element)w};                                    \
  }

#define TILESTEP_STORE1(name, op, type, ptx, constraint, word)                          \
  TILESTEP_INLINE void name(type* to, type v) {                                         \
    asm volatile("st.global." op "." ptx " [%0], %1;" ::"l"(TILESTEP_GLOBAL(type, to)), \
                 constraint((word)v)                                                    \
                 : "memory");                                                           \
  }
#define TILESTEP_STORE2(name, op, type, ptx, constraint, word)                                   \
  TILESTEP_INLINE void name(type* to, type v) {                                                  \
    asm volatile("st.global." op ".v2." ptx " [%0], {%1, %2};" ::"l"(TILESTEP_GLOBAL(type, to)), \
                 constraint((word)v.x), constraint((word)v.y)                                    \
                 : "memory");                                                                    \
  }
#define TILESTEP_STORE4(name, op, type, ptx, constraint, word)                                     \
  TILESTEP_INLINE void name(type* to, type v) {                                                    \
    asm volatile(                                                                                  \
        "st.global." op ".v4." ptx " [%0], {%1, %2, %3, %4};" ::"l"(TILESTEP_GLOBAL(type, to)),    \
        constraint((word)v.x), constraint((word)v.y), constraint((word)v.z), constraint((word)v.w) \
        : "memory");                                                                               \
  }

// Every load and every store of one type.
#define TILESTEP_EACH_LOAD(load, ...)                                                            \
  load(__ldg, , "nc", , __VA_ARGS__) load(__ldca, volatile, "ca",                                \
                                          : "memory", __VA_ARGS__) load(__ldcg, volatile, "cg",  \
                                                                        : "memory", __VA_ARGS__) \
      load(__ldcs, volatile, "cs",                                                               \
           : "memory", __VA_ARGS__) load(__ldlu, volatile, "lu",                                 \
                                         : "memory", __VA_ARGS__) load(__ldcv, volatile, "cv",   \
                                                                       : "memory", __VA_ARGS__)
#define TILESTEP_EACH_STORE(store, ...)                             \
  store(__stwb, "wb", __VA_ARGS__) store(__stcg, "cg", __VA_ARGS__) \
      store(__stcs, "cs", __VA_ARGS__) store(__stwt, "wt", __VA_ARGS__)

#define TILESTEP_CACHED1(type, ptx, constraint, word)             \
  TILESTEP_EACH_LOAD(TILESTEP_LOAD1, type, ptx, constraint, word) \
  TILESTEP_EACH_STORE(TILESTEP_STORE1, type, ptx, constraint, word)
#define TILESTEP_CACHED2(type, ptx, constraint, word, element)             \
  TILESTEP_EACH_LOAD(TILESTEP_LOAD2, type, ptx, constraint, word, element) \
  TILESTEP_EACH_STORE(TILESTEP_STORE2, type, ptx, constraint, word)
#define TILESTEP_CACHED4(type, ptx, constraint, word, element)             \
  TILESTEP_EACH_LOAD(TILESTEP_LOAD4, type, ptx, constraint, word, element) \
  TILESTEP_EACH_STORE(TILESTEP_STORE4, type, ptx, constraint, word)

TILESTEP_CACHED1(char, "s8", "h", short)
TILESTEP_CACHED1(signed char, "s8", "h", short)
TILESTEP_CACHED1(unsigned char, "u8", "h", unsigned short)
TILESTEP_CACHED1(short, "s16", "h", short)
TILESTEP_CACHED1(unsigned short, "u16", "h", unsigned short)
TILESTEP_CACHED1(int, "s32", "r", int)
TILESTEP_CACHED1(unsigned int, "u32", "r", unsigned int)
TILESTEP_CACHED1(long, "s64", "l", long)
TILESTEP_CACHED1(unsigned long, "u64", "l", unsigned long)
TILESTEP_CACHED1(long long, "s64", "l", long long)
TILESTEP_CACHED1(unsigned long long, "u64", "l", unsigned long long)
TILESTEP_CACHED1(float, "f32", "f", float)
TILESTEP_CACHED1(double, "f64", "d", double)
TILESTEP_CACHED2(char2, "s8", "h", short, signed char)
TILESTEP_CACHED4(char4, "s8", "h", short, signed char)
TILESTEP_CACHED2(uchar2, "u8", "h", unsigned short, unsigned char)
TILESTEP_CACHED4(uchar4, "u8", "h", unsigned short, unsigned char)
TILESTEP_CACHED2(short2, "s16", "h", short, short)
TILESTEP_CACHED4(short4, "s16", "h", short, short)
TILESTEP_CACHED2(ushort2, "u16", "h", unsigned short, unsigned short)
TILESTEP_CACHED4(ushort4, "u16", "h", unsigned short, unsigned short)
TILESTEP_CACHED2(int2, "s32", "r", int, int)
TILESTEP_CACHED4(int4, "s32", "r", int, int)
TILESTEP_CACHED2(uint2, "u32", "r", unsigned int, unsigned int)
TILESTEP_CACHED4(uint4, "u32", "r", unsigned int, unsigned int)
TILESTEP_CACHED2(longlong2, "s64", "l", long long, long long)
TILESTEP_CACHED2(ulonglong2, "u64", "l", unsigned long long, unsigned long long)
TILESTEP_CACHED2(float2, "f32", "f", float, float)
TILESTEP_CACHED4(float4, "f32", "f", float, float)
TILESTEP_CACHED2(double2, "f64", "d", double, double)

#undef TILESTEP_CACHED1
#undef TILESTEP_CACHED2
#undef TILESTEP_CACHED4
#undef TILESTEP_EACH_LOAD
#undef TILESTEP_EACH_STORE
#undef TILESTEP_LOAD1
#undef TILESTEP_LOAD2
#undef TILESTEP_LOAD4
#undef TILESTEP_STORE1
#undef TILESTEP_STORE2
#undef TILESTEP_STORE4
#undef TILESTEP_GLOBAL
