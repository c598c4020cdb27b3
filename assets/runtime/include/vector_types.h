// SPDX-License-Identifier: Apache-2.0
// dim3, and vector types such as float4. Host-only files also get them by including the runtime.
#pragma once

#ifndef __CUDA__
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __forceinline__ inline __attribute__((always_inline))
#define TILESTEP_BOTH_MEMBER
#define TILESTEP_BOTH static inline
#include "../../clang/cuda_subset_dim3.h"
#include "../../clang/cuda_subset_vectors.h"
#endif
