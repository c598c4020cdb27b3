/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiled product, free tiles and block"
summary = "Tiles of any shape and a block of any shape: the threads load the tiles together, and each computes its share of P's tile in registers."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 2
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
  { expr = "BLOCK_X * BLOCK_Y <= THREADS_MAX", say = "a block of {BLOCK_X} x {BLOCK_Y} has {BLOCK_X * BLOCK_Y} threads; at most {THREADS_MAX} are allowed" },
  { expr = "4 * TILE_K * (TILE_M + TILE_N) <= min(49152, SHARED_BYTES_STATIC)", say = "the tiles take {4 * TILE_K * (TILE_M + TILE_N)} bytes of shared memory; at most {min(49152, SHARED_BYTES_STATIC)} are allowed" },
  { expr = "ceildiv(TILE_M * TILE_N, BLOCK_X * BLOCK_Y) <= 64", say = "each thread would compute {ceildiv(TILE_M * TILE_N, BLOCK_X * BLOCK_Y)} elements of P; at most 64 fit its registers" },
]

[tunable.TILE_M]
default = 32
range = [1, 1024]
title = "rows of P's tile"

[tunable.TILE_N]
default = 32
range = [1, 1024]
title = "columns of P's tile"

[tunable.TILE_K]
default = 16
range = [1, 1024]
title = "how much of k one phase covers"

[tunable.BLOCK_X]
default = 16
range = [1, 1024]
title = "threads along x"

[tunable.BLOCK_Y]
default = 16
range = [1, 1024]
title = "threads along y"

[launch]
block = ["BLOCK_X", "BLOCK_Y"]
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

#define THREADS (BLOCK_X * BLOCK_Y)
#define SHARE ((TILE_M * TILE_N + THREADS - 1) / THREADS)

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// The block computes a TILE_M x TILE_N tile of P. Its elements are numbered row by row, and thread
// t computes elements t, t + THREADS, t + 2 THREADS, ...: SHARE of them, or one fewer.
__global__ void matmul_tiled_free(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_M][TILE_K];
  __shared__ float Nds[TILE_K][TILE_N];

  int t = threadIdx.y * BLOCK_X + threadIdx.x;
  int row0 = blockIdx.y * TILE_M;
  int col0 = blockIdx.x * TILE_N;

  // Only unrolled loops access Pvalue, so that its elements are registers.
  float Pvalue[SHARE];
#pragma unroll
  for (int j = 0; j < SHARE; ++j) {
    Pvalue[j] = 0.0f;
  }

  for (int ph = 0; ph < (k + TILE_K - 1) / TILE_K; ++ph) {
    // Load: the threads load both tiles together.
    for (int e = t; e < TILE_M * TILE_K; e += THREADS) {
      int row = row0 + e / TILE_K;
      int col = ph * TILE_K + e % TILE_K;
      Mds[e / TILE_K][e % TILE_K] = row < m && col < k ? M[row * k + col] : 0.0f;
    }
    for (int e = t; e < TILE_K * TILE_N; e += THREADS) {
      int row = ph * TILE_K + e / TILE_N;
      int col = col0 + e % TILE_N;
      Nds[e / TILE_N][e % TILE_N] = row < k && col < n ? N[row * n + col] : 0.0f;
    }
    __syncthreads();

    // Compute: each element is a row of Mds times a column of Nds.
    for (int i = 0; i < TILE_K; ++i) {
#pragma unroll
      for (int j = 0; j < SHARE; ++j) {
        int e = t + j * THREADS;
        if (TILE_M * TILE_N % THREADS == 0 || e < TILE_M * TILE_N) {
          Pvalue[j] += Mds[e / TILE_N][i] * Nds[i][e % TILE_N];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int j = 0; j < SHARE; ++j) {
    int e = t + j * THREADS;
    int row = row0 + e / TILE_N;
    int col = col0 + e % TILE_N;
    if (e < TILE_M * TILE_N && row < m && col < n) {
      P[row * n + col] = Pvalue[j];
    }
  }
}
