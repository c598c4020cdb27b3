/*---
title = "Transpose of a square"
sizes = { m = 64, n = 64 }
[launch]
block = [32, 32]
grid = [2, 2]
[[operand]]
name = "M"
rows = 64
columns = 64
fill = "zero"
---*/
// #pragma verdict right
// #include "reference.cuh"
using Row = float[33];

__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ Row tile[32];
  const unsigned x = blockIdx.x * 32u + threadIdx.x;
  const unsigned y = blockIdx.y * 32u + threadIdx.y;
  for (unsigned j = 0; j < 32u; j += blockDim.y) {
    if (x < (unsigned)n && y + j < (unsigned)m) {
      tile[threadIdx.y + j][threadIdx.x] = M[(y + j) * n + x];
    }
  }
  __syncthreads();
  const unsigned px = blockIdx.y * 32u + threadIdx.x;
  const unsigned py = blockIdx.x * 32u + threadIdx.y;
  for (unsigned j = 0; j < 32u; j += blockDim.y) {
    if (px < (unsigned)m && py + j < (unsigned)n) {
      P[(py + j) * m + px] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}
