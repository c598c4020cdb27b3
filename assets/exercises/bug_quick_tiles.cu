/*---
# SPDX-License-Identifier: Apache-2.0
title = "Quick tiles"
entry = "quick_tiles"
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 64, n = 64, k = 64 }

[exercise]
number = 7
symptom = "The result is sometimes right and sometimes wrong. With tiles of 4 × 4 it is right here, and still two threads use one slot with nothing between them."
hints = [
  "Who writes the slots of Mds and Nds that a thread reads?",
  "A right result proves nothing here: a block of 16 threads is a single warp.",
  "A slot must be filled before others read it, and read before it is filled again. Each of the two needs a barrier.",
]
fails = ["races", "result"]
shown = { m = 8, n = 8, k = 8, TILE_WIDTH = 4 }
hidden = [
  { m = 16, n = 16, k = 16 },
  { m = 21, n = 33, k = 19 },
  { m = 1, n = 1, k = 1 },
  { m = 40, n = 9, k = 50, TILE_WIDTH = 8 },
]

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of a tile and of the block"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
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
// A block computes one tile of P.
__global__ void quick_tiles(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty][tx] = j < k && col < n ? N[j * n + col] : 0.0f;

    for (int t = 0; t < TILE_WIDTH; ++t) {
      Pvalue += Mds[ty][t] * Nds[t][tx];
    }
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
