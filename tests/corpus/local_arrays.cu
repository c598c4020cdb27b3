/*---
# SPDX-License-Identifier: Apache-2.0
title = "Arrays of a thread that an index chooses from"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// The compiler does not know the index, so the array is in local memory.
__global__ void local_arrays(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int counts[16], order[16];
  for (int j = 0; j < 16; ++j) counts[j] = order[j] = 0;
  for (int j = 0; j < 40; ++j) ++counts[in[(i + j) % n] % 16];
  for (int j = 0; j < 16; ++j) order[counts[j] % 16] += j;
  int sum = 0;
  for (int j = 0; j < 16; ++j) sum = 31 * sum + order[(j * 5 + i) % 16];
  out[i] = sum;
}
