/*---
# SPDX-License-Identifier: Apache-2.0
title = "Threads that leave early"
entry = "early_exit"
reference = "sum"
operations = "m * n"
sizes = { m = 100, n = 100 }

[exercise]
number = 4
symptom = "For 5 × 5 elements and blocks of 4 × 4 threads, some threads leave at the guard, and others that should leave do not."
hints = [
  "Which threads of block (1, 0) have no element? Does the guard send them away?",
  "A thread has an element only if its row and its column are both inside.",
  "The opposite of \"both inside\" is not \"both outside\".",
]
fails = ["bounds"]
shown = { m = 5, n = 5, BLOCK = 4 }
block = [1, 0]
hidden = [
  { m = 16, n = 16 },
  { m = 17, n = 16 },
  { m = 16, n = 17 },
  { m = 33, n = 20, BLOCK = 8 },
]

[tunable.BLOCK]
default = 16
range = [1, 32]
title = "width of the block"

[launch]
block = ["BLOCK", "BLOCK"]
grid = ["ceildiv(n, BLOCK)", "ceildiv(m, BLOCK)"]

[[operand]]
name = "M"
rows = "m"
columns = "n"

[[operand]]
name = "N"
rows = "m"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// P = M + N, all m x n in row-major order.
__global__ void early_exit(const float* M, const float* N, float* P, int m, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m && col >= n) {
    return;
  }
  P[row * n + col] = M[row * n + col] + N[row * n + col];
}
