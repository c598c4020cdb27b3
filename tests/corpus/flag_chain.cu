/*---
# SPDX-License-Identifier: Apache-2.0
title = "Flags from later blocks to earlier ones"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "in", type = "i32", extent = "n" },
  { name = "sums", type = "i32", extent = "ceildiv(n, 64)", direction = "out" },
  { name = "flags", type = "i32", extent = "ceildiv(n, 64)", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// Sums from the end: each block waits for the next block, which begins later.
__global__ void flag_chain(const int* in, int* sums, int* flags, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x != 0) return;
  int total = sum;
  if (blockIdx.x + 1 < gridDim.x) {
    while (atomicAdd(&flags[blockIdx.x + 1], 0) == 0) {
    }
    __threadfence();
    total += *(volatile int*)&sums[blockIdx.x + 1];
  }
  sums[blockIdx.x] = total;
  __threadfence();
  atomicExch(&flags[blockIdx.x], 1);
}
