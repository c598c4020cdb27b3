/*---
# SPDX-License-Identifier: Apache-2.0
title = "Eight while loading"
entry = "eightfold_sum"
reference = "block_sums"
elements_per_block = "8 * BLOCK"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 17
symptom = "The last sum is wrong unless n is a multiple of what a block adds."
hints = [
  "Which elements does the guard protect? Which threads does it turn away?",
  "A thread without an eighth element may have up to seven others.",
  "Each of the eight loads needs a guard of its own.",
]
fails = ["result"]
shown = { n = 300, BLOCK = 32 }
block = [1, 0]
hidden = [
  { n = 2048 },
  { n = 2500 },
  { n = 1 },
  { n = 900, BLOCK = 64 },
]

[tunable.BLOCK]
default = 256
values = [32, 64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, 8 * BLOCK)"]

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
columns = "ceildiv(n, 8 * BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// out[b] is the sum of 8 * BLOCK elements: each thread adds eight of them while it loads.
__global__ void eightfold_sum(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * 8 * BLOCK + tid;
  float sum = 0.0f;
  if (i + 7 * BLOCK < n) {
    for (int part = 0; part < 8; ++part) {
      sum += in[i + part * BLOCK];
    }
  }
  sums[tid] = sum;
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
