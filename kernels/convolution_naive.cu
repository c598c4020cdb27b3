/*---
# SPDX-License-Identifier: Apache-2.0
title = "Convolution, naive"
summary = "Each thread computes one element of P from the elements of M around it, weighted by the filter F, which is in constant memory. Neighbouring threads read mostly the same elements, each from global memory."
reference = "convolution"
operations = "2 * (m + min(RADIUS, m) * (2 * m - 1 - min(RADIUS, m))) * (n + min(RADIUS, n) * (2 * n - 1 - min(RADIUS, n)))"
sizes = { m = 1024, n = 1024 }
rules = [
  { expr = "m * n < 2^31 - 1024", say = "a matrix has {m * n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.RADIUS]
default = 1
range = [1, 5]
title = "how far the filter reaches to each side"

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
name = "F"
kind = "symbol"
rows = "2 * RADIUS + 1"
columns = "2 * RADIUS + 1"
---*/

#define WIDTH (2 * RADIUS + 1)

// All lanes of a warp read the same element of F, which constant memory answers in one access.
__constant__ float F[WIDTH][WIDTH];

// P[row][col] is the sum of F[i][j] * M[row + i - RADIUS][col + j - RADIUS] over the whole filter.
// M and P are m x n, in row-major order. Elements outside M, the ghost cells, count as zero.
__global__ void convolution_naive(const float* M, float* P, int m, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;

  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < WIDTH; ++i) {
      for (int j = 0; j < WIDTH; ++j) {
        int Mrow = row + i - RADIUS;
        int Mcol = col + j - RADIUS;
        if (Mrow >= 0 && Mrow < m && Mcol >= 0 && Mcol < n) {
          Pvalue += F[i][j] * M[Mrow * n + Mcol];
        }
      }
    }
    P[row * n + col] = Pvalue;
  }
}
