/*---
# SPDX-License-Identifier: Apache-2.0
title = "a x + y with a grid-stride loop"
sizes = { n = 1000 }

[launch]
block = [64]
grid = [3]

[[operand]]
name = "x"
extent = "n"

[[operand]]
name = "y"
extent = "n"
direction = "inout"

[[operand]]
name = "a"
kind = "scalar"
type = "f32"
value = "3"

[[operand]]
name = "n"
kind = "scalar"
---*/

// The grid's size has nothing to do with n: each thread takes every 192nd element.
__global__ void saxpy_grid_stride(const float* x, float* y, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    y[i] = a * x[i] + y[i];
  }
}
