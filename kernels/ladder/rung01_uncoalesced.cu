/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 1: uncoalesced"
summary = "Each thread computes one element, and threadIdx.x selects the row. Look at a load of M in the warp view: 32 lanes touch 32 sectors and use 4 bytes of each."
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK_X]
default = 32
range = [1, 32]
title = "rows of P per block"

[tunable.BLOCK_Y]
default = 32
range = [1, 32]
title = "columns of P per block"

[launch]
block = ["BLOCK_X", "BLOCK_Y"]
grid = ["ceildiv(m, BLOCK_X)", "ceildiv(n, BLOCK_Y)"]

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

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// Each thread computes one element of P. Neighbouring lanes compute adjacent ROWS: their loads of
// M are k elements apart, so each lane touches its own sector. The next rung exchanges x and y.
__global__ void rung01_uncoalesced(const float* M, const float* N, float* P, int m, int n, int k) {
  int row = blockIdx.x * BLOCK_X + threadIdx.x;
  int col = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < k; ++i) {
      Pvalue += M[row * k + i] * N[i * n + col];
    }
    P[row * n + col] = Pvalue;
  }
}
