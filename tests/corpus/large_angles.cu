/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sines of large angles"
sizes = { n = 100 }

[launch]
block = [64]
grid = ["ceildiv(n, 64)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Beyond 105615 the angle is reduced with a table of 2 / pi and a local array: the slow way.
__global__ void large_angles(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = sinf(in[i] * 1.0e8f) + cosf(in[i] * 3.0e20f);
}
