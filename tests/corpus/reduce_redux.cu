/*---
# SPDX-License-Identifier: Apache-2.0
title = "Warp sums, minima and masks in one instruction"
arch = "compute_80"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "u32", extent = "n" },
  { name = "out", type = "u32", extent = "8 * ceildiv(n, 64)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// Since Ampere, one instruction reduces the integers of a warp.
__global__ void reduce_redux(const unsigned* in, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = i < n ? in[i] : 0;
  unsigned sum = __reduce_add_sync(0xffffffff, value);
  unsigned most = __reduce_max_sync(0xffffffff, value);
  unsigned any = __reduce_or_sync(0xffffffff, value);
  int least = __reduce_min_sync(0xffffffff, (int)value - 100);
  if (i % 32 == 0) {
    unsigned* mine = out + i / 32 * 4;
    mine[0] = sum;
    mine[1] = most;
    mine[2] = any;
    mine[3] = least;
  }
}
