/*---
# SPDX-License-Identifier: Apache-2.0
title = "Two while loading"
entry = "paired_sum"
reference = "block_sums"
elements_per_block = "2 * BLOCK"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 16
symptom = "When n is a multiple of what a block adds, all is well. Otherwise the last block reads past the end."
hints = [
  "How many elements does a block add? How many are left for the last block?",
  "The first element of each thread is guarded.",
  "i below n does not mean that i + BLOCK is below n.",
]
fails = ["bounds"]
shown = { n = 80, BLOCK = 32 }
block = [1, 0]
hidden = [
  { n = 512 },
  { n = 600 },
  { n = 1 },
  { n = 300, BLOCK = 64 },
]

[tunable.BLOCK]
default = 256
values = [32, 64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, 2 * BLOCK)"]

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
columns = "ceildiv(n, 2 * BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// out[b] is the sum of 2 * BLOCK elements: each thread adds two of them while it loads.
__global__ void paired_sum(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * 2 * BLOCK + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i < n) {
    sum += in[i + BLOCK];
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
