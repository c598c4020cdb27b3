/*---
# SPDX-License-Identifier: Apache-2.0
title = "The last warp"
entry = "last_warp"
reference = "block_sums"
elements_per_block = "BLOCK"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 18
symptom = "With 64 threads and more in a block all is well. With 32, threads read past the end of the array."
hints = [
  "How many slots does the array have when a block has 32 threads?",
  "The last warp first adds what lies 32 slots further on. Is there always something there?",
]
fails = ["bounds"]
shown = { n = 64, BLOCK = 32 }
hidden = [
  { n = 256 },
  { n = 1000, BLOCK = 64 },
  { n = 100, BLOCK = 32 },
  { n = 1, BLOCK = 128 },
]

[tunable.BLOCK]
default = 256
values = [32, 64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[shared]]
name = "sums"
rows = 1
columns = "BLOCK"

[[operand]]
name = "in"
rows = 1
columns = "n"

[[operand]]
name = "out"
rows = 1
columns = "ceildiv(n, BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// out[b] is the sum of the BLOCK elements of block b. One warp adds the last sums without a barrier
// of the whole block: its lanes wait for each other at __syncwarp.
__global__ void last_warp(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    float sum = sums[tid] + sums[tid + 32];
    for (int stride = 16; stride > 0; stride /= 2) {
      sums[tid] = sum;
      __syncwarp();
      if (tid < stride) {
        sum += sums[tid + stride];
      }
      __syncwarp();
    }
    if (tid == 0) {
      out[blockIdx.x] = sum;
    }
  }
}
