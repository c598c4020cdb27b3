/*---
title = "Product"
sizes = { m = 64, n = 64, k = 64 }
reference = "matmul"
[launch]
block = [16, 16]
grid = [4, 4]
[[operand]]
name = "P"
rows = 64
columns = 64
direction = "inout"
fill = "zero"
---*/
__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  for (int p = 0; p < k; p += TILE_WIDTH) {
    Mds[ty][tx] = row < m && p + tx < k ? M[row * k + p + tx] : 0.0f;
    Nds[ty][tx] = col < n && p + ty < k ? N[(p + ty) * n + col] : 0.0f;
    __syncthreads();
    float part = 0.0f;
    for (int i = 0; i < TILE_WIDTH; ++i) part += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
    if (row < m && col < n) P[row * n + col] += part;
  }
}
