/*---
# SPDX-License-Identifier: Apache-2.0
title = "Threads with several columns"
entry = "wide_threads"
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 64, n = 64, k = 64 }

[exercise]
number = 24
symptom = "Columns of P are never written, although the number of threads times the columns of each is enough. What is written is right."
hints = [
  "Choose a column that is missing and one that is not. Which threads compute the second one, and how often?",
  "Four threads side by side with two columns each cover eight columns only if no two compute the same one.",
  "How far must the columns of one thread lie apart, so that the loads of neighbouring threads are neighbours and no column is left out?",
]
fails = ["result"]
shown = { m = 4, n = 8, k = 4, TILE_WIDTH = 4, COARSE = 2 }
hidden = [
  { m = 32, n = 64, k = 16 },
  { m = 21, n = 33, k = 19 },
  { m = 1, n = 1, k = 1 },
  { m = 40, n = 50, k = 9, TILE_WIDTH = 8, COARSE = 3 },
]

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of a tile and of the block"

[tunable.COARSE]
default = 2
range = [2, 4]
title = "columns of P that a thread computes"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH * COARSE)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH * COARSE"
holds = "N"

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

// P = M N, where M is m x k, N is k x n and P is m x n, in row-major order.
// A block of TILE_WIDTH x TILE_WIDTH threads computes COARSE * TILE_WIDTH columns of P, and each
// thread COARSE of them.
__global__ void wide_threads(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][COARSE * TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col0 = blockIdx.x * COARSE * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue[COARSE] = {};
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    for (int c = 0; c < COARSE; ++c) {
      int col = col0 + c;
      Nds[ty][c * TILE_WIDTH + tx] = j < k && col < n ? N[j * n + col] : 0.0f;
    }
    __syncthreads();

    for (int t = 0; t < TILE_WIDTH; ++t) {
      for (int c = 0; c < COARSE; ++c) {
        Pvalue[c] += Mds[ty][t] * Nds[t][c * TILE_WIDTH + tx];
      }
    }
    __syncthreads();
  }

  for (int c = 0; c < COARSE; ++c) {
    int col = col0 + c;
    if (row < m && col < n) {
      P[row * n + col] = Pvalue[c];
    }
  }
}
