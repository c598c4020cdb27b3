/*---
# SPDX-License-Identifier: Apache-2.0
title = "Threads that left count at no barrier"
sizes = { n = 100 }
launch = { block = [64], grid = ["ceildiv(n, 48)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "out", type = "i32", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// Whole warps past the end exit before the barriers. Half of the second warp's lanes work.
__global__ void early_exit_barrier(const int* in, int* out, int n) {
  __shared__ int line[64];
  int first = blockIdx.x * 48;
  if (first + (int)(threadIdx.x / 32 * 32) >= n) return;
  int i = first + threadIdx.x;
  bool works = threadIdx.x < 48 && i < n;
  line[threadIdx.x] = works ? in[i] : 0;
  __syncthreads();
  if (works) out[i] = line[threadIdx.x] + line[threadIdx.x ^ 1];
}
