/*---
# SPDX-License-Identifier: Apache-2.0
title = "Blocks that wait for each other"
sizes = { n = 1000 }

[exercise]
number = 20
symptom = "With few blocks the sum is right. With more blocks than a GPU holds at a time, the launch never ends."
hints = [
  "A multiprocessor holds a limited number of blocks. When does the next one start?",
  "The blocks that were started wait for blocks that cannot start before these end.",
  "The end of a launch is a point at which all blocks are done. The next launch can rely on it.",
]
fails = ["barriers"]
shown = { n = 128 }
hidden = [
  { n = 100 },
  { n = 150000 },
  { n = 1 },
  { n = 300000, BLOCK = 64 },
]

[tunable.BLOCK]
default = 32
values = [32, 64, 128]
title = "threads per block"

[[launch]]
entry = "add_parts"
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[launch]]
entry = "add_total"
block = [1]
grid = [1]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "parts"
type = "i32"
extent = "ceildiv(n, BLOCK)"
direction = "out"
expect = "in.sum(i * BLOCK, (i + 1) * BLOCK)"

[[operand]]
name = "total"
type = "i32"
extent = 1
direction = "out"
expect = "in.sum(0, n)"

[[operand]]
name = "arrived"
type = "i32"
fill = "zero"
extent = 1
direction = "inout"

[[operand]]
name = "n"
kind = "scalar"
---*/

// total = in[0] + in[1] + ... + in[n - 1]. add_total is launched after add_parts.
__global__ void add_parts(const int* in, int* parts, int* total, int* arrived, int n) {
  int first = blockIdx.x * BLOCK;
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = first; i < first + BLOCK && i < n; ++i) {
      sum += in[i];
    }
    parts[blockIdx.x] = sum;
    __threadfence();

    // Wait until all blocks are here.
    atomicAdd(arrived, 1);
    while (atomicAdd(arrived, 0) < gridDim.x) {
    }
    __threadfence();

    if (blockIdx.x == 0) {
      int all = 0;
      for (int b = 0; b < gridDim.x; ++b) {
        all += parts[b];
      }
      *total = all;
    }
  }
}

__global__ void add_total(const int* in, int* parts, int* total, int* arrived, int n) {
}
