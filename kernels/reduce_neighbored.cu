/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, neighbours"
summary = "Each thread adds its neighbour at distance 1, then 2, then 4: the threads that work are ever further apart, so every warp keeps running for fewer and fewer lanes."
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

[[shared]]
name = "sums"
rows = "1"
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

// One sum per block: out[b] = in[b * BLOCK] + in[b * BLOCK + 1] + ...
// After the round with stride s, sums[tid] is the sum of 2 s elements if tid is divisible by 2 s.
__global__ void reduce_neighbored(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

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
