/*---
# SPDX-License-Identifier: Apache-2.0
title = "Loops that wait for other threads, and printing"
sizes = { n = 509 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "flags"
type = "i32"
extent = "n"
direction = "inout"
fill = "zero"

[[operand]]
name = "out"
extent = "n"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Each kernel can be run by its name with --entry.
#include <cstdio>

// A thread's last load does not depend on the order of the turns, but lanes reach it one by one.
__global__ void largest_by_compare_and_swap(const float* in, int* flags, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int mine = (int)(in[i] * 1000.0f), seen = flags[0];
  while (seen < mine) {
    int before = seen;
    seen = atomicCAS(&flags[0], before, mine);
    if (seen == before) break;
  }
  out[i] = in[n - 1 - i];
}

__global__ void one_thread_of_a_block_waits(const float* in, int* flags, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0) {
      while (*(volatile int*)&flags[blockIdx.x - 1] == 0) {
      }
    }
    __threadfence();
    atomicExch(&flags[blockIdx.x], 1);
  }
  __syncthreads();
  if (i < n) out[i] = in[i];
}

__global__ void prints_once(const float* in, int* flags, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
  if (i == 0) printf("%d elements\n", n);
}
