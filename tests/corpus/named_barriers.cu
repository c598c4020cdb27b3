/*---
# SPDX-License-Identifier: Apache-2.0
title = "A producer and a consumer with two barriers"
sizes = { n = 100 }
launch = { block = [64], grid = [1] }
operand = [
  { name = "in", type = "i32", extent = "32 * n" },
  { name = "out", type = "i32", extent = "32 * n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// The first warp loads, the second computes. Barrier 1 means full, barrier 2 means empty. At each
// barrier one warp only arrives, and the other waits.
__global__ void named_barriers(const int* in, int* out, int n) {
  __shared__ int slot[32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int j = 0; j < n; ++j) {
      if (j > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      slot[lane] = in[32 * j + lane];
      asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
  } else {
    for (int j = 0; j < n; ++j) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      out[32 * j + lane] = slot[31 - lane] * 3;
      if (j + 1 < n) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
