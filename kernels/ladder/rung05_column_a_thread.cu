/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 5: a column per thread"
summary = "Each thread computes ROWS elements of a column. Follow one thread: a value of Nds that it reads once serves ROWS sums."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 2
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
  { expr = "TILE_M * TILE_N / ROWS <= THREADS_MAX", say = "{TILE_M} x {TILE_N} elements in columns of {ROWS} are {TILE_M * TILE_N / ROWS} threads; a block has at most {THREADS_MAX}" },
]

[tunable.TILE_M]
default = 64
values = [16, 32, 64, 128]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 64
values = [16, 32, 64, 128]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 8
values = [4, 8, 16, 32]
title = "how much of k one phase covers"

[tunable.ROWS]
default = 8
values = [2, 4, 8, 16]
title = "elements of P per thread, one below the other"

[launch]
block = ["TILE_M / ROWS * TILE_N"]
grid = ["ceildiv(n, TILE_N)", "ceildiv(m, TILE_M)"]

[[shared]]
name = "Mds"
rows = "TILE_M"
columns = "TILE_K"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_K"
columns = "TILE_N"
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

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// Each thread computes a column of ROWS elements: a value of Nds, read once into a register, serves
// all of them. Loads from shared memory per multiply-add fall from 2 to (ROWS + 1) / ROWS.
__global__ void rung05_column_a_thread(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_M][TILE_K];
  __shared__ float Nds[TILE_K][TILE_N];
  const int threads = TILE_M / ROWS * TILE_N;

  int tid = threadIdx.x;
  int tx = tid % TILE_N;         // the thread's column of the tile
  int ty = tid / TILE_N * ROWS;  // its first row
  int top = blockIdx.y * TILE_M;
  int left = blockIdx.x * TILE_N;

  float Pvalue[ROWS] = {};
  for (int ph = 0; ph < (k + TILE_K - 1) / TILE_K; ++ph) {
    int first = ph * TILE_K;
    for (int e = tid; e < TILE_M * TILE_K; e += threads) {
      int row = top + e / TILE_K, i = first + e % TILE_K;
      Mds[e / TILE_K][e % TILE_K] = row < m && i < k ? M[row * k + i] : 0.0f;
    }
    for (int e = tid; e < TILE_K * TILE_N; e += threads) {
      int i = first + e / TILE_N, col = left + e % TILE_N;
      Nds[e / TILE_N][e % TILE_N] = i < k && col < n ? N[i * n + col] : 0.0f;
    }
    __syncthreads();
    for (int i = 0; i < TILE_K; ++i) {
      float b = Nds[i][tx];  // read once, used ROWS times
      for (int r = 0; r < ROWS; ++r) {
        Pvalue[r] += Mds[ty + r][i] * b;
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < ROWS; ++r) {
    if (top + ty + r < m && left + tx < n) {
      P[(top + ty + r) * n + left + tx] = Pvalue[r];
    }
  }
}
