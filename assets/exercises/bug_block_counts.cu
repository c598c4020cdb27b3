/*---
# SPDX-License-Identifier: Apache-2.0
title = "Counters of a block"
entry = "block_counts"
sizes = { n = 1000 }

[exercise]
number = 22
symptom = "The bins are right here. Still, threads read memory that nothing has written, and on a GPU the bins may hold other numbers."
hints = [
  "An atomic addition reads what is there and adds to it. What did a counter hold before the first thread added 1 to it?",
  "An array in shared memory begins with whatever its memory held before, and that need not be zero.",
  "The block's threads can set the counters together. What must lie between that and the first count?",
]
fails = ["result"]
shown = { n = 24, BLOCK = 32 }
hidden = [
  { n = 8 },
  { n = 256 },
  { n = 1000 },
  { n = 100, BLOCK = 32 },
]

[tunable.BLOCK]
default = 256
range = [8, 1024]
step = 8
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[shared]]
name = "counts"
rows = "1"
columns = "8"
holds = "bins"

[[operand]]
name = "x"
type = "i32"
rows = 1
columns = "n"

[[operand]]
name = "bins"
type = "i32"
fill = "zero"
rows = 1
columns = 8
direction = "inout"
expect = "x.count(8, i)"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Counts how many elements of x leave the remainder 0, 1, ... 7 when divided by 8. Each block
// counts its elements in shared memory, and then adds what it counted to the bins.
__global__ void block_counts(const int* x, int* bins, int n) {
  __shared__ int counts[8];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  if (i < n) {
    atomicAdd(&counts[x[i] % 8], 1);
  }
  __syncthreads();

  if (tid < 8) {
    atomicAdd(&bins[tid], counts[tid]);
  }
}
