/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, neighbours, less divergent"
summary = "The same pairs, but the threads that work are the first ones: whole warps work or rest. What is left is the stride between lanes, which makes them meet in the same banks."
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
title = "threads of a block"

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

// The pairs of reduce_neighbored, given to consecutive threads: in the round with stride s the
// first BLOCK / (2 s) threads work, so no warp is split until fewer than 32 are left.
__global__ void reduce_neighbored_less(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  // Threads past the end bring a zero, which changes no sum, and stay for the barriers.
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
