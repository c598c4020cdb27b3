/*---
# SPDX-License-Identifier: Apache-2.0
title = "Prefix sums of blocks, Kogge-Stone"
summary = "Each element becomes the sum of itself and all elements before it in its block. In each round every thread adds the sum at distance 1, then 2, then 4: few rounds, but far more additions than one thread alone would make."
reference = "block_scan"
elements_per_block = "SECTION"
operations = "n - ceildiv(n, SECTION)"
phases = "(SECTION > 1) + (SECTION > 2) + (SECTION > 4) + (SECTION > 8) + (SECTION > 16) + (SECTION > 32) + (SECTION > 64) + (SECTION > 128) + (SECTION > 256) + (SECTION > 512)"
epochs_per_phase = 2
epochs_before = 1
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 1024", say = "{n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.SECTION]
default = 256
values = [8, 16, 32, 64, 128, 256, 512, 1024]
title = "elements and threads per block"

[launch]
block = ["SECTION"]
grid = ["ceildiv(n, SECTION)"]

[[shared]]
name = "sums"
rows = "1"
columns = "SECTION"

[[operand]]
name = "in"
rows = 1
columns = "n"

[[operand]]
name = "out"
rows = 1
columns = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Inclusive prefix sums of each block: out[i] is the sum of in[j] for all j of i's block up to i.
// After the round with stride s, sums[tid] is the sum of the 2 s elements that end at tid, or of
// all elements up to tid if there are fewer.
__global__ void scan_block(const float* in, float* out, int n) {
  __shared__ float sums[SECTION];
  int tid = threadIdx.x;
  int i = blockIdx.x * SECTION + tid;

  // Threads past the end add a zero, which changes no sum, and still reach the barriers.
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = 1; stride < SECTION; stride *= 2) {
    float sum = 0.0f;
    if (tid >= stride) {
      sum = sums[tid - stride] + sums[tid];
    }
    __syncthreads();  // Every thread has read before any thread writes.

    if (tid >= stride) {
      sums[tid] = sum;
    }
    __syncthreads();  // Every thread has written before the next round reads.
  }

  if (i < n) {
    out[i] = sums[tid];
  }
}
