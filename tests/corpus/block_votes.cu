/*---
# SPDX-License-Identifier: Apache-2.0
title = "Counts over a block at a barrier"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "3 * ceildiv(n, 64)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// One barrier that counts, and two barriers that vote.
__global__ void block_votes(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  int odd = __syncthreads_count(value % 2 == 1);
  int all = __syncthreads_and(value < 250);
  int any = __syncthreads_or(value == 7);
  if (threadIdx.x == 0) {
    out[3 * blockIdx.x] = odd;
    out[3 * blockIdx.x + 1] = all != 0;
    out[3 * blockIdx.x + 2] = any != 0;
  }
}
