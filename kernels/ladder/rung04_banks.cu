/*---
# SPDX-License-Identifier: Apache-2.0
title = "Ladder 4: bank conflicts, and padding"
summary = "The tiles are stored transposed: 32 lanes conflict in one bank. Look at a read of Nds in the warp view, then set PAD = 1: the rows are one slot wider, and the conflicts are gone."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_WIDTH)"
epochs_per_phase = 2
phase_length = "TILE_WIDTH"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.TILE_WIDTH]
default = 32
range = [1, 32]
title = "width of a tile and of the block"

[tunable.PAD]
default = 0
range = [0, 1]
title = "unused columns added to each shared row"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH + PAD"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH + PAD"
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
// A block of TILE_WIDTH x TILE_WIDTH threads computes one tile of P. Each element that it loads
// from global memory is used TILE_WIDTH times from shared memory. The slots' indices are swapped,
// [tx][ty]: the lanes of a warp write and read down a column, and rows of 32 floats put a whole
// column into one bank. PAD = 1 shifts each row by one bank, so that 32 lanes use 32 banks.
// (Padding helps only against bank conflicts; the rung below also has PAD, but no conflicts.)
__global__ void rung04_banks(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + PAD];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + PAD];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    int i = ph * TILE_WIDTH;
    Mds[tx][ty] = row < m && i + tx < k ? M[row * k + i + tx] : 0.0f;
    Nds[tx][ty] = i + ty < k && col < n ? N[(i + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int j = 0; j < TILE_WIDTH; ++j) {
      Pvalue += Mds[j][ty] * Nds[tx][j];
    }
    __syncthreads();
  }
  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
