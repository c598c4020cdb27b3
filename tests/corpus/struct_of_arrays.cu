/*---
# SPDX-License-Identifier: Apache-2.0
title = "A structure of arrays"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
extent = "3 * n"
direction = "inout"

[[operand]]
name = "v"
extent = "3 * n"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Lanes are next to one another in each of the arrays.
__global__ void struct_of_arrays(float* x, const float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) x[axis * n + i] += 0.1f * v[axis * n + i];
}
