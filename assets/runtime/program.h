// SPDX-License-Identifier: Apache-2.0
// Clang includes this file before each file of a whole program. It declares the device's functions,
// in addition to the real standard library for the host, and the CUDA runtime.
#pragma once

#define TILESTEP_PROGRAM 1

#include "../clang/cuda_subset.h"

// Host code uses a __managed__ variable directly: the device's memory is mapped over its pages
// (__cudaRegisterVar).
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, aligned(4096), section("tilestep_managed")))
#endif

// Adds the device's functions to std. <cmath>, which follows, adds the host's functions.
namespace std {
using ::abs;
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::ceil;
using ::copysign;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fabs;
using ::fdim;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::ldexp;
using ::lgamma;
using ::llrint;
using ::llround;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nearbyint;
using ::nextafter;
using ::pow;
using ::remainder;
using ::rint;
using ::round;
using ::scalbn;
using ::sin;
using ::sinh;
using ::sqrt;
using ::tan;
using ::tanh;
using ::tgamma;
using ::trunc;
}  // namespace std

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "include/cuda_runtime.h"

__attribute__((host, device)) inline unsigned int umin(unsigned int a, unsigned int b) {
  return a < b ? a : b;
}
__attribute__((host, device)) inline unsigned int umax(unsigned int a, unsigned int b) {
  return a > b ? a : b;
}
__attribute__((host, device)) inline long long llmin(long long a, long long b) {
  return a < b ? a : b;
}
__attribute__((host, device)) inline long long llmax(long long a, long long b) {
  return a > b ? a : b;
}
__attribute__((host, device)) inline unsigned long long ullmin(unsigned long long a,
                                                               unsigned long long b) {
  return a < b ? a : b;
}
__attribute__((host, device)) inline unsigned long long ullmax(unsigned long long a,
                                                               unsigned long long b) {
  return a > b ? a : b;
}

extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                    void* stream = 0);
