// SPDX-License-Identifier: Apache-2.0
// float4 and its relatives, aligned as CUDA aligns them so that they load and store in one piece.
#pragma once

#include "cuda_subset_dim3.h"

// An assignment copies members, because its reference is known to be aligned. clang's own
// assignment assumes that `*(float4*)&tile[i]` is only as aligned as the array's elements, and
// loads them one by one.
#define TILESTEP_COPIES2(type)                                      \
  TILESTEP_BOTH_MEMBER type##2 & operator=(const type##2 & other) { \
    x = other.x, y = other.y;                                       \
    return *this;                                                   \
  }
#define TILESTEP_COPIES4(type)                                      \
  TILESTEP_BOTH_MEMBER type##4 & operator=(const type##4 & other) { \
    x = other.x, y = other.y, z = other.z, w = other.w;             \
    return *this;                                                   \
  }

#define TILESTEP_VECTOR1(type, element, bytes)      \
  struct __attribute__((aligned(bytes))) type##1 {  \
    element x;                                      \
  };                                                \
  TILESTEP_BOTH type##1 make_##type##1(element x) { \
    return {x};                                     \
  }

#define TILESTEP_VECTOR2(type, element, bytes, ...)            \
  struct __attribute__((aligned(bytes))) type##2 {             \
    element x, y;                                              \
    __VA_ARGS__                                                \
  };                                                           \
  TILESTEP_BOTH type##2 make_##type##2(element x, element y) { \
    return {x, y};                                             \
  }

#define TILESTEP_VECTOR3(type, element)                                   \
  struct type##3 {                                                        \
    element x, y, z;                                                      \
  };                                                                      \
  TILESTEP_BOTH type##3 make_##type##3(element x, element y, element z) { \
    return {x, y, z};                                                     \
  }

#define TILESTEP_VECTOR4(type, element, bytes, ...)                                  \
  struct __attribute__((aligned(bytes))) type##4 {                                   \
    element x, y, z, w;                                                              \
    __VA_ARGS__                                                                      \
  };                                                                                 \
  TILESTEP_BOTH type##4 make_##type##4(element x, element y, element z, element w) { \
    return {x, y, z, w};                                                             \
  }

#define TILESTEP_NARROW_VECTORS(type, element, bytes) \
  TILESTEP_VECTOR1(type, element, bytes)              \
  TILESTEP_VECTOR2(type, element, 2 * bytes)          \
  TILESTEP_VECTOR4(type, element, 4 * bytes)
#define TILESTEP_VECTORS(type, element, bytes)                       \
  TILESTEP_VECTOR1(type, element, bytes)                             \
  TILESTEP_VECTOR2(type, element, 2 * bytes, TILESTEP_COPIES2(type)) \
  TILESTEP_VECTOR4(type, element, 16, TILESTEP_COPIES4(type))

TILESTEP_NARROW_VECTORS(char, signed char, 1)
TILESTEP_NARROW_VECTORS(uchar, unsigned char, 1)
TILESTEP_NARROW_VECTORS(short, short, 2)
TILESTEP_NARROW_VECTORS(ushort, unsigned short, 2)
TILESTEP_VECTORS(int, int, 4)
TILESTEP_VECTORS(uint, unsigned int, 4)
TILESTEP_VECTORS(long, long, 8)
TILESTEP_VECTORS(ulong, unsigned long, 8)
TILESTEP_VECTORS(longlong, long long, 8)
TILESTEP_VECTORS(ulonglong, unsigned long long, 8)
TILESTEP_VECTORS(float, float, 4)
TILESTEP_VECTORS(double, double, 8)
TILESTEP_VECTOR3(char, signed char)
TILESTEP_VECTOR3(uchar, unsigned char)
TILESTEP_VECTOR3(short, short)
TILESTEP_VECTOR3(ushort, unsigned short)
TILESTEP_VECTOR3(int, int)
TILESTEP_VECTOR3(long, long)
TILESTEP_VECTOR3(ulong, unsigned long)
TILESTEP_VECTOR3(longlong, long long)
TILESTEP_VECTOR3(ulonglong, unsigned long long)
TILESTEP_VECTOR3(float, float)
TILESTEP_VECTOR3(double, double)
TILESTEP_BOTH uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
  return {x, y, z};
}

#undef TILESTEP_COPIES2
#undef TILESTEP_COPIES4
#undef TILESTEP_NARROW_VECTORS
#undef TILESTEP_VECTORS
#undef TILESTEP_VECTOR1
#undef TILESTEP_VECTOR2
#undef TILESTEP_VECTOR3
#undef TILESTEP_VECTOR4
