/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiled product, slots swapped"
summary = "The tiled product with its shared slots indexed [tx][ty]: the result is right, but the threads of a warp conflict in one bank. PAD = 1 widens the rows and ends the conflicts."
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
// Both tiles are stored transposed in shared memory: element (ty, tx) of a tile is in slot [tx][ty].
__global__ void matmul_tiled_swapped(const float* M, const float* N, float* P, int m, int n,
                                     int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + PAD];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH + PAD];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    if (row < m && ph * TILE_WIDTH + tx < k) {
      Mds[tx][ty] = M[row * k + ph * TILE_WIDTH + tx];
    } else {
      Mds[tx][ty] = 0.0f;
    }
    if (ph * TILE_WIDTH + ty < k && col < n) {
      Nds[tx][ty] = N[(ph * TILE_WIDTH + ty) * n + col];
    } else {
      Nds[tx][ty] = 0.0f;
    }
    __syncthreads();

    // Neighbouring lanes differ in tx: they read one column of Nds, which is in one bank.
    for (int i = 0; i < TILE_WIDTH; ++i) {
      Pvalue += Mds[i][ty] * Nds[tx][i];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
