/*---
# SPDX-License-Identifier: Apache-2.0
title = "A lock that lanes of one warp wait for"
sizes = { n = 100 }
launch = { block = [32], grid = ["ceildiv(n, 32)"] }
operand = [
  { name = "lock", type = "i32", extent = "1", direction = "inout", fill = "zero" },
  { name = "data", type = "i32", extent = "2", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// A thread may hold the lock while other threads of its warp wait for it. Since Volta each thread
// makes progress by itself, so the holder of the lock reaches the unlock.
__global__ void spin_lock(int* lock, volatile int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  data[0] = data[0] + 1;
  data[1] = data[1] + i;
  __threadfence();
  atomicExch(lock, 0);
}
