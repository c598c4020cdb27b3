/*---
# SPDX-License-Identifier: Apache-2.0
title = "Product that adds up in memory"
summary = "Like the naive product, but each thread accumulates in its element of P in global memory, not in a register: it stores after each multiply-add."
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK_X]
default = 16
range = [1, 1024]
title = "threads along a row of P"

[tunable.BLOCK_Y]
default = 16
range = [1, 1024]
title = "threads along a column of P"

[launch]
block = ["BLOCK_X", "BLOCK_Y"]
grid = ["ceildiv(n, BLOCK_X)", "ceildiv(m, BLOCK_Y)"]

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
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

[[operand]]
name = "k"
kind = "scalar"
---*/

// P might overlap M or N, so the compiler has to store each sum before it may load the next factors.
// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
__global__ void matmul_in_memory(const float* M, const float* N, float* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < m && col < n) {
    P[row * n + col] = 0.0f;
    for (int i = 0; i < k; ++i) {
      P[row * n + col] += M[row * k + i] * N[i * n + col];
    }
  }
}
