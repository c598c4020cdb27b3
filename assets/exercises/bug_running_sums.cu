/*---
# SPDX-License-Identifier: Apache-2.0
title = "Running sums"
entry = "running_sums"
sizes = { n = 1000 }

[exercise]
number = 21
symptom = "With blocks of 8 threads the sums are right here, and still threads read slots that other threads write in the same round. With several warps in a block the sums are wrong."
hints = [
  "Choose a slot in the middle of the block. Which thread writes it in a round, and which other thread reads it in the same round?",
  "The barrier at the end of a round keeps the rounds apart. What keeps the reads of a round before its writes?",
  "Reading and writing are two steps of a round, and no thread may begin the second before all have ended the first. A sum can wait for that in a register.",
]
fails = ["races", "result"]
shown = { n = 16, BLOCK = 8 }
hidden = [
  { n = 256 },
  { n = 1000 },
  { n = 1 },
  { n = 500, BLOCK = 64 },
]

[tunable.BLOCK]
default = 256
range = [1, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[shared]]
name = "sums"
rows = "1"
columns = "BLOCK"
holds = "in"

[[operand]]
name = "in"
type = "i32"
rows = 1
columns = "n"

[[operand]]
name = "out"
type = "i32"
rows = 1
columns = "n"
direction = "out"
expect = "in.sum(floordiv(i, BLOCK) * BLOCK, i + 1)"

[[operand]]
name = "n"
kind = "scalar"
---*/

// out[i] is the sum of the elements of in from the first one of i's block up to i.
// In the round with stride s, each slot from s on gets the slot s before it added.
__global__ void running_sums(const int* in, int* out, int n) {
  __shared__ int sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  sums[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    if (tid >= stride) {
      sums[tid] += sums[tid - stride];
    }
    __syncthreads();
  }

  if (i < n) {
    out[i] = sums[tid];
  }
}
