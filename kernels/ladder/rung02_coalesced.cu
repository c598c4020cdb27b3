/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 2: coalesced"
summary = "The same, but threadIdx.x selects the column. Look at both loads in the warp view: one sector of M, which all lanes share, and four of N."
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.BLOCK_X]
default = 32
range = [1, 32]
title = "columns of P per block"

[tunable.BLOCK_Y]
default = 32
range = [1, 32]
title = "rows of P per block"

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

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// Each thread computes one element of P. Neighbouring lanes compute adjacent COLUMNS: a warp loads
// one element of M (a broadcast) and 32 adjacent elements of N, which are four full sectors.
__global__ void rung02_coalesced(const float* M, const float* N, float* P, int m, int n, int k) {
  int col = blockIdx.x * BLOCK_X + threadIdx.x;
  int row = blockIdx.y * BLOCK_Y + threadIdx.y;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < k; ++i) {
      Pvalue += M[row * k + i] * N[i * n + col];
    }
    P[row * n + col] = Pvalue;
  }
}
