// SPDX-License-Identifier: Apache-2.0
// Atomic functions on global and shared memory (CUDA C++ Programming Guide, "Atomic Functions").
#pragma once

#include "cuda_subset_math.h"

#define TILESTEP_ATOMIC(name, builtin, type, seenAs)  \
  TILESTEP_INLINE type name(type* at, type value) {   \
    return (type)builtin((seenAs*)at, (seenAs)value); \
  }
TILESTEP_ATOMIC(atomicAdd, __nvvm_atom_add_gen_i, int, int)
TILESTEP_ATOMIC(atomicAdd, __nvvm_atom_add_gen_i, unsigned int, int)
TILESTEP_ATOMIC(atomicAdd, __nvvm_atom_add_gen_ll, unsigned long long, long long)
TILESTEP_ATOMIC(atomicAdd, __nvvm_atom_add_gen_f, float, float)
TILESTEP_ATOMIC(atomicExch, __nvvm_atom_xchg_gen_i, int, int)
TILESTEP_ATOMIC(atomicExch, __nvvm_atom_xchg_gen_i, unsigned int, int)
TILESTEP_ATOMIC(atomicExch, __nvvm_atom_xchg_gen_ll, unsigned long long, long long)
TILESTEP_ATOMIC(atomicMin, __nvvm_atom_min_gen_i, int, int)
TILESTEP_ATOMIC(atomicMin, __nvvm_atom_min_gen_ui, unsigned int, unsigned int)
TILESTEP_ATOMIC(atomicMax, __nvvm_atom_max_gen_i, int, int)
TILESTEP_ATOMIC(atomicMax, __nvvm_atom_max_gen_ui, unsigned int, unsigned int)
TILESTEP_ATOMIC(atomicAnd, __nvvm_atom_and_gen_i, int, int)
TILESTEP_ATOMIC(atomicAnd, __nvvm_atom_and_gen_i, unsigned int, int)
TILESTEP_ATOMIC(atomicOr, __nvvm_atom_or_gen_i, int, int)
TILESTEP_ATOMIC(atomicOr, __nvvm_atom_or_gen_i, unsigned int, int)
TILESTEP_ATOMIC(atomicXor, __nvvm_atom_xor_gen_i, int, int)
TILESTEP_ATOMIC(atomicXor, __nvvm_atom_xor_gen_i, unsigned int, int)
TILESTEP_ATOMIC(atomicInc, __nvvm_atom_inc_gen_ui, unsigned int, unsigned int)
TILESTEP_ATOMIC(atomicDec, __nvvm_atom_dec_gen_ui, unsigned int, unsigned int)
#undef TILESTEP_ATOMIC

TILESTEP_INLINE int atomicSub(int* at, int value) {
  return atomicAdd(at, -value);
}
TILESTEP_INLINE unsigned int atomicSub(unsigned int* at, unsigned int value) {
  return atomicAdd(at, 0u - value);
}
TILESTEP_INLINE float atomicExch(float* at, float value) {
  return __int_as_float(atomicExch((int*)at, __float_as_int(value)));
}
TILESTEP_INLINE int atomicCAS(int* at, int compare, int value) {
  return __nvvm_atom_cas_gen_i(at, compare, value);
}
TILESTEP_INLINE unsigned int atomicCAS(unsigned int* at, unsigned int compare, unsigned int value) {
  return (unsigned int)__nvvm_atom_cas_gen_i((int*)at, (int)compare, (int)value);
}
TILESTEP_INLINE unsigned long long atomicCAS(unsigned long long* at, unsigned long long compare,
                                             unsigned long long value) {
  return (unsigned long long)__nvvm_atom_cas_gen_ll((long long*)at, (long long)compare,
                                                    (long long)value);
}
