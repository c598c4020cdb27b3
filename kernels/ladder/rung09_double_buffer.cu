/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 9: double buffering"
summary = "There are two sets of tiles. Look at a phase: the next one is loaded while this one is computed, and one barrier is enough."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 1
epochs_before = 1
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix, extended to whole tiles, has up to {max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256)))} elements; int indices allow fewer than {2^31}" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= THREADS_MAX", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; a block has at most {THREADS_MAX}" },
  { expr = "TILE_M * TILE_K / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0", say = "a tile of M has {TILE_M * TILE_K / 4} vectors, which {TILE_M * TILE_N / ROWS / COLS} threads cannot share evenly" },
  { expr = "TILE_K * TILE_N / 4 % (TILE_M * TILE_N / ROWS / COLS) == 0", say = "a tile of N has {TILE_K * TILE_N / 4} vectors, which {TILE_M * TILE_N / ROWS / COLS} threads cannot share evenly" },
]

[tunable.TILE_M]
default = 128
values = [32, 64, 128]
title = "rows of a tile of P"

[tunable.TILE_N]
default = 128
values = [32, 64, 128]
title = "columns of a tile of P"

[tunable.TILE_K]
default = 8
values = [8, 16]
title = "how much of k one phase covers"

[tunable.ROWS]
default = 8
values = [4, 8]
title = "rows of P per thread"

[tunable.COLS]
default = 8
values = [4, 8]
title = "columns of P per thread"

[launch]
block = ["TILE_M / ROWS * TILE_N / COLS"]
grid = ["ceildiv(n, TILE_N)", "ceildiv(m, TILE_M)"]

[[shared]]
name = "Mds"
rows = "2 * TILE_K"
columns = "TILE_M + 4"
holds = "M"

[[shared]]
name = "Nds"
rows = "2 * TILE_K"
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
// A vector can be moved only if its address is a multiple of 16.
__device__ bool aligned(const float* at) { return (unsigned long long)at % 16 == 0; }

// Loads four adjacent elements of a row, as 16 bytes if all exist and are aligned; zeros past edges.
__device__ float4 four(const float* A, int row, int col, int rows, int cols) {
  const float* at = A + row * cols + col;
  if (row < rows && col + 3 < cols && aligned(at)) return *(const float4*)at;
  float4 v = {0.0f, 0.0f, 0.0f, 0.0f};
  if (row < rows && col < cols) v.x = at[0];
  if (row < rows && col + 1 < cols) v.y = at[1];
  if (row < rows && col + 2 < cols) v.z = at[2];
  if (row < rows && col + 3 < cols) v.w = at[3];
  return v;
}

// Stores four adjacent elements of a row, as 16 bytes if all exist and are aligned.
__device__ void store(float* P, int row, int col, int rows, int cols, float4 v) {
  float* at = P + row * cols + col;
  if (row < rows && col + 3 < cols && aligned(at)) {
    *(float4*)at = v;
    return;
  }
  if (row < rows && col < cols) at[0] = v.x;
  if (row < rows && col + 1 < cols) at[1] = v.y;
  if (row < rows && col + 2 < cols) at[2] = v.z;
  if (row < rows && col + 3 < cols) at[3] = v.w;
}

// There are two sets of tiles: while a phase is computed from one, the next phase is loaded into
// registers and, after the sums, stored in the other. One barrier per phase protects both sets.
__global__ void rung09_double_buffer(const float* M, const float* N, float* P, int m, int n, int k) {
  const int apart = TILE_N / (COLS / 4);
  const int threads = TILE_M / ROWS * (TILE_N / COLS);
  const int ofM = TILE_M * TILE_K / 4 / threads, ofN = TILE_K * TILE_N / 4 / threads;  // vectors per thread
  __shared__ __align__(16) float Mds[2][TILE_K][TILE_M + 4];
  __shared__ __align__(16) float Nds[2][TILE_K][TILE_N];

  int tid = threadIdx.x;
  int tx = tid % (TILE_N / COLS) * 4;
  int ty = tid / (TILE_N / COLS) * ROWS;
  int top = blockIdx.y * TILE_M;
  int left = blockIdx.x * TILE_N;
  int phases = (k + TILE_K - 1) / TILE_K;

  float4 fromM[ofM], fromN[ofN];
  auto load = [&](int ph) {
    for (int s = 0; s < ofM; ++s) {
      int e = tid + s * threads;
      fromM[s] = four(M, top + e / (TILE_K / 4), ph * TILE_K + e % (TILE_K / 4) * 4, m, k);
    }
    for (int s = 0; s < ofN; ++s) {
      int e = tid + s * threads;
      fromN[s] = four(N, ph * TILE_K + e / (TILE_N / 4), left + e % (TILE_N / 4) * 4, k, n);
    }
  };
  auto keep = [&](int set) {
    for (int s = 0; s < ofM; ++s) {
      int e = tid + s * threads, row = e / (TILE_K / 4), i = e % (TILE_K / 4) * 4;
      Mds[set][i][row] = fromM[s].x;
      Mds[set][i + 1][row] = fromM[s].y;
      Mds[set][i + 2][row] = fromM[s].z;
      Mds[set][i + 3][row] = fromM[s].w;
    }
    for (int s = 0; s < ofN; ++s) {
      int e = tid + s * threads;
      *(float4*)&Nds[set][e / (TILE_N / 4)][e % (TILE_N / 4) * 4] = fromN[s];
    }
  };

  float Pvalue[ROWS][COLS] = {};
  load(0);
  keep(0);
  __syncthreads();
  for (int ph = 0; ph < phases; ++ph) {
    int set = ph % 2;
    if (ph + 1 < phases) load(ph + 1);
    for (int i = 0; i < TILE_K; ++i) {
      float a[ROWS], b[COLS];
      for (int r = 0; r < ROWS; r += 4) *(float4*)&a[r] = *(float4*)&Mds[set][i][ty + r];
      for (int c = 0; c < COLS; c += 4) *(float4*)&b[c] = *(float4*)&Nds[set][i][tx + c / 4 * apart];
      for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < COLS; ++c) {
          Pvalue[r][c] += a[r] * b[c];
        }
      }
    }
    if (ph + 1 < phases) keep(1 - set);
    __syncthreads();
  }
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLS; c += 4) {
      store(P, top + ty + r, left + tx + c / 4 * apart, m, n, *(float4*)&Pvalue[r][c]);
    }
  }
}
