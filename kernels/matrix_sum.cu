/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum of two matrices"
summary = "Each thread computes one element: nothing is reused, so what matters is how the block's shape fits the rows in memory."
reference = "sum"
operations = "m * n"
sizes = { m = 1024, n = 1024 }
rules = [
  { expr = "m * n < 2^31 - 1024", say = "a matrix has {m * n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK_X]
default = 32
range = [1, 1024]
title = "threads along a row"

[tunable.BLOCK_Y]
default = 16
range = [1, 1024]
title = "threads along a column"

[launch]
block = ["BLOCK_X", "BLOCK_Y"]
grid = ["ceildiv(n, BLOCK_X)", "ceildiv(m, BLOCK_Y)"]

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

// P = M + N, where all three are m x n, in row-major order.
__global__ void matrix_sum(const float* M, const float* N, float* P, int m, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < m && col < n) {
    P[row * n + col] = M[row * n + col] + N[row * n + col];
  }
}
