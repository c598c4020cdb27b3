/*---
# SPDX-License-Identifier: Apache-2.0
title = "A barrier of the whole grid by hand"
sizes = { n = 1000 }
launch = { block = [64], grid = ["ceildiv(n, 64)"] }
operand = [
  { name = "cells", extent = "2 * n", direction = "inout", fill = "index", type = "i32" },
  { name = "arrived", type = "u32", extent = "1", direction = "inout", fill = "zero" },
  { name = "n", kind = "scalar" },
]
---*/

// Each block increments the count and waits for all blocks. Right only if all blocks are resident.
__device__ void grid_barrier(unsigned* arrived, unsigned round) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1);
    while (*(volatile unsigned*)arrived < round * gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

// Five steps of a rule on a ring of cells; each cell reads its neighbours, also those of other blocks.
__global__ void grid_barrier_by_hand(int* cells, unsigned* arrived, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  for (int step = 0; step < 5; ++step) {
    int* from = cells + step % 2 * n;
    int* to = cells + (step + 1) % 2 * n;
    if (i < n) to[i] = 3 * from[i] + from[(i + 1) % n] - from[(i + n - 1) % n];
    grid_barrier(arrived, step + 1);
  }
}
