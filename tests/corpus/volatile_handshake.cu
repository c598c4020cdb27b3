/*---
# SPDX-License-Identifier: Apache-2.0
title = "Lanes of one warp wait for one another"
sizes = { n = 40 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "out", type = "i32", extent = "n", direction = "out", expect = "i % 32" },
  { name = "n", kind = "scalar" },
]
---*/

// Lane k waits for lane k - 1 in a loop: each thread of a warp makes progress by itself.
__global__ void volatile_handshake(int* out, int n) {
  __shared__ volatile int turn;
  int i = blockIdx.x * 32 + threadIdx.x;
  if (threadIdx.x == 0) turn = 0;
  __syncwarp();
  if (i >= n) return;
  while (turn != threadIdx.x) {
  }
  out[i] = turn;
  __threadfence_block();
  turn = threadIdx.x + 1;
}
