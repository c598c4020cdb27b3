/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, neighbours, less divergent, in global memory"
summary = "The same pairs, but the first threads do the work. Fewer warps work, and they touch just as many sectors."
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

// Like reduce_neighbored_less, but the sums are in global memory, in a copy of the input.
// Neighbouring lanes access elements that are 2 * stride apart. This causes no bank conflicts, but
// fewer lanes share a sector, until each lane has its own sector.
__global__ void reduce_global_neighbored_less(const float* in, float* out, float* work, int n) {
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  float* sums = work + blockIdx.x * BLOCK;  // This block's part of the work copy.

  // Threads past the end add a zero, which changes no sum, and still reach the barriers.
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    int left = 2 * stride * tid;
    if (left < BLOCK) {
      sums[left] += sums[left + stride];
    }
    __syncthreads();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
