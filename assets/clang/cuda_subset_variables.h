// SPDX-License-Identifier: Apache-2.0
// threadIdx, blockIdx, blockDim and gridDim. Each member is a property that reads the special
// register; there is no object behind the names.
#pragma once

#include "cuda_subset_dim3.h"

#define TILESTEP_MEMBER(member, value)                          \
  __declspec(property(get = get_##member)) unsigned int member; \
  TILESTEP_INLINE unsigned int get_##member() {                 \
    return value;                                               \
  }

#define TILESTEP_VARIABLE(name, builtin)                                     \
  struct tilestep_##name {                                                   \
    TILESTEP_MEMBER(x, builtin##_x())                                        \
    TILESTEP_MEMBER(y, builtin##_y())                                        \
    TILESTEP_MEMBER(z, builtin##_z())                                        \
    __attribute__((device, always_inline, nodebug)) operator uint3() const { \
      return uint3{get_x(), get_y(), get_z()};                               \
    }                                                                        \
    __attribute__((device, always_inline, nodebug)) operator dim3() const {  \
      return dim3(get_x(), get_y(), get_z());                                \
    }                                                                        \
  };                                                                         \
  extern const __attribute__((device, weak)) tilestep_##name name;

TILESTEP_VARIABLE(threadIdx, __nvvm_read_ptx_sreg_tid)
TILESTEP_VARIABLE(blockIdx, __nvvm_read_ptx_sreg_ctaid)
TILESTEP_VARIABLE(blockDim, __nvvm_read_ptx_sreg_ntid)
TILESTEP_VARIABLE(gridDim, __nvvm_read_ptx_sreg_nctaid)

#undef TILESTEP_VARIABLE
#undef TILESTEP_MEMBER

static constexpr int warpSize = 32;
