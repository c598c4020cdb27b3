/*---
# SPDX-License-Identifier: Apache-2.0
title = "Three neighbours"
entry = "three_neighbours"
sizes = { n = 1000 }

[exercise]
number = 12
symptom = "Where two blocks meet, the elements on both sides are wrong; the others are right."
hints = [
  "Choose a wrong element. Which of the slots that its thread read were never written?",
  "The tile has BLOCK + 2 slots, and the block has BLOCK threads that store one slot each.",
  "The first and the last slot are for elements of the neighbouring blocks: the halo.",
]
fails = ["result"]
shown = { n = 20, BLOCK = 8 }
block = [1, 0]
hidden = [
  { n = 256 },
  { n = 500 },
  { n = 1 },
  { n = 1000, BLOCK = 64 },
]

[tunable.BLOCK]
default = 256
range = [1, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"
expect = "in(i - 1) + in(i) + in(i + 1)"

[[operand]]
name = "n"
kind = "scalar"
---*/

// out[i] = in[i - 1] + in[i] + in[i + 1], where what lies outside counts as 0.
// Slot s of the tile is for element blockIdx.x * BLOCK + s - 1.
__global__ void three_neighbours(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  int s = threadIdx.x + 1;

  tile[s] = i < n ? in[i] : 0;
  __syncthreads();

  if (i < n) {
    out[i] = tile[s - 1] + tile[s] + tile[s + 1];
  }
}
