/*---
# SPDX-License-Identifier: Apache-2.0
title = "One array, two tiles"
entry = "split_array"
reference = "matmul"
operations = "2 * m * n * k"
sizes = { m = 64, n = 64, k = 64 }

[exercise]
number = 10
symptom = "The first store to the second tile leaves the block's shared memory."
hints = [
  "How many bytes does the launch give the block? How many floats are these?",
  "How far apart are the beginnings of the two tiles, in elements? In bytes?",
  "Adding to a pointer counts elements, not bytes.",
]
fails = ["bounds"]
shown = { m = 4, n = 4, k = 4, TILE_WIDTH = 4 }
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
dynamic_shared_bytes = "8 * TILE_WIDTH^2"

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

// P = M N. Both tiles lie in one array, whose size the host gives at the launch: two tiles of
// TILE_WIDTH * TILE_WIDTH floats.
__global__ void split_array(const float* M, const float* N, float* P, int m, int n, int k) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = tiles + TILE_WIDTH * TILE_WIDTH * sizeof(float);

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty * TILE_WIDTH + tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty * TILE_WIDTH + tx] = j < k && col < n ? N[j * n + col] : 0.0f;
    __syncthreads();

    for (int t = 0; t < TILE_WIDTH; ++t) {
      Pvalue += Mds[ty * TILE_WIDTH + t] * Nds[t * TILE_WIDTH + tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
