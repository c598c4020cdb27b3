// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, shuffles, votes, matches and reductions of a warp.
#pragma once

#include "cuda_subset_convert.h"

// clang's own __syncthreads, up to clang 14 at least, is a call that changes no static variable of
// the file: a shared scalar then stays in a register across the barrier. Assembly may change any.
// Its line keeps clang from making one of two, in both branches of an `if`.
template <int line>
TILESTEP_INLINE void tilestep_syncthreads() {
  asm volatile("bar.sync 0; // %0" ::"n"(line) : "memory");
}
#define __syncthreads() tilestep_syncthreads<__LINE__>()

// Barriers that count the threads whose predicate holds, or ask whether it holds for all or any.
TILESTEP_INLINE int __syncthreads_count(int p) {
  return __nvvm_bar0_popc(p);
}
TILESTEP_INLINE int __syncthreads_and(int p) {
  return __nvvm_bar0_and(p);
}
TILESTEP_INLINE int __syncthreads_or(int p) {
  return __nvvm_bar0_or(p);
}

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

// The address of a shared variable in the block's shared memory, as cp.async requires it.
TILESTEP_INLINE size_t __cvta_generic_to_shared(const void* pointer) {
  return (size_t)(__attribute__((address_space(3))) const char*)pointer;
}
TILESTEP_INLINE void* __cvta_shared_to_generic(size_t offset) {
  return (void*)(__attribute__((address_space(3))) char*)offset;
}
TILESTEP_INLINE size_t __cvta_generic_to_global(const void* pointer) {
  return (size_t)(__attribute__((address_space(1))) const char*)pointer;
}
TILESTEP_INLINE void* __cvta_global_to_generic(size_t address) {
  return (void*)(__attribute__((address_space(1))) char*)address;
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
TILESTEP_INLINE void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}
TILESTEP_INLINE unsigned int __lane_id() {
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
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
  TILESTEP_INLINE unsigned long long name(unsigned int mask, unsigned long long v, laneType lane, \
                                          int width = 32) {                                       \
    return (unsigned long long)name(mask, (long long)v, lane, width);                             \
  }                                                                                               \
  TILESTEP_INLINE long name(unsigned int mask, long v, laneType lane, int width = 32) {           \
    return (long)name(mask, (long long)v, lane, width);                                           \
  }                                                                                               \
  TILESTEP_INLINE unsigned long name(unsigned int mask, unsigned long v, laneType lane,           \
                                     int width = 32) {                                            \
    return (unsigned long)name(mask, (long long)v, lane, width);                                  \
  }                                                                                               \
  TILESTEP_INLINE double name(unsigned int mask, double v, laneType lane, int width = 32) {       \
    return __longlong_as_double(name(mask, __double_as_longlong(v), lane, width));                \
  }
TILESTEP_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, 31, int)
TILESTEP_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, 0, unsigned int)
TILESTEP_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, 31, unsigned int)
TILESTEP_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, 31, int)
#undef TILESTEP_SHUFFLE

// Which lanes hold the same value, and whether all of them do. In assembly, because clang 14 writes
// a 64-bit match that no assembler accepts.
#define TILESTEP_MATCH(type, ptx, constraint)                                          \
  TILESTEP_INLINE unsigned int __match_any_sync(unsigned int mask, type v) {           \
    unsigned int lanes;                                                                \
    asm volatile("match.any.sync." ptx " %0, %1, %2;"                                  \
                 : "=r"(lanes)                                                         \
                 : constraint(v), "r"(mask)                                            \
                 : "memory");                                                          \
    return lanes;                                                                      \
  }                                                                                    \
  TILESTEP_INLINE unsigned int __match_all_sync(unsigned int mask, type v, int* all) { \
    unsigned int lanes;                                                                \
    int holds;                                                                         \
    asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync." ptx                           \
                 " %0|p, %2, %3;\n\tselp.s32 %1, 1, 0, p;\n\t}"                        \
                 : "=r"(lanes), "=r"(holds)                                            \
                 : constraint(v), "r"(mask)                                            \
                 : "memory");                                                          \
    *all = holds;                                                                      \
    return lanes;                                                                      \
  }
TILESTEP_MATCH(int, "b32", "r")
TILESTEP_MATCH(unsigned int, "b32", "r")
TILESTEP_MATCH(long, "b64", "l")
TILESTEP_MATCH(unsigned long, "b64", "l")
TILESTEP_MATCH(long long, "b64", "l")
TILESTEP_MATCH(unsigned long long, "b64", "l")
TILESTEP_MATCH(float, "b32", "f")
TILESTEP_MATCH(double, "b64", "d")
#undef TILESTEP_MATCH

// A warp's sum, minimum, … of whole numbers is one instruction from compute capability 8.0 on.
#if __CUDA_ARCH__ >= 800
#define TILESTEP_REDUCE(name, type, ptx)                                                     \
  TILESTEP_INLINE type name(unsigned int mask, type v) {                                     \
    type d;                                                                                  \
    asm volatile("redux.sync." ptx " %0, %1, %2;" : "=r"(d) : "r"(v), "r"(mask) : "memory"); \
    return d;                                                                                \
  }
#else
#define TILESTEP_REDUCE(name, type, ptx)                                                         \
  __attribute__((device, unavailable(#name " needs arch = \"compute_80\" or later"))) type name( \
      unsigned int, type);
#endif
TILESTEP_REDUCE(__reduce_add_sync, int, "add.s32")
TILESTEP_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
TILESTEP_REDUCE(__reduce_min_sync, int, "min.s32")
TILESTEP_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
TILESTEP_REDUCE(__reduce_max_sync, int, "max.s32")
TILESTEP_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
TILESTEP_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
TILESTEP_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
TILESTEP_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef TILESTEP_REDUCE
