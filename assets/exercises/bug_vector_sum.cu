/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum of two vectors"
entry = "vector_sum"
reference = "sum"
operations = "n"
sizes = { n = 1000 }

[exercise]
number = 1
symptom = "With 1,024 elements all is well. With 20 elements and blocks of 8 threads, accesses leave their memory."
hints = [
  "How many threads does the launch start, and how many elements are there?",
  "Which values does i take in the last block?",
  "A thread whose i is not below n has nothing to do. Nothing in the kernel tells it so.",
]
fails = ["bounds"]
shown = { n = 20, BLOCK = 8 }
block = [2, 0]
hidden = [
  { n = 256 },
  { n = 257 },
  { n = 1 },
  { n = 1000, BLOCK = 96 },
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
extent = "n"

[[operand]]
name = "y"
extent = "n"

[[operand]]
name = "z"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// z = x + y: each thread computes one element.
__global__ void vector_sum(const float* x, const float* y, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = x[i] + y[i];
}
