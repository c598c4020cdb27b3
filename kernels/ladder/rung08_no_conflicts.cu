/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 8: no bank conflicts"
summary = "In the warp view, look at the same stores to Mds and reads of Nds as one rung below: the bank conflicts are gone."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_K)"
epochs_per_phase = 2
phase_length = "TILE_K"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256))) < 2^31", say = "the largest matrix, extended to whole tiles, has up to {max((m + 256) * (k + 16), max((k + 16) * (n + 256), (m + 256) * (n + 256)))} elements; int indices allow fewer than {2^31}" },
  { expr = "TILE_M * TILE_N / ROWS / COLS <= THREADS_MAX", say = "{TILE_M} x {TILE_N} elements in patches of {ROWS} x {COLS} are {TILE_M * TILE_N / ROWS / COLS} threads; a block has at most {THREADS_MAX}" },
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
rows = "TILE_K"
columns = "TILE_M + 4"
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

// There are no bank conflicts. Transposed stores to Mds come from lanes that differ in i: TILE_M floats
// per row put them into one bank, and 4 unused slots per row separate them. In Nds, the first vectors of
// neighbouring threads were COLS floats apart, with every second bank group unused; now a thread's columns
// are groups of 4, TILE_N / (COLS / 4) apart, so that neighbouring threads read neighbouring vectors.
__global__ void rung08_no_conflicts(const float* M, const float* N, float* P, int m, int n, int k) {
  const int apart = TILE_N / (COLS / 4);
  __shared__ __align__(16) float Mds[TILE_K][TILE_M + 4];
  __shared__ __align__(16) float Nds[TILE_K][TILE_N];
  const int threads = TILE_M / ROWS * (TILE_N / COLS);

  int tid = threadIdx.x;
  int tx = tid % (TILE_N / COLS) * 4;
  int ty = tid / (TILE_N / COLS) * ROWS;
  int top = blockIdx.y * TILE_M;
  int left = blockIdx.x * TILE_N;

  float Pvalue[ROWS][COLS] = {};
  for (int ph = 0; ph < (k + TILE_K - 1) / TILE_K; ++ph) {
    int first = ph * TILE_K;
    for (int e = tid; e < TILE_M * TILE_K / 4; e += threads) {
      int row = e / (TILE_K / 4), i = e % (TILE_K / 4) * 4;
      float4 v = four(M, top + row, first + i, m, k);
      Mds[i][row] = v.x;
      Mds[i + 1][row] = v.y;
      Mds[i + 2][row] = v.z;
      Mds[i + 3][row] = v.w;
    }
    for (int e = tid; e < TILE_K * TILE_N / 4; e += threads) {
      int i = e / (TILE_N / 4), col = e % (TILE_N / 4) * 4;
      *(float4*)&Nds[i][col] = four(N, first + i, left + col, k, n);
    }
    __syncthreads();
    for (int i = 0; i < TILE_K; ++i) {
      float a[ROWS], b[COLS];
      for (int r = 0; r < ROWS; r += 4) *(float4*)&a[r] = *(float4*)&Mds[i][ty + r];
      for (int c = 0; c < COLS; c += 4) *(float4*)&b[c] = *(float4*)&Nds[i][tx + c / 4 * apart];
      for (int r = 0; r < ROWS; ++r) {
        for (int c = 0; c < COLS; ++c) {
          Pvalue[r][c] += a[r] * b[c];
        }
      }
    }
    __syncthreads();
  }
  for (int r = 0; r < ROWS; ++r) {
    for (int c = 0; c < COLS; c += 4) {
      store(P, top + ty + r, left + tx + c / 4 * apart, m, n, *(float4*)&Pvalue[r][c]);
    }
  }
}
