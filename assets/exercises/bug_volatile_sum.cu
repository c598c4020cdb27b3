/*---
# SPDX-License-Identifier: Apache-2.0
title = "Volatile"
entry = "volatile_sum"
reference = "block_sums"
elements_per_block = "BLOCK"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 19
symptom = "The result is right here. Still, lanes of one warp read slots that other lanes write, with nothing between them."
hints = [
  "What does volatile promise about one thread? What does it promise about two?",
  "Since Volta, the lanes of a warp need not execute their instructions together.",
  "Between a store by one lane and a load by another there must be something that both wait at. For a warp that is __syncwarp.",
]
fails = ["races"]
shown = { n = 64, BLOCK = 64 }
hidden = [
  { n = 256 },
  { n = 1000, BLOCK = 64 },
  { n = 100, BLOCK = 128 },
  { n = 1 },
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

// out[b] is the sum of the BLOCK elements of block b. One warp adds the last 64 sums. The array is
// volatile, so that each value is really stored and loaded.
__global__ void volatile_sum(const float* in, float* out, int n) {
  __shared__ volatile float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      sums[tid] = sums[tid] + sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    sums[tid] = sums[tid] + sums[tid + 32];
    sums[tid] = sums[tid] + sums[tid + 16];
    sums[tid] = sums[tid] + sums[tid + 8];
    sums[tid] = sums[tid] + sums[tid + 4];
    sums[tid] = sums[tid] + sums[tid + 2];
    sums[tid] = sums[tid] + sums[tid + 1];
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
