/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 6: a patch per thread"
summary = "Each thread computes a patch of ROWS x COLS elements. Follow one thread: the 8 + 8 values that it reads serve 64 multiply-adds."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 2
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= THREADS_MAX", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; a block has at most {THREADS_MAX}" },
]

[tunable.TILE_M]
default = 128
values = [16, 32, 64, 128]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 128
values = [16, 32, 64, 128]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 8
values = [4, 8, 16]
title = "how much of k one phase covers"

[tunable.ROWS]
default = 8
values = [2, 4, 8]
title = "rows of P per thread"

[tunable.COLS]
default = 8
values = [2, 4, 8]
title = "columns of P per thread"

[launch]
block = ["TILE_M / ROWS * TILE_N / COLS"]
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
// Each thread computes a patch of ROWS x COLS elements: ROWS + COLS values read from shared memory
// serve ROWS x COLS multiply-adds. With 8 x 8, 16 reads serve 64: a quarter of a read each, not 2.
__global__ void rung06_patch_a_thread(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_M][TILE_K];
  __shared__ float Nds[TILE_K][TILE_N];
  const int threads = TILE_M / ROWS * (TILE_N / COLS);

  int tid = threadIdx.x;
  int tx = tid % (TILE_N / COLS) * COLS;  // upper left element of its patch, in the tile
  int ty = tid / (TILE_N / COLS) * ROWS;
  int top = blockIdx.y * TILE_M;
  int left = blockIdx.x * TILE_N;

  float Pvalue[ROWS][COLS] = {};
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
      float a[ROWS], b[COLS];  // registers
      for (int r = 0; r < ROWS; ++r) a[r] = Mds[ty + r][i];
      for (int c = 0; c < COLS; ++c) b[c] = Nds[i][tx + c];
      for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < COLS; ++c) {
          Pvalue[r][c] += a[r] * b[c];
        }
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLS; ++c) {
      if (top + ty + r < m && left + tx + c < n) {
        P[(top + ty + r) * n + left + tx + c] = Pvalue[r][c];
      }
    }
  }
}
