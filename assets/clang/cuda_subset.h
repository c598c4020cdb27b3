// SPDX-License-Identifier: Apache-2.0
// What clang needs in order to compile CUDA C++ kernels without the CUDA Toolkit; included before
// every kernel. Functions are marked `nodebug`, so that their instructions keep the kernel's own
// source line.
#pragma once

// Macros by which kernels that are also shown in editors recognise a CUDA compiler.
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
// A keyword since clang 15, which the standard library's attributes also use as a name.
#if __clang_major__ < 15
#define __noinline__ __attribute__((noinline))
#endif
#define __align__(bytes) __attribute__((aligned(bytes)))

#define TILESTEP_INLINE static inline __attribute__((device, always_inline, nodebug))
#define TILESTEP_PURE TILESTEP_INLINE __attribute__((const))
// Also present in a whole program's host code (assets/runtime).
#define TILESTEP_BOTH_MEMBER __attribute__((host, device, always_inline, nodebug))
#define TILESTEP_BOTH static inline TILESTEP_BOTH_MEMBER

typedef __SIZE_TYPE__ size_t;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;

#include "cuda_subset_angles.h"
#include "cuda_subset_arcs.h"
#include "cuda_subset_atomics.h"
#include "cuda_subset_cached.h"
#include "cuda_subset_calls.h"
#include "cuda_subset_convert.h"
#include "cuda_subset_erf.h"
#include "cuda_subset_erf_inverse.h"
#include "cuda_subset_exact.h"
#include "cuda_subset_exp.h"
#include "cuda_subset_gamma.h"
#include "cuda_subset_hyperbolic.h"
#include "cuda_subset_integers.h"
#include "cuda_subset_log.h"
#include "cuda_subset_math.h"
#include "cuda_subset_pairs.h"
#include "cuda_subset_power.h"
#include "cuda_subset_roots.h"
#include "cuda_subset_rounding.h"
#include "cuda_subset_simd.h"
#include "cuda_subset_trig.h"
#include "cuda_subset_variables.h"
#include "cuda_subset_vectors.h"
#include "cuda_subset_warp.h"
