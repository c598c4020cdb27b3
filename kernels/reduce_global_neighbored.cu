/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, neighbours, in global memory"
summary = "The pairs of reduce_neighbored, but the sums are in global memory: each round touches whole 32-byte sectors for fewer and fewer elements."
reference = "block_sums"
elements_per_block = "BLOCK"
operations = "n - ceildiv(n, BLOCK)"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 1024", say = "{n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK]
default = 256
values = [64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

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
name = "work"
rows = 1
columns = "ceildiv(n, BLOCK) * BLOCK"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Like reduce_neighbored, but the sums are in global memory, in a copy of the input, which is itself
// unchanged. __syncthreads() also makes a block's
// writes to global memory visible to all of its threads.
__global__ void reduce_global_neighbored(const float* in, float* out, float* work, int n) {
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  float* sums = work + blockIdx.x * BLOCK;  // This block's part of the work copy.

  // Threads past the end add a zero, which changes no sum, and still reach the barriers.
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    // Lanes 0, 2, 4, ... then 0, 4, 8, ...: within each warp some lanes add and the others wait.
    if (tid % (2 * stride) == 0) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();  // The next round reads what other threads wrote in this one.
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
