/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, neighbours, less divergent"
summary = "The same pairs, but the first threads do the work: whole warps work or rest. The stride between lanes remains, and it causes bank conflicts."
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

// Consecutive threads add the pairs of reduce_neighbored: in the round with stride s the first
// BLOCK / (2 s) threads work, so no warp diverges until fewer than 32 threads are left.
__global__ void reduce_neighbored_less(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  // Threads past the end add a zero, which changes no sum, and still reach the barriers.
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    int left = 2 * stride * tid;  // Neighbouring lanes are 2 * stride words apart: bank conflicts.
    if (left < BLOCK) {
      sums[left] += sums[left + stride];
    }
    __syncthreads();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
