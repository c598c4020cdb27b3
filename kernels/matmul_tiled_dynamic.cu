/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiled product, dynamic shared memory"
summary = "The tiled product with one shared-memory array that the host sizes at launch: the same kernel serves every tile width."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_WIDTH)"
epochs_per_phase = 2
phase_length = "TILE_WIDTH"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
  # The host does this before the launch: it finds the widest tile that the device allows.
  { expr = "TILE_WIDTH <= isqrt(min(THREADS_MAX, floordiv(SHARED_BYTES_MAX, 8)))", say = "a tile of width {TILE_WIDTH} takes {TILE_WIDTH^2} threads and {8 * TILE_WIDTH^2} bytes of shared memory; the widest for {THREADS_MAX} threads and {SHARED_BYTES_MAX} bytes is {isqrt(min(THREADS_MAX, floordiv(SHARED_BYTES_MAX, 8)))}" },
]

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of a tile and of the block, given at launch"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]
dynamic_shared_bytes = "2 * TILE_WIDTH * TILE_WIDTH * 4"

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "M"
offset = "0"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "N"
offset = "4 * TILE_WIDTH * TILE_WIDTH"

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

[[operand]]
name = "tile_width"
kind = "scalar"
value = "TILE_WIDTH"
---*/

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// A block has tile_width x tile_width threads, and its shared memory holds both tiles.
__global__ void matmul_tiled_dynamic(const float* M, const float* N, float* P, int m, int n, int k,
                                     int tile_width) {
  extern __shared__ float tiles[];
  float* Mds = tiles;
  float* Nds = tiles + tile_width * tile_width;  // counted in elements, not in bytes

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * tile_width + ty;
  int col = blockIdx.x * tile_width + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + tile_width - 1) / tile_width; ++ph) {
    if (row < m && ph * tile_width + tx < k) {
      Mds[ty * tile_width + tx] = M[row * k + ph * tile_width + tx];
    } else {
      Mds[ty * tile_width + tx] = 0.0f;
    }
    if (ph * tile_width + ty < k && col < n) {
      Nds[ty * tile_width + tx] = N[(ph * tile_width + ty) * n + col];
    } else {
      Nds[ty * tile_width + tx] = 0.0f;
    }
    __syncthreads();

    for (int i = 0; i < tile_width; ++i) {
      Pvalue += Mds[ty * tile_width + i] * Nds[i * tile_width + tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
