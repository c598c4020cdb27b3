// SPDX-License-Identifier: Apache-2.0
// Combines the values of a tile's threads into one value that each of them gets.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

#define TILESTEP_REDUCTION(name, expression)                                       \
  template <class T>                                                               \
  struct name {                                                                    \
    __attribute__((device, always_inline, nodebug)) T operator()(T a, T b) const { \
      return expression;                                                           \
    }                                                                              \
  };
TILESTEP_REDUCTION(plus, a + b)
TILESTEP_REDUCTION(less, b < a ? b : a)
TILESTEP_REDUCTION(greater, a < b ? b : a)
TILESTEP_REDUCTION(bit_and, a& b)
TILESTEP_REDUCTION(bit_or, a | b)
TILESTEP_REDUCTION(bit_xor, a ^ b)
#undef TILESTEP_REDUCTION

template <unsigned int kSize, class Parent, class T, class Operation>
TILESTEP_INLINE T reduce(const thread_block_tile<kSize, Parent>& tile, T value,
                         Operation operation) {
#pragma unroll
  for (unsigned int lanes = kSize / 2; lanes > 0; lanes /= 2) {
    value = operation(value, tile.shfl_xor(value, lanes));
  }
  return value;
}

}  // namespace cooperative_groups
