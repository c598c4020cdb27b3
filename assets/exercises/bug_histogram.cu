/*---
# SPDX-License-Identifier: Apache-2.0
title = "A histogram"
entry = "histogram"
sizes = { n = 1000 }

[exercise]
number = 14
symptom = "The bins count far too few: 24 elements lie in 8 bins, and each bin counts 1."
hints = [
  "How many threads add to bin 2? What does each of them read before it adds?",
  "Reading, adding and storing are three steps, and other threads come in between.",
  "The three steps must be one operation that nothing can divide.",
]
fails = ["races", "result"]
shown = { n = 24, BLOCK = 32 }
hidden = [
  { n = 8 },
  { n = 256 },
  { n = 1000 },
  { n = 100, BLOCK = 32 },
]

[tunable.BLOCK]
default = 256
range = [1, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, BLOCK)"]

[[operand]]
name = "x"
type = "i32"
extent = "n"

[[operand]]
name = "bins"
type = "i32"
fill = "zero"
extent = 8
direction = "inout"
expect = "x.count(8, i)"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Counts how many elements of x leave the remainder 0, 1, ... 7 when divided by 8.
__global__ void histogram(const int* x, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = x[i] % 8;
    bins[bin] = bins[bin] + 1;
  }
}
