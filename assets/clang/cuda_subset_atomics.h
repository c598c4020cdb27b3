// SPDX-License-Identifier: Apache-2.0
// Atomic functions on global and shared memory (CUDA C++ Programming Guide, "Atomic Functions").
// Those that end in _block are atomic for the threads of the block, those in _system for the host's
// and other devices' as well.
#pragma once

#include "cuda_subset_convert.h"

// One function for each scope; `operation` is clang's name, `seenAs` the type that it works on.
#define TILESTEP_ATOMIC_IN(name, builtin, type, seenAs) \
  TILESTEP_INLINE type name(type* at, type value) {     \
    return (type)builtin((seenAs*)at, (seenAs)value);   \
  }
#define TILESTEP_ATOMIC(name, operation, type, seenAs)                                \
  TILESTEP_ATOMIC_IN(atomic##name, __nvvm_atom_##operation, type, seenAs)             \
  TILESTEP_ATOMIC_IN(atomic##name##_block, __nvvm_atom_cta_##operation, type, seenAs) \
  TILESTEP_ATOMIC_IN(atomic##name##_system, __nvvm_atom_sys_##operation, type, seenAs)

// Clang has one operation for signed and unsigned words.
#define TILESTEP_ATOMIC_WORDS(name, operation)                \
  TILESTEP_ATOMIC(name, operation##_gen_i, int, int)          \
  TILESTEP_ATOMIC(name, operation##_gen_i, unsigned int, int) \
  TILESTEP_ATOMIC(name, operation##_gen_ll, unsigned long long, long long)
// Clang has one operation for each.
#define TILESTEP_ATOMIC_EXTREMUM(name, operation)                       \
  TILESTEP_ATOMIC(name, operation##_gen_i, int, int)                    \
  TILESTEP_ATOMIC(name, operation##_gen_ui, unsigned int, unsigned int) \
  TILESTEP_ATOMIC(name, operation##_gen_ll, long long, long long)       \
  TILESTEP_ATOMIC(name, operation##_gen_ull, unsigned long long, unsigned long long)

TILESTEP_ATOMIC_WORDS(Add, add)
TILESTEP_ATOMIC(Add, add_gen_f, float, float)
TILESTEP_ATOMIC(Add, add_gen_d, double, double)
TILESTEP_ATOMIC_WORDS(Exch, xchg)
TILESTEP_ATOMIC_EXTREMUM(Min, min)
TILESTEP_ATOMIC_EXTREMUM(Max, max)
TILESTEP_ATOMIC_WORDS(And, and)
TILESTEP_ATOMIC(And, and_gen_ll, long long, long long)
TILESTEP_ATOMIC_WORDS(Or, or)
TILESTEP_ATOMIC(Or, or_gen_ll, long long, long long)
TILESTEP_ATOMIC_WORDS(Xor, xor)
TILESTEP_ATOMIC(Xor, xor_gen_ll, long long, long long)
TILESTEP_ATOMIC(Inc, inc_gen_ui, unsigned int, unsigned int)
TILESTEP_ATOMIC(Dec, dec_gen_ui, unsigned int, unsigned int)

#undef TILESTEP_ATOMIC_EXTREMUM
#undef TILESTEP_ATOMIC_WORDS
#undef TILESTEP_ATOMIC
#undef TILESTEP_ATOMIC_IN

#define TILESTEP_ATOMIC_OTHERS(scope, compareInt, compareLong)                                    \
  TILESTEP_INLINE int atomicSub##scope(int* at, int value) {                                      \
    return atomicAdd##scope(at, -value);                                                          \
  }                                                                                               \
  TILESTEP_INLINE unsigned int atomicSub##scope(unsigned int* at, unsigned int value) {           \
    return atomicAdd##scope(at, 0u - value);                                                      \
  }                                                                                               \
  TILESTEP_INLINE float atomicExch##scope(float* at, float value) {                               \
    return __int_as_float(atomicExch##scope((int*)at, __float_as_int(value)));                    \
  }                                                                                               \
  TILESTEP_INLINE int atomicCAS##scope(int* at, int compare, int value) {                         \
    return compareInt(at, compare, value);                                                        \
  }                                                                                               \
  TILESTEP_INLINE unsigned int atomicCAS##scope(unsigned int* at, unsigned int compare,           \
                                                unsigned int value) {                             \
    return (unsigned int)compareInt((int*)at, (int)compare, (int)value);                          \
  }                                                                                               \
  TILESTEP_INLINE unsigned long long atomicCAS##scope(                                            \
      unsigned long long* at, unsigned long long compare, unsigned long long value) {             \
    return (unsigned long long)compareLong((long long*)at, (long long)compare, (long long)value); \
  }
TILESTEP_ATOMIC_OTHERS(, __nvvm_atom_cas_gen_i, __nvvm_atom_cas_gen_ll)
TILESTEP_ATOMIC_OTHERS(_block, __nvvm_atom_cta_cas_gen_i, __nvvm_atom_cta_cas_gen_ll)
TILESTEP_ATOMIC_OTHERS(_system, __nvvm_atom_sys_cas_gen_i, __nvvm_atom_sys_cas_gen_ll)
#undef TILESTEP_ATOMIC_OTHERS
