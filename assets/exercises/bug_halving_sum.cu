/*---
# SPDX-License-Identifier: Apache-2.0
title = "Halving the sums"
entry = "halving_sum"
reference = "block_sums"
elements_per_block = "BLOCK"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 15
symptom = "The launch does not get past a barrier."
hints = [
  "For whom does __syncthreads wait?",
  "In the first round only half of the threads come to the barrier. The other half never does.",
  "Every thread of the block must come to the same barriers, whether it has something to add or not.",
]
fails = ["barriers"]
shown = { n = 64, BLOCK = 32 }
hidden = [
  { n = 256 },
  { n = 1000 },
  { n = 1 },
  { n = 300, BLOCK = 64 },
]

[tunable.BLOCK]
default = 256
values = [32, 64, 128, 256, 512, 1024]
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

// out[b] is the sum of the BLOCK elements of block b. The stride is halved each round.
__global__ void halving_sum(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
      __syncthreads();
    }
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
