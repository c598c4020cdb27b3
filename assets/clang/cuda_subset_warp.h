// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, shuffles and votes.
#pragma once

#include "cuda_subset_math.h"

// clang's own __syncthreads, up to clang 14 at least, is a call that changes no static variable of
// the file: a shared scalar then stays in a register across the barrier. Assembly may change any.
TILESTEP_INLINE void tilestep_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() tilestep_syncthreads()

TILESTEP_INLINE void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
TILESTEP_INLINE void __threadfence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
TILESTEP_INLINE void __threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}
TILESTEP_INLINE void __threadfence_system() {
  asm volatile("membar.sys;" ::: "memory");
}

// Where a pointer to a shared variable points in the block's shared memory, as cp.async wants it.
TILESTEP_INLINE size_t __cvta_generic_to_shared(const void* pointer) {
  return (size_t)(__attribute__((address_space(3))) const char*)pointer;
}

TILESTEP_INLINE unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
  return mask;
}
TILESTEP_INLINE long long clock64() {
  long long ticks;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(ticks)::"memory");
  return ticks;
}
TILESTEP_INLINE int clock() {
  int ticks;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(ticks)::"memory");
  return ticks;
}

TILESTEP_INLINE int __all_sync(unsigned int mask, int p) {
  return __nvvm_vote_all_sync(mask, p);
}
TILESTEP_INLINE int __any_sync(unsigned int mask, int p) {
  return __nvvm_vote_any_sync(mask, p);
}
TILESTEP_INLINE unsigned int __ballot_sync(unsigned int mask, int p) {
  return __nvvm_vote_ballot_sync(mask, p);
}

// The last operand of shfl: the segment of `width` lanes, and the lane to clamp to.
#define TILESTEP_SHUFFLE(name, builtin, clampLane, laneType)                                      \
  TILESTEP_INLINE int name(unsigned int mask, int v, laneType lane, int width = 32) {             \
    return builtin(mask, v, (int)lane, ((32 - width) << 8) | clampLane);                          \
  }                                                                                               \
  TILESTEP_INLINE unsigned int name(unsigned int mask, unsigned int v, laneType lane,             \
                                    int width = 32) {                                             \
    return (unsigned int)name(mask, (int)v, lane, width);                                         \
  }                                                                                               \
  TILESTEP_INLINE float name(unsigned int mask, float v, laneType lane, int width = 32) {         \
    return __int_as_float(name(mask, __float_as_int(v), lane, width));                            \
  }                                                                                               \
  TILESTEP_INLINE long long name(unsigned int mask, long long v, laneType lane, int width = 32) { \
    const int low = name(mask, (int)v, lane, width);                                              \
    const int high = name(mask, (int)(v >> 32), lane, width);                                     \
    return ((long long)high << 32) | (unsigned int)low;                                           \
  }                                                                                               \
  TILESTEP_INLINE double name(unsigned int mask, double v, laneType lane, int width = 32) {       \
    return __longlong_as_double(name(mask, __double_as_longlong(v), lane, width));                \
  }
TILESTEP_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 31, int)
TILESTEP_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned int)
TILESTEP_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 31, unsigned int)
TILESTEP_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 31, int)
#undef TILESTEP_SHUFFLE

template <class T>
TILESTEP_INLINE T __ldg(const T* from) {
  return *from;
}
