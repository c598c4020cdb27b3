/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, interleaved, in global memory"
summary = "The stride starts at half the block: neighbouring lanes read and write neighbouring elements, so every sector that is touched is used completely as long as at least eight threads add."
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

// Like reduce_interleaved, but the sums are in global memory, in a copy of the input.
__global__ void reduce_global_interleaved(const float* in, float* out, float* work, int n) {
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  float* sums = work + blockIdx.x * BLOCK;  // This block's part of the work copy.

  // Threads past the end add a zero, which changes no sum, and still reach the barriers.
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
