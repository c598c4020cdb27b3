/*---
# SPDX-License-Identifier: Apache-2.0
title = "Float and double atomics whose sums are exact"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "sums", extent = "4", direction = "inout", fill = "zero" },
  { name = "wide", type = "f64", extent = "4", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// Whole numbers and quarters below 2^24 add without rounding, so the order does not matter.
__global__ void atomic_float_exact(const int* in, float* sums, double* wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int value = in[i];
  atomicAdd(&sums[value % 4], 0.25f * value);
  atomicAdd(&wide[value % 4], 0.5 * value);
}
