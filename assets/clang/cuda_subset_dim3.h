// SPDX-License-Identifier: Apache-2.0
// The size of a grid or a block, and an index in it.
#pragma once

struct uint3 {
  unsigned int x, y, z;
};

struct dim3 {
  unsigned int x, y, z;
  TILESTEP_BOTH_MEMBER constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  TILESTEP_BOTH_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
